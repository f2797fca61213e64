/** Selects the channels that a rule applies to. */
import type { AuditedChannel } from "../channels/channel";
import { type ChannelTypeName, hasType } from "../channels/specificType";
import { channelId, channelType, nonEmptyListOf, strict, text } from "./schemas";
import { matcherOf } from "../../provider/texts/regularExpression";

/** Channels that match all of these: one of the types, one of the ids, one of the names. */
export interface Selection {
  /** Types or values of `webhookType`, such as `EMAIL` or `WEBHOOK_MSTEAMS`. Default: any. */
  types?: ChannelTypeName[];
  /** Ids. Default: any. */
  ids?: (string | number)[];
  /** Names; `*` matches anything, so `prod-*` matches every name that begins with `prod-`. Default: any. */
  names?: string[];
}

export const selection = strict({
  types: nonEmptyListOf(channelType)
    .optional()
    .describe("Channels of one of these types or values of webhookType."),
  ids: nonEmptyListOf(channelId).optional().describe("Channels with one of these ids."),
  names: nonEmptyListOf(text).optional().describe("Channels with one of these names; * matches anything."),
}).meta({ id: "Selection", description: "Channels that the rule applies to. Default: all." });

/**
 * Whether a channel is selected.
 *
 * @param namesOf All names of a channel.
 */
export function selector(
  { types, ids, names }: Selection,
  namesOf: (channel: AuditedChannel) => readonly string[],
): (channel: AuditedChannel) => boolean {
  const selectedIds = ids && new Set(ids.map(String));
  const isNamed = names?.map((name) => matcherOf(patternOf(name)));
  return (channel) =>
    (!types || hasType(channel, types)) &&
    (!selectedIds || selectedIds.has(String(channel.id))) &&
    (!isNamed || namesOf(channel).some((name) => isNamed.some((matches) => matches(name))));
}

/** `*` matches anything. In linear time: a rule file may be a stranger's. */
function patternOf(name: string): string {
  const parts = name.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|/]/g, "\\$&"));
  return `^${parts.join("[\\s\\S]*")}$`;
}
