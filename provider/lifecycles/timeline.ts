/**
 * Computes the names and keys of a timeline's entries, for the class of the SDK and for the component of the plugin. Every
 * program loads this file, so it imports neither zod nor axios.
 */
import { updateStatuses } from "../api/enums";
import { type Content, type Declaration } from "../protocol";
import { computeEntryKey, normalizeContent } from "../protocol/identity";
import { type ProgramInfo, isUnknown, type PlaceInTimeline } from "../engine";

/** Returns undefined while a value is an output, and if a value is invalid, which `check` reports. */
export function parseDeclaredContent(args: {
  readonly [Name in keyof Content]?: unknown;
}) {
  const { description, publicIncidentUpdateDate } = args;
  const status = updateStatuses.find((each) => each === args.status);
  if (status === undefined || typeof description !== "string") return undefined;
  if (publicIncidentUpdateDate !== undefined && typeof publicIncidentUpdateDate !== "string")
    return undefined;
  return normalizeContent({ status, description, publicIncidentUpdateDate });
}

export type DeclaredContent = NonNullable<ReturnType<typeof parseDeclaredContent>>;

type Entry = Parameters<typeof parseDeclaredContent>[0];

const entryKeyPattern = /^[\p{L}\p{N}._-]{1,100}$/u;

/** Returns the declared keys of the entries. @throws The problem of `updates`, as an error created by `fails`. */
export function parseKeys(
  entries: readonly { readonly key?: unknown }[],
  fails: (problem: string) => Error,
): string[] {
  const keys = entries.map(({ key }) => key ?? undefined);
  return keys.map((key, index) => {
    const entry = `entry ${index + 1}`;
    if (key === undefined)
      throw fails(`must have a key on each entry, such as key: "cause", but ${entry} has no key`);
    if (typeof key !== "string" || isUnknown(key))
      throw fails(
        `must have plain string keys, because keys become resource names. The key of ${entry} isn't a plain string`,
      );
    if (!entryKeyPattern.test(key))
      throw fails(
        `must have keys such as "cause" or "02", with at most 100 letters, digits, ".", "_" and "-". ` +
          `The key of ${entry} is ${JSON.stringify(key)}`,
      );
    const first = keys.indexOf(key);
    if (first < index)
      throw fails(
        `must not use a key twice, but entries ${first + 1} and ${index + 1} have the key ${JSON.stringify(key)}. Give a new entry a new ` +
          "key. With the key of a public entry, it would edit that entry",
      );
    return key;
  });
}

/** Computes the key of each entry. The key of an invalid entry is empty. */
export function computeKeys(entries: readonly Entry[]): string[] {
  const contents = entries.map(parseDeclaredContent);
  const keys = contents.map((content) => content?.contentKey);
  const counts = new Map<string, number>();
  return contents.map((content, index) => {
    const key = keys[index];
    if (!content || key === undefined) return "";
    const occurrence = (counts.get(key) ?? 0) + 1;
    counts.set(key, occurrence);
    const isRepeated = keys.indexOf(key) !== keys.lastIndexOf(key);
    return computeEntryKey(key, occurrence, isRepeated ? content.publicIncidentUpdateDate : undefined);
  });
}

const datedKey = /#@-?\d/;

/** Returns the field, if any, that differs from the content from which the timeline computed the key. */
export function findChangedField(
  key: string,
  { contentKey, ...content }: DeclaredContent,
): keyof Content | undefined {
  if (key !== contentKey && !key.startsWith(`${contentKey}#`)) return "description";
  const isOtherDate =
    datedKey.test(key) && key !== computeEntryKey(contentKey, 1, content.publicIncidentUpdateDate);
  return isOtherDate ? "publicIncidentUpdateDate" : undefined;
}

/** Returns the problem of `updates` if two entries have the same content and date, and therefore the same key. */
export function findRepetition(entries: readonly Entry[]): string | undefined {
  const keys = computeKeys(entries);
  const later = keys.findIndex((key, index) => datedKey.test(key) && keys.indexOf(key) < index);
  if (later < 0) return undefined;
  return (
    `must not repeat an entry with the same date, but entries ${keys.indexOf(keys[later] ?? "") + 1} and ${later + 1} have the same ` +
    "status, description and publicIncidentUpdateDate. Change the description or the date of the later entry. If the page shows both with " +
    "this date, omit the date of the later entry"
  );
}

export type Order = Pick<Declaration, "followedBy" | "follows" | "entry" | "key">;

/**
 * Returns the keys of the other entries for the protocol. An entry is never posted after a later one. The result contains all later
 * entries, because the service may return only the latest updates of a long timeline.
 */
export function computeOrder({ keys, index }: PlaceInTimeline, key?: ProgramInfo["key"]): Order {
  const followedBy = keys.slice(index + 1).filter((entry) => entry !== "");
  return { followedBy, follows: keys[index - 1], entry: keys[index], key };
}

export const notEntries = "updates must be a list of entries, each with key, status and description.";
