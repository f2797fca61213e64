/** Defines what a provider and a program tell `monitoring preview`, one line of JSON for each fact. It withholds a text that may be a secret. */
import { z } from "zod";
import { factFormat } from "../previewFacts";
import { titleOf } from "../urn";

const text = z.string();

const format = z.literal(factFormat);

const factSchema = z.object({
  format,
  urn: text,
  /** `may`: only an `up` can tell. A later version may have others. */
  posts: z.enum(["will", "may", "no", "refused"]).catch("may"),
  /** True if every subscriber is emailed; undefined if that isn't known. */
  emails: z.boolean().optional(),
  blocks: z.array(z.object({ head: text, lines: z.array(text), text: text.optional() })),
  unread: text.optional(),
});

/** What becomes of a declared update. */
export type PreviewFact = z.output<typeof factSchema>;

const saidSchema = z.object({ format, is: z.enum(["error", "problem", "summary"]), text });

/** Undefined for what this version doesn't know. */
export function readFact(json: unknown): PreviewFact | z.output<typeof saidSchema> | undefined {
  return z.union([factSchema, saidSchema]).safeParse(json).data;
}

/** Reports a declaration that an `up` refuses. @param reasons Default: an error says why. */
export function refusedFact(urn: string, reasons: readonly string[] = []): PreviewFact {
  const head = `${titleOf(urn)} is refused: nothing is posted`;
  return { format: factFormat, urn, posts: "refused", blocks: [{ head, lines: [...reasons] }] };
}

/** Reports an update of which the plan has only the name. */
export function unknownFact(urn: string): PreviewFact {
  const lines = ["The preview doesn't know what it declares, or its provider."];
  return {
    format: factFormat,
    urn,
    posts: "may",
    blocks: [{ head: `${titleOf(urn)} may be posted`, lines }],
  };
}
