/**
 * Finds the recorded update at the new location of its container. A migration of the page may have assigned new IDs to the container, to
 * its updates, to both or to neither. Never posts.
 */
import { succeed, fail, createRecord, withNotice } from "./results";
import { startEdit } from "./edit";
import {
  areEditable,
  listChangedFields,
  type Declaration,
  computeContentVersion,
  type ShownUpdate,
  parseContentKey,
} from "./identity";
import { type Ledger, findOtherOwner, findShownUpdate } from "./ledger";
import { needsVerification, toOwnedUpdate, type PostedUpdate } from "./records";
import { type ReadContext, type Event, type Step, type TaskAt } from "./task";

export function stepMove(ledger: Ledger, task: TaskAt<"move">, event: Event): Step {
  switch (event.kind) {
    case "history":
    case "update":
      return resolveMove(ledger, task, event);
    case "readFailed":
    case "timeUp":
      return fail(ledger, task, { kind: "failed", text: event.text ?? "" });
    default:
      throw new Error(`${event.kind}, although nothing was posted.`);
  }
}

function resolveMove(ledger: Ledger, task: TaskAt<"move">, read: ReadContext): Step {
  const { posted, lookedUp } = task.phase;
  const { declared, resource } = task;
  const update = findMovedUpdate(ledger, posted, declared);
  if (update && !findOtherOwner(ledger, resource, update.id)) {
    const taskWithNotice = withNotice(task, { kind: "moved", id: update.id });
    const isEdited =
      needsVerification(posted, declared) ||
      (declared.onChange === "edit" && areEditable(listChangedFields(posted.declared, declared)));
    // A migration may change the date. Record the shown version as written by the resource, so that the date isn't reported as drift.
    const isOwn = parseContentKey(posted.made ?? "") === update.contentKey;
    const made = isOwn && { made: computeContentVersion(update) };
    if (isEdited) return startEdit(ledger, taskWithNotice, { ...posted, id: update.id, ...made }, read);
    const found = createRecord(declared, update, posted.isByWords);
    return succeed(ledger, taskWithNotice, "kept", { ...found, ...made });
  }
  // A truncated history lacks the oldest updates, so read this update by its ID before the task fails.
  if (ledger.view.complete || lookedUp.includes(posted.id))
    return fail(ledger, task, { kind: "notThere", id: posted.id });
  const phase = { ...task.phase, lookedUp: [posted.id] };
  return { ledger, task: { ...task, phase }, command: { kind: "readUpdate", id: posted.id } };
}

/**
 * Finds the update by the content that it was posted with or, if it was edited on the service, by the content at the last refresh. With
 * `edit`, also finds it by the declared content, because a killed run may have edited it.
 */
function findMovedUpdate(
  ledger: Ledger,
  posted: PostedUpdate,
  declared: Declaration,
): ShownUpdate | undefined {
  const owned = toOwnedUpdate(posted);
  const { published = posted.declared, createdAt } = posted;
  const isEdit = declared.onChange === "edit";
  for (const { contentKey } of [posted.declared, published, ...(isEdit ? [declared] : [])]) {
    const shown = findShownUpdate(ledger, { ...owned, words: contentKey }, createdAt);
    if (shown) return shown;
  }
  return undefined;
}
