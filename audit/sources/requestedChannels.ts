/** The channels that an audit reads: by id, or by a name from the configuration or the rule file. */
import type { Id } from "../../provider/client";
import { didYouMean } from "../../provider/texts/didYouMean";
import { isId } from "../definition/schemas";
import type { RequestedChannel } from "./readChannels";

/** Ids by name. */
export type ChannelIdsByName = ReadonlyMap<string, Id>;

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
