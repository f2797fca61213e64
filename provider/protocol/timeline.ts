/** The order of a timeline's entries: whether a later one is public, and whether the one before it is. */
import { contentKey, entryKey, oldestFirst } from "./identity";
import { type Ledger, ownersBut, type Resource } from "./ledger";
import { type NotedPost, type Task } from "./task";

/** The id of a public update that is a later entry of the same timeline. */
export function laterEntry(ledger: Ledger, { declared, resource }: Task): string | undefined {
  const { followedBy } = declared;
  // Stryker disable next-line ConditionalExpression,EqualityOperator: nothing would be found
  if (followedBy === undefined || followedBy.length === 0) return undefined;
  return entriesOf(ledger, resource).find(({ entry }) => followedBy.includes(entry))?.id;
}

/** Unless the engine was told to leave it out, the entry before it has an owner, also when the history is cut. */
export function isEarlierMissing(ledger: Ledger, { declared: { follows }, resource }: Task): boolean {
  if (follows === undefined) return false;
  return entriesOf(ledger, resource).every(({ entry }) => entry !== follows);
}

/** The updates as entries of a timeline: as the other resources declare them, and as the history counts them. */
function entriesOf(ledger: Ledger, resource: Resource): { readonly id: string; readonly entry: string }[] {
  const others = ownersBut(ledger, resource);
  const shown = oldestFirst(ledger.view.updates).map(({ id, ...update }) => ({
    id,
    key: contentKey(update),
  }));
  const counted = shown.map(({ id, key }, index) => {
    const occurrence = shown.slice(0, index + 1).filter((update) => update.key === key).length;
    return { id, entry: entryKey(key, occurrence) };
  });
  return [...others.map(({ id, key, occurrence }) => ({ id, entry: entryKey(key, occurrence) })), ...counted];
}

/** Whether a noted post is a later entry of the timeline that is public, although it was edited since. */
export function isShownLater({ view }: Ledger, declared: Task["declared"], post: NotedPost): boolean {
  return isLaterEntry(declared, post) && view.updates.some(({ id }) => id === post.id);
}

export function isLaterEntry({ followedBy }: Task["declared"], { key, occurrence }: NotedPost): boolean {
  return followedBy?.includes(entryKey(key, occurrence)) === true;
}
