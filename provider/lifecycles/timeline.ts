/** What the entries of a timeline get besides their content. */
import { declaredContent } from "./declaredContent";
import { entryKey, matches } from "./updateContent";

type Entry = Parameters<typeof declaredContent>[0];

/** The service may show only this many updates of an incident. */
const maxHistoryLength = 100;

/** Of the entries after one, those whose keys it needs. */
export function entriesAfter<Each>(entries: readonly Each[], index: number): readonly Each[] {
  return entries.slice(index + 1).slice(-maxHistoryLength);
}

/** The keys of these entries, so that no earlier entry is posted again when the history is truncated. */
export function keysOf(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => declaredContent(entry) ?? []).map(entryKey);
}

/** The 1-based index of the last entry among identical entries. */
export function occurrenceOfLast(entries: readonly Entry[]): number {
  const [last, ...earlier] = entries.map(declaredContent).reverse();
  return 1 + earlier.filter((content) => last && content && matches(last, content)).length;
}

/** A program may pass anything. */
export function areEntries(updates: unknown): updates is readonly object[] {
  return (
    Array.isArray(updates) && updates.every((entry: unknown) => typeof entry === "object" && entry !== null)
  );
}

export const notEntries = "updates must be a list of entries, each with status and description.";
