/** Reads the alert channels to audit from the service. */
import {
  AuthenticationError,
  ConnectionError,
  type Id,
  isMonitoringError,
  type MonitoringError,
} from "../../provider/client";
import { didYouMean } from "../../provider/texts";
import { addressOf, redactConfig } from "../../provider/credentials";
import { type ReadConnections, readEach } from "../../provider/connection";
import { isId } from "../schemas";
import type * as api from "../../provider/api";
import { type AlertChannel, type GivenChannel, isInDomain } from "..";

// The channels that an audit reads: by id, or by a name from the configuration or the rule file.

/** Ids by name. */
type ChannelIdsByName = ReadonlyMap<string, Id>;

/** The requested channels, each once; all channels with a name when none are requested. */
export function requestedChannels(requested: readonly Id[], names: ChannelIdsByName): RequestedChannel[] {
  const ids =
    requested.length > 0
      ? requested.map((one) => (isId(one) ? Number(one) : (names.get(one) ?? one)))
      : names.values();
  const nameOf = new Map([...names].map(([name, id]) => [String(id), name]));
  const byId = new Map([...ids].map((id) => [String(id), id]));
  return [...byId].map(([key, id]) => ({ id, name: nameOf.get(key) }));
}

/** Requested channels that are neither an id nor a name, with the reason as the end of a sentence. */
export function unknownChannels(
  requested: readonly Id[],
  names: ChannelIdsByName,
): { requested: Id; reason: string }[] {
  return requested
    .filter((one) => !/^\d{1,15}$/.test(String(one)) && !names.has(String(one)))
    .map((one) => ({
      requested: one,
      reason: `is neither an id nor a name${hint(String(one), [...names.keys()])}`,
    }));
}

const maxNamed = 10;

function hint(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return "; no channel has a name";
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return didYouMean(wrong, names) || `; names are ${names.slice(0, maxNamed).join(", ")}${more}`;
}

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
