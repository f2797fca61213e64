import { z } from "zod";
import { type Shape, text } from "./shared";

/** One page of a list. */
export interface ListOf<Entry> {
  /** The objects on this page of the list. */
  entries: Entry[];
  /** Number of entries on this page, not a total. */
  length?: number | null;
  /** Opaque cursor of the next page; missing, null or empty at the end. */
  nextId?: string | null;
}

/** One page of a list of these objects. */
export const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.looseObject({
    entries: z.array(entry),
    length: z.number().nullish(),
    nextId: text,
  } satisfies Shape<ListOf<z.output<Entry>>>);

const cursorError = "must be the nextId of the previous page";

/** The query of a list. */
export const listQuery = ({ least, most }: { least: number; most: number }) =>
  z.strictObject({
    limit: z
      .int({ error: `must be a whole number from ${least} to ${most}` })
      .min(least, { error: `must be at least ${least}` })
      .max(most, { error: `must be at most ${most}` })
      .optional(),
    nextId: z.string({ error: cursorError }).min(1, { error: cursorError }).optional(),
  });
