/** Reads the alert channels to audit from the service. */
import {
  AuthenticationError,
  ConnectionError,
  type Id,
  isMonitoringError,
  type MonitoringError,
} from "../../provider/client";
import { redactConfig } from "../../provider/credentials/redactConfig";
import { addressOf } from "../../provider/credentials/references";
import type * as api from "../../provider/api";
import type { ReadConnections } from "../../provider/connection/connections";
import { readEach } from "../../provider/lookups/readEach";
import { type AlertChannel, type GivenChannel, isInDomain } from "..";

/** A channel to read. */
export interface RequestedChannel {
  readonly id: Id;
  readonly name?: string;
}

/** A channel as the service returns it, or the reason why it couldn't be read. */
type Response = api.AlertChannel | string;

/** Reads all channels. One that can't be read doesn't affect the others. @param onRead Called after each. */
export async function readChannels(
  requested: readonly RequestedChannel[],
  { client, origin }: Pick<ReturnType<ReadConnections["connect"]>, "client" | "origin">,
  onRead: () => void = () => undefined,
): Promise<GivenChannel[]> {
  /** An error of every request: a rejected key stays rejected, and further requests could lock the account. */
  let common: MonitoringError | undefined;
  let hasResponse = false;
  const read = async (id: Id): Promise<Response> => {
    if (common) return common.message;
    try {
      const channel = await client.getAlertChannel(id);
      hasResponse = true;
      return channel;
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      const isOfAll =
        error instanceof AuthenticationError || (error instanceof ConnectionError && !hasResponse);
      if (isOfAll) common ??= error;
      else hasResponse = true;
      return isOfAll && common ? common.message : error.message;
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
): GivenChannel {
  if (typeof response === "string") return { id, name, reason: response };
  return { ...response, name, config: factsOf(response, accountId) };
}

/** The settings with facts instead of credentials. */
function factsOf(channel: api.AlertChannel, accountId: string | undefined): AlertChannel["config"] {
  const facts = redactConfig(channel, accountId);
  const { url } = channel.config;
  const { hostname } = (typeof url === "string" && addressOf(url)) || {};
  if (hostname === undefined) return facts;
  return {
    ...facts,
    url: { ...Object(facts.url), isInDomain: (domain: string) => isInDomain(hostname, domain) },
  };
}
