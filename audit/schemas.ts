/** Selects the channels that a rule applies to. */
import { z } from "zod";
import { type AuditedChannel, type ChannelTypeName, hasType, knownTypeNames } from "./channel";
import { didYouMean, isMisspelled } from "../provider/texts";
import { matcherOf } from "../provider/expectations";

// Parts of schemas, with messages for the author of a rule file.

const maxListed = 10;
/** A file may have as many rules of its own as mistakes. */
const mostCompared = 100;

/** What {@link didYouMean} says, of the first hundred allowed words. */
export const suggestion = (wrong: string, allowed: readonly string[]): string =>
  didYouMean(wrong, allowed.slice(0, mostCompared));

/** An object without other keys. The message has one line for each unknown key. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  const list = known.length > maxListed ? "" : known.join(", ");
  const otherwise = list === "" ? "" : `; allowed: ${list}`;
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") {
        return issue.keys.map((key) => `is not known${suggestion(key, known) || otherwise}`).join("\n");
      }
      if (known.length === 0) return "takes no options";
      return `must be an object${list === "" ? "" : ` with ${list}`}`;
    },
  });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, {
    error: ({ input }) =>
      `must be one of ${values.join(", ")}` + (typeof input === "string" ? didYouMean(input, values) : ""),
  });
}

export function wholeNumber(least: number, most: number) {
  return z
    .int({ error: `must be a whole number from ${least} to ${most}` })
    .min(least)
    .max(most);
}

export const text = z
  .string({ error: ({ input }) => (input === undefined ? "is missing" : "must be a string") })
  .min(1, { error: "must not be empty" });

export const ruleId = z
  .string({ error: "must be a string" })
  .regex(/^[a-z0-9]+([-/.][a-z0-9]+)*$/, {
    error: "must consist of lowercase letters, digits and hyphens, such as opsgenie-region",
  })
  .describe("Unique, such as opsgenie-region.");

export function nonEmptyListOf<Item extends z.ZodType>(item: Item) {
  return z.array(item, { error: "must be a list" }).min(1, { error: "must not be empty" });
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

/** A name that the service adds later is accepted, a misspelled one isn't. */
export const channelType: z.ZodType<ChannelTypeName> = z
  .string({ error: "must be a type, such as EMAIL or WEBHOOK_MSTEAMS" })
  .refine((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !isMisspelled(name, knownTypeNames), {
    error: ({ input }) =>
      `must be a type, such as EMAIL or WEBHOOK_MSTEAMS${didYouMean(String(input), knownTypeNames)}`,
  })
  .meta({ pattern: "^[A-Z][A-Z0-9_]*$", examples: [...knownTypeNames] });

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
