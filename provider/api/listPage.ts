import { z } from "zod";
import { type Shape, text } from "./shared";

/** How many objects a page of a list may hold, and how many it holds where the request doesn't say. */
export const pageSize = { least: 1, most: 100, usual: 20 } as const;

/** Which page of a list, and how large. */
export interface ListQuery {
  /** Size of a page, 1 to 100. Default: 20. */
  limit?: number;
  /** Cursor from the previous page. Default: the first page. */
  nextId?: string;
}

const { least, most } = pageSize;
const cursorError = "must be the nextId of the previous page";

export const listQuery = z.strictObject({
  limit: z
    .int({ error: `must be a whole number from ${least} to ${most}` })
    .min(least, { error: `must be at least ${least}` })
    .max(most, { error: `must be at most ${most}` })
    .optional(),
  nextId: z.string({ error: cursorError }).min(1, { error: cursorError }).optional(),
} satisfies Shape<ListQuery>);

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
