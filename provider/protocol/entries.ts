/** Finds the entries of a timeline among the updates of an incident. */
import { contentKey, entryKey, oldestFirst } from "./identity";
import { type Ledger, ownersBut, type Resource } from "./ledger";
import { type PastUpdate } from "./records";
import { type NotedPost, type Task } from "./task";

/** The id of a public update that is a later entry of the declared one's timeline. */
export function laterEntry(
  ledger: Ledger,
  { declared, resource }: Task,
  noted: readonly NotedPost[] = [],
): string | undefined {
  const { followedBy } = declared;
  if (!followedBy) return undefined;
  const all = entriesOf(ledger, resource);
  const later = all.find(({ entries }) => entries.some((one) => followedBy.includes(one)));
  const isShown = (id: string | undefined) => ledger.view.updates.some((update) => update.id === id);
  // Only its note says what an update was that was edited since. If a resource has it, its own timeline does.
  const edited = noted.find(
    (post) => isLaterEntry(declared, post) && isShown(post.id) && !ledger.owners.has(post.id ?? ""),
  );
  return later?.id ?? edited?.id;
}

/** The updates, and the entries of a timeline that each may be: as its own timeline declares it, or as the history counts it. */
export function entriesOf(ledger: Ledger, resource: Resource) {
  const shown = oldestFirst(ledger.view.updates).map((update) => ({
    id: update.id,
    key: contentKey(update),
    date: update.publicIncidentUpdateDate,
  }));
  const counted = shown.map((update, index) => {
    const occurrence = shown.slice(0, index + 1).filter(({ key }) => key === update.key).length;
    return { ...update, occurrence, entry: ledger.owners.get(update.id)?.entry };
  });
  return [...ownersBut(ledger, resource), ...counted].map((update) => ({
    id: update.id,
    entries: update.entry === undefined ? entryKeysOf(update) : [update.entry],
  }));
}

/** The keys that a timeline may give to an entry with these words: with its date, where it repeats them. */
function entryKeysOf({ key, occurrence, date }: Counted): string[] {
  return date == null ? [entryKey(key, occurrence)] : [entryKey(key, occurrence), entryKey(key, 1, date)];
}

type Counted = Pick<PastUpdate, "key" | "occurrence"> & { readonly date?: string | null | undefined };

export function isLaterEntry({ followedBy }: Task["declared"], post: NotedPost): boolean {
  return followedBy !== undefined && entryKeysOf(post).some((entry) => followedBy.includes(entry));
}
