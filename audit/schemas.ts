/**
 * The parts of a rule file's schema that rules share, with messages for its author: objects without other keys, ids, types,
 * and selections of channels.
 */
import { z } from "zod";
import { alertChannelTypes, knownWebhookTypes } from "../provider/api";
import { matcherOf } from "../provider/expectations";
import { filledList, text } from "../provider/problems";
import { didYouMean, isMisspelled } from "../provider/texts";
import { type AuditedChannel, type ChannelTypeName, hasType } from "./channel";

const maxListed = 10;

/** An object without other keys. The message has one line for each unknown key. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  const allowed = known.length > maxListed ? "" : known.join(", ");
  const otherwise = allowed === "" ? "" : `; allowed: ${allowed}`;
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") {
        return issue.keys.map((key) => `is not known${suggestion(key, known) || otherwise}`).join("\n");
      }
      if (known.length === 0) return "takes no options";
      return `must be an object${allowed === "" ? "" : ` with ${allowed}`}`;
    },
  });
}

/** A file may have as many rules of its own as mistakes. */
const mostCompared = 100;

/** Suggests a word as {@link didYouMean} does, among the first hundred allowed ones. */
export function suggestion(wrong: string, allowed: readonly string[]): string {
  return didYouMean(wrong, allowed.slice(0, mostCompared));
}

const notAnId = { error: "must be the id of an alert channel, such as 200123" };

/** Whether it is the id of a channel, and not a name: digits are an id, also where a channel has them as its name. */
export function isId(idOrName: string | number): idOrName is number | `${number}` {
  return typeof idOrName === "number" || /^\d+$/.test(idOrName);
}

/** Ids are numbers; strings of digits are accepted. */
export const channelId = z.union(
  [z.int(notAnId).min(0, notAnId), z.string().regex(/^\d{1,15}$/, notAnId)],
  notAnId,
);

const documentedTypes: readonly string[] = [...alertChannelTypes, ...knownWebhookTypes];

/** A name that the service adds later is accepted, a misspelled one isn't. */
export const channelType: z.ZodType<ChannelTypeName> = z
  .string({ error: "must be a type, such as EMAIL or WEBHOOK_MSTEAMS" })
  .refine((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !isMisspelled(name, documentedTypes), {
    error: ({ input }) =>
      `must be a type, such as EMAIL or WEBHOOK_MSTEAMS${didYouMean(String(input), documentedTypes)}`,
  })
  .meta({ pattern: "^[A-Z][A-Z0-9_]*$", examples: [...documentedTypes] });

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
  types: filledList(channelType)
    .optional()
    .describe("Channels of one of these types or values of webhookType."),
  ids: filledList(channelId).optional().describe("Channels with one of these ids."),
  names: filledList(text).optional().describe("Channels with one of these names; * matches anything."),
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
