/**
 * Gives the entries of a timeline their names, keys and occurrences. The class of the SDK and the component of the plugin do the
 * same work. Every program loads this file, so it needs neither zod nor axios.
 */
import { updateStatuses } from "../api/enums";
import { type Declaration } from "../protocol";
import { contentKey, entryKey, matches } from "../protocol/identity";

export type DeclaredContent = Pick<Declaration, "status" | "description" | "publicIncidentUpdateDate">;

/** Undefined while a value is an output, or when a value is invalid, which `check` reports. */
export function declaredContent(args: {
  readonly [Name in keyof DeclaredContent]?: unknown;
}): DeclaredContent | undefined {
  const { description, publicIncidentUpdateDate } = args;
  const status = updateStatuses.find((each) => each === args.status);
  if (status === undefined || typeof description !== "string") return undefined;
  if (publicIncidentUpdateDate !== undefined && typeof publicIncidentUpdateDate !== "string")
    return undefined;
  return { status, description, publicIncidentUpdateDate };
}

type Entry = Parameters<typeof declaredContent>[0];

/** Names an entry by its index, so that an edited, moved or removed entry appears as a change of a public update. */
export function entryName(timeline: string, index: number): string {
  return `${timeline}-${index + 1}`;
}

/** The key of each entry; empty for an invalid one. */
export function keysOf(entries: readonly Entry[]): string[] {
  const contents = entries.map(declaredContent);
  const keys = contents.map((content) => content && contentKey(content));
  const counts = new Map<string, number>();
  return contents.map((content, index) => {
    const key = keys[index];
    if (!content || key === undefined) return "";
    const occurrence = (counts.get(key) ?? 0) + 1;
    counts.set(key, occurrence);
    const isRepeated = keys.indexOf(key) !== keys.lastIndexOf(key);
    return entryKey(key, occurrence, isRepeated ? content.publicIncidentUpdateDate : undefined);
  });
}

const datedKey = /#@-?\d/;

/** The declared field, if any, that isn't the one for which the timeline computed the key. */
export function fieldUnlike(key: string, content: DeclaredContent): keyof DeclaredContent | undefined {
  const words = contentKey(content);
  if (key !== words && !key.startsWith(`${words}#`)) return "description";
  const isOtherDate = datedKey.test(key) && key !== entryKey(words, 1, content.publicIncidentUpdateDate);
  return isOtherDate ? "publicIncidentUpdateDate" : undefined;
}

/** The problem of `updates` where two entries have equal words and the same date: they would have one key. */
export function repetitionIn(entries: readonly Entry[]): string | undefined {
  const keys = keysOf(entries);
  const later = keys.findIndex((key, index) => datedKey.test(key) && keys.indexOf(key) < index);
  if (later < 0) return undefined;
  return (
    `must not repeat an entry with its date: entries ${keys.indexOf(keys[later] ?? "") + 1} and ${later + 1} have the same ` +
    "status, description and publicIncidentUpdateDate. Change the description or the date of the later one or, if the page " +
    "shows both with this date, declare none for it"
  );
}

/** The place of an entry in its timeline: the keys of all entries, and its 0-based index among them. */
export interface Place {
  readonly keys: readonly string[];
  readonly index: number;
}

export type Order = Pick<Declaration, "followedBy" | "follows" | "entry">;

/**
 * What an entry has to know of the others. It is never posted after a later one, and names all of them, because the service may show
 * only the latest updates of a long timeline.
 */
export function orderAt({ keys, index }: Place): Order {
  const followedBy = keys.slice(index + 1).filter((key) => key !== "");
  return { followedBy, follows: keys[index - 1], entry: keys[index] };
}

/**
 * The 1-based index of the last entry among identical entries. As among public updates, one with another date isn't identical
 * where the last entry declares its own.
 */
export function occurrenceOfLast(entries: readonly Entry[]): number {
  const [last, ...earlier] = entries.map(declaredContent).reverse();
  return 1 + earlier.filter((content) => last && content && matches(last, content)).length;
}

export function areEntries(updates: unknown): updates is readonly object[] {
  return (
    Array.isArray(updates) &&
    // The copy has a value for each hole, which `every` would leave out.
    Array.from<unknown>(updates).every(
      (entry) => typeof entry === "object" && entry !== null && !Array.isArray(entry),
    )
  );
}

export const notEntries = "updates must be a list of entries, each with status and description.";
