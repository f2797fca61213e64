/** Reads the alert channels to audit from the service. */
import { AuthenticationError, type Id, isMonitoringError } from "../../provider/client";
import { redactConfig } from "../../provider/client/redact";
import { addressOf } from "../../provider/client/references";
import type * as api from "../../provider/api";
import type { Connection } from "../../provider/connection";
import { readEach } from "../../provider/lookups/readEach";
import { type AlertChannel, isInDomain, type UnreadableChannel } from "..";

/** A channel to read. */
export interface RequestedChannel {
  readonly id: Id;
  readonly name?: string;
}

/** A channel that was read, or the reason why it couldn't be. */
export type ReadChannel = AlertChannel | UnreadableChannel;

/** A channel as the service returns it, or the reason why it couldn't be read. */
type Response = api.AlertChannel | Pick<UnreadableChannel, "reason">;

/** Reads all channels. One that can't be read doesn't affect the others. */
export async function readChannels(
  requested: readonly RequestedChannel[],
  { client, origin }: Pick<Connection, "client" | "origin">,
  onRead: () => void = () => undefined,
): Promise<ReadChannel[]> {
  let rejected: AuthenticationError | undefined;
  const read = async (id: Id): Promise<Response> => {
    // A rejected key stays rejected, and further requests could lock the account.
    if (rejected) return { reason: `not tried: ${rejected.message}` };
    try {
      return await client.getAlertChannel(id);
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      if (error instanceof AuthenticationError) rejected = error;
      return { reason: error.message };
    }
  };

  const responses = await readEach(requested, async (channel) => {
    const response = await read(channel.id);
    onRead();
    return { channel, response };
  });
  // All together: between two responses, each would take several times as long.
  return responses.map(({ channel, response }) => toReadChannel(channel, response, origin.accountId));
}

function toReadChannel(
  { id, name }: RequestedChannel,
  response: Response,
  accountId: string | undefined,
): ReadChannel {
  return "config" in response
    ? { ...response, name, config: factsOf(response, accountId) }
    : { id, name, reason: response.reason };
}

/** The settings with facts instead of credentials. */
function factsOf(channel: api.AlertChannel, accountId: string | undefined): AlertChannel["config"] {
  const facts = redactConfig(channel, accountId);
  const { url } = channel.config;
  const { hostname } = (typeof url === "string" && addressOf(url)) || {};
  if (hostname === undefined) return facts;
  return {
    ...facts,
    url: Object.assign({}, facts.url, { isInDomain: (domain: string) => isInDomain(hostname, domain) }),
  };
}
