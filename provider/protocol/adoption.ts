/** Which public update is the declared one, so that it is adopted: what is identical, and who has it. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Identity, isSameDeclaration, matches, oldestFirst, ownId } from "./identity";
import { declaresPast, type Ledger, otherOwner, ownersBut, type PastUpdate, type Sent } from "./ledger";
import { type Decide, type NotedPost, pastWith, type Task } from "./task";

/** The identical update that the resource had before: since when it exists, and the next occurrence. */
export interface ChangedBack {
  readonly id: string;
  readonly since?: string;
  readonly next: number;
}

/** What the history, and what resources of this run have, say about identical updates. */
export function identicalUpdates(ledger: Ledger, task: Task<Decide>, noted: readonly NotedPost[]) {
  const { declared, phase, resource } = task;
  // Stryker disable next-line ArrayDeclaration: no update has another id
  const own = ledger.ids === "off" ? [] : [ownId(declared, 0), ...(sentBefore(task)?.ownIds ?? [])];
  const notedIds = noted.filter((post) => isIdentical(declared, post)).map(({ id }) => id);
  const ids = [...own, ...notedIds];
  const standing = oldestFirst(ledger.view.updates).filter((update) => isDeclared(declared, ids, update));
  const count = standing.length + declaredElsewhere(ledger, task, standing).length;
  const former = phase.lineage.past.filter((past) => declaresPast(declared, past));
  const free = standing.filter(
    ({ id }) => otherOwner(ledger, resource, id) === undefined && former.every((past) => past.id !== id),
  );
  // A read may lack identical ones that are older.
  const ownUpdate = free.find(({ id }) => own.includes(id));
  if (!ownUpdate && count < declared.occurrence) return { known: count };
  const [before] = former;
  // A free one is this occurrence only when the others don't suffice: a run that was interrupted posted it.
  if (before && count - free.length >= declared.occurrence)
    return { known: count, changedBack: changedBack(ledger, before.id, count) };
  const adoptable = [ownUpdate, standing[declared.occurrence - 1], ...free].find(
    (update) => update && free.includes(update),
  );
  return { known: declared.occurrence - 1, adoptable };
}

/** Whether the update is the declared one. With one of these ids it is, whatever its text is by now. */
export function isDeclared(
  declared: Identity,
  ids: readonly (string | undefined)[],
  update: StatusPageIncidentUpdate,
): boolean {
  return matches(declared, update) || ids.includes(update.id);
}

/** Identical updates that the history doesn't show as such: it shows them late or no more, or they were edited by hand. */
function declaredElsewhere(
  ledger: Ledger,
  { declared, phase: { lineage }, resource }: Task<Decide>,
  standing: readonly { readonly id: string }[],
): PastUpdate[] {
  const known = [...ownersBut(ledger, resource), ...pastWith(lineage)];
  const isElsewhere = ({ id }: PastUpdate, index: number): boolean =>
    standing.every((update) => update.id !== id) && known.findIndex((other) => other.id === id) === index;
  return known.filter((past, index) => declaresPast(declared, past) && isElsewhere(past, index));
}

function changedBack({ view }: Ledger, id: string, count: number): ChangedBack {
  const since = view.updates.find((update) => update.id === id)?.created_at;
  return { id, next: count + 1, ...(since != null && { since }) };
}

/** The post of the same declaration that isn't public. */
export function sentBefore({ declared, phase: { denied } }: Task<Decide>): Sent | undefined {
  return denied && isSameDeclaration(declared, denied.declared) ? denied : undefined;
}

/** Whether the post was one of the declared update, whatever its occurrence. */
export function isIdentical(declared: Identity, post: NotedPost): boolean {
  return declaresPast(declared, { ...post, incident: declared.incidentId });
}
