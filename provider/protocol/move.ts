/**
 * Finds the update that the state has at the new address of its container. A migration of the page may have given new ids to the container,
 * to its updates, to both or to none. Nothing here leads to a post.
 */
import { done, failed, recordOf, withNotice } from "./endings";
import { editing } from "./edit";
import { areEditable, changedIdentity, type Declaration, saidBy, type Seen, wordsOfEntry } from "./identity";
import { type Ledger, otherOwner, renumbered, shownFor } from "./ledger";
import { isUnsure, pastOf, type Posted } from "./records";
import { type Circumstances, type Event, type Step, type TaskAt } from "./task";

export function stepOfMove(ledger: Ledger, task: TaskAt<"move">, event: Event): Step {
  switch (event.on) {
    case "history":
    case "update":
      return find(ledger, task, event);
    case "readFailed":
    case "timeUp":
      return failed(ledger, task, { why: "failed", text: event.text ?? "" });
    default:
      throw new Error(`${event.on}, although nothing was posted.`);
  }
}

function find(ledger: Ledger, task: TaskAt<"move">, read: Circumstances): Step {
  const { posted, lookedUp } = task.phase;
  const { declared, resource } = task;
  const update = shownAs(ledger, posted, declared);
  if (update && !otherOwner(ledger, resource, update.id)) {
    const past = renumbered(ledger, posted.past);
    const told = withNotice(task, { tell: "moved", id: update.id });
    const isEdited =
      isUnsure(posted, declared) ||
      (declared.onChange === "edit" && areEditable(changedIdentity(posted.declared, declared)));
    // A migration may also change its date, which nobody did.
    const isOwn = wordsOfEntry(posted.made ?? "") === update.words;
    const made = isOwn && { made: saidBy(update) };
    if (isEdited) return editing(ledger, told, { ...posted, id: update.id, past, ...made }, read);
    const found = recordOf({ past }, declared, update, posted.isByWords);
    return done(ledger, told, "kept", { ...found, ...made });
  }
  // A long history lacks its oldest updates.
  if (ledger.view.complete || lookedUp.includes(posted.id))
    return failed(ledger, task, { why: "notThere", id: posted.id });
  const phase = { ...task.phase, lookedUp: [posted.id] };
  return { ledger, task: { ...task, phase }, command: { do: "readUpdate", id: posted.id } };
}

/**
 * The update as it was posted or, if somebody edited it since, as the last refresh saw it. A run that was killed may have edited it to
 * what is declared.
 */
function shownAs(ledger: Ledger, posted: Posted, declared: Declaration): Seen | undefined {
  const past = pastOf(posted);
  const { published = posted.declared, createdAt } = posted;
  const isEdit = declared.onChange === "edit";
  for (const { words } of [posted.declared, published, ...(isEdit ? [declared] : [])]) {
    const shown = shownFor(ledger, { ...past, words }, createdAt);
    if (shown) return shown;
  }
  return undefined;
}
