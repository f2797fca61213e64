/** Decides from the history what a declaration needs: nothing, because its update stands there; a post; or a refusal. */
import { type StatusPageIncidentUpdate } from "../api";
import { hasOwnId, type Identity, isOwnId, matches, oldestFirst } from "./content";
import { done, failed } from "./finish";
import {
  declaresPast,
  differenceOf,
  type Ledger,
  otherOwner,
  ownersBut,
  type PastUpdate,
  withIds,
} from "./ledger";
import { beforePost } from "./post";
import { pastWith, type Refusal, type Step, type Task, type Witness, withNotice } from "./task";

export function choose(given: Ledger, task: Task, witness: Witness): Step {
  const { attempt, declared, lineage, resource } = task;
  const { incidentId } = declared;
  const ledger = withIds(given, () => given.view.updates.some((update) => hasOwnId(incidentId, update)));
  const twin = ownersBut(ledger, resource).find(
    (owner) => !owner.refreshed && differenceOf(declared, owner) === undefined,
  );
  if (twin) {
    const { by, id } = twin;
    return failed(ledger, task, { why: "twin", by, id, hasOwn: task.settled !== undefined });
  }
  const standing = oldestFirst(ledger.view.updates).filter((update) => isDeclared(ledger, task, update));
  const count = standing.length + declaredElsewhere(ledger, task, standing).length;
  const former = lineage.past.filter((past) => declaresPast(declared, past));
  const free = standing.filter(
    ({ id }) => otherOwner(ledger, resource, id) === undefined && former.every((past) => past.id !== id),
  );
  // A read may lack identical ones that are older.
  const own = free.find(({ id }) => ledger.ids !== "off" && isOwnId(declared, attempt + 1, id));
  if (!own && count < declared.occurrence) return beforePost(ledger, task, witness, count);
  const [before] = former;
  // A free one is this occurrence only when the others don't suffice: a run that was interrupted posted it.
  if (before && count - free.length >= declared.occurrence)
    return failed(ledger, task, changedBack(ledger, before.id, count));
  const [pick] = [own, standing[declared.occurrence - 1], ...free].filter(
    (update) => update && free.includes(update),
  );
  if (!pick) return beforePost(ledger, task, witness, declared.occurrence - 1);
  return done(ledger, withNotice(task, { tell: "adopted", update: pick }), pick);
}

/** Whether the update is the declared one. With an id of ours it is, whatever its text is by now. */
export function isDeclared(
  { ids }: Ledger,
  { declared, attempt, ours }: Pick<Task, "attempt" | "ours"> & { readonly declared: Identity },
  update: StatusPageIncidentUpdate,
): boolean {
  if (matches(declared, update) || ours.includes(update.id)) return true;
  return ids !== "off" && isOwnId(declared, attempt + 1, update.id);
}

/** Identical updates that the history doesn't show as such: it shows them late or no more, or they were edited by hand. */
function declaredElsewhere(
  ledger: Ledger,
  { declared, lineage, resource }: Task,
  standing: readonly { readonly id: string }[],
): PastUpdate[] {
  const known = [...ownersBut(ledger, resource), ...pastWith(lineage)];
  const isNew = ({ id }: PastUpdate, index: number): boolean =>
    standing.every((update) => update.id !== id) && known.findIndex((other) => other.id === id) === index;
  return known.filter((past, index) => declaresPast(declared, past) && isNew(past, index));
}

function changedBack({ view }: Ledger, id: string, count: number): Refusal {
  const since = view.updates.find((update) => update.id === id)?.created_at;
  return { why: "changedBack", id, next: count + 1, ...(since != null && { since }) };
}
