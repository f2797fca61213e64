/** Which channels a rule is for. */
import type { KnownAlertChannelType } from "../provider/api/enums";
import type { AuditedChannel } from "./channel";
import { channelId, channelType, listOf, strict, text } from "./schemas";

/** Channels that are all of this: of one of the types, with one of the ids, with one of the names. */
export interface Selection {
  /** Types, such as `EMAIL`. Default: any. */
  types?: KnownAlertChannelType[];
  /** Ids. Default: any. */
  ids?: (string | number)[];
  /** Names; `*` stands for anything, so `prod-*` is every name that begins with `prod-`. Default: any. */
  names?: string[];
}

export const selection = strict({
  types: listOf(channelType).optional().describe("Channels of one of these types."),
  ids: listOf(channelId).optional().describe("Channels with one of these ids."),
  names: listOf(text).optional().describe("Channels with one of these names; * stands for anything."),
}).meta({ id: "Selection", description: "Channels that the rule is for. Default: all." });

/**
 * Whether a channel is selected.
 *
 * @param channels Ids by name: a channel may have more names than the one that reports call it.
 */
export function selector(
  { types, ids, names }: Selection,
  channels: Readonly<Record<string, string | number>>,
): (channel: AuditedChannel) => boolean {
  const wantedTypes = types && new Set<string>(types);
  const wantedIds = ids && new Set(ids.map(String));
  const isNamed = (name: string) => names?.some((pattern) => fits(name, pattern)) ?? true;
  const named = new Set(
    Object.keys(channels).flatMap((name) => (isNamed(name) ? String(channels[name]) : [])),
  );
  return ({ type, id, name }) =>
    (!wantedTypes || wantedTypes.has(type)) &&
    (!wantedIds || wantedIds.has(String(id))) &&
    (!names || named.has(String(id)) || (name !== undefined && isNamed(name)));
}

function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
