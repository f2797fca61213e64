/** The parts that the schemas of rules and of rule files share, with messages for the author of a rule file. */
import { z } from "zod";
import { alertChannelTypes, knownWebhookTypes } from "../provider/api";
import { didYouMean, isMisspelled } from "../provider/texts";
import type { ChannelTypeName } from "./channel";

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

/** Whether it is the id of a channel, and not a name: digits are an id, also where a channel has them as its name. */
export function isId(idOrName: string | number): idOrName is number | `${number}` {
  return typeof idOrName === "number" || /^\d+$/.test(idOrName);
}

const documentedTypes: readonly string[] = [...alertChannelTypes, ...knownWebhookTypes];

/** A name that the service adds later is accepted, a misspelled one isn't. */
export const channelType: z.ZodType<ChannelTypeName> = z
  .string({ error: "must be a type, such as EMAIL or WEBHOOK_MSTEAMS" })
  .refine((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !isMisspelled(name, documentedTypes), {
    error: ({ input }) =>
      `must be a type, such as EMAIL or WEBHOOK_MSTEAMS${didYouMean(String(input), documentedTypes)}`,
  })
  .meta({ pattern: "^[A-Z][A-Z0-9_]*$", examples: [...documentedTypes] });
