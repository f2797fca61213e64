/** Alert channels from the service, ready to be audited. */
import { AuthenticationError, type Id, isMonitoringError } from "../../provider/client";
import { redactConfig } from "../../provider/client/redact";
import type * as api from "../../provider/api";
import type { Connection } from "../../provider/connection";
import { type AlertChannel, isInDomain, type UnreadableChannel } from "..";

/** A channel to read. */
export interface WantedChannel {
  readonly id: Id;
  readonly name?: string;
}

/** A channel that was read, or why it couldn't be. */
export type ReadChannel = AlertChannel | UnreadableChannel;

/** Twice what the client has in flight: enough to keep it busy, and no call uses up its deadline waiting its turn. */
const mostWaiting = 16;

/** Reads them all. What can't be read is told, and hides nothing else. */
export async function readChannels(
  wanted: readonly WantedChannel[],
  { client, origin }: Pick<Connection, "client" | "origin">,
  onRead: () => void = () => undefined,
): Promise<ReadChannel[]> {
  let refused: AuthenticationError | undefined;
  const read = async ({ id, name }: WantedChannel): Promise<ReadChannel> => {
    // A key that is refused once is refused always: going on could lock the account.
    if (refused) return { id, name, reason: `not tried: ${refused.message}` };
    try {
      const found = await client.getAlertChannel(id);
      return { ...found, name, config: factsOf(found, origin.accountId) };
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      if (error instanceof AuthenticationError) refused = error;
      return { id, name, reason: error.message };
    }
  };

  const channels = new Map<WantedChannel, ReadChannel>();
  const queue = wanted.values();
  const work = async () => {
    for (const channel of queue) {
      channels.set(channel, await read(channel));
      onRead();
    }
  };
  await Promise.all(Array.from({ length: mostWaiting }, work));
  return wanted.flatMap((channel) => channels.get(channel) ?? []);
}

/** The settings with facts in the place of credentials. A list or text with nothing in it is no credential. */
function factsOf({ type, config }: api.AlertChannel, accountId: string | undefined): AlertChannel["config"] {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)));
  const facts = redactConfig({ type, config: given }, accountId);
  const { url } = given;
  if (typeof url !== "string" || !URL.canParse(url)) return facts;
  const { hostname } = new URL(url);
  return {
    ...facts,
    url: Object.assign({}, facts.url, { isInDomain: (domain: string) => isInDomain(hostname, domain) }),
  };
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
