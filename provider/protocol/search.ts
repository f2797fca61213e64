/** Searches for a post without a response: the task's own post or, before anything else, the post of an earlier run. */
import { sortOldestFirst } from "../api";
import { createDecidePhase, isNew } from "./decide";
import { succeed, fail, listen, createRecord, withApplied, withNotice } from "./results";
import { needsEdit, startEdit } from "./edit";
import { listSimilarUpdates, isDeclared, hasCreated, findLaterEntry } from "./guards";
import { getCodeStart, computePostCode, toFutureStart } from "./codes";
import {
  getOccurrence,
  isEditable,
  listChangedFields,
  isSameDeclaration,
  matches,
  type ShownUpdate,
} from "./identity";
import { type Ledger, findOtherOwner, findUnsettledTwin, type Resource } from "./ledger";
import {
  isShownAsDeclared,
  matchesOwned,
  type UnconfirmedPost,
  withDeclaredDate,
  withNotedEdit,
} from "./records";
import { type ReadContext, type Event, type Step, type TaskAt } from "./task";

type SearchMatch = ReturnType<typeof findSent>;
type SearchTask = TaskAt<"settle" | "search">;

export function stepSearch(ledger: Ledger, task: SearchTask, event: Event): Step {
  const reading = withRead(task, event);
  const { phase } = reading;
  const match = findSent(ledger, task.resource, phase);
  if (!ledger.hasListened && (match.update ?? match.heldBy)) return listen(ledger, reading);
  return phase.kind === "search"
    ? settleOwnPost(ledger, { ...reading, phase }, event, match)
    : settle(ledger, { ...reading, phase }, event, match);
}

/** Stores the notes of a read or, if the read failed, the reason. */
function withRead(task: SearchTask, event: Event): SearchTask {
  const { phase } = task;
  switch (event.kind) {
    case "history": {
      const { notes, now: readAt } = event;
      const read = { lookedUp: [], readAt, readProblem: undefined, notes };
      return { ...task, phase: { ...phase, ...read } };
    }
    case "update":
      return { ...task, phase: { ...phase, notes: event.notes } };
    case "readFailed": {
      const { containerMissing, text } = event;
      const isBetter =
        phase.readAt === undefined && (containerMissing || !phase.readProblem?.containerMissing);
      const readProblem = { containerMissing, text };
      return isBetter ? { ...task, phase: { ...phase, readProblem } } : task;
    }
    default:
      return task;
  }
}

/** Returns the oldest free update that the post may have created. If none is free, returns the owner. */
function findSent(ledger: Ledger, resource: Resource, search: SearchTask["phase"]) {
  const { declared, seen } = search.sent;
  const known = findKnownId(search);
  const identical = sortOldestFirst(ledger.view.updates).filter(
    (update) => update.id === known || isDeclared(declared, update),
  );
  const candidates = identical.filter((update) =>
    known === undefined ? isNew(seen, update) : update.id === known,
  );
  const findOwner = (id: string) => findOtherOwner(ledger, resource, id);
  const update = candidates.find(({ id }) => !findOwner(id));
  if (update) return { update };
  const [owner] = candidates.flatMap(({ id }) => findOwner(id) ?? []);
  return { heldBy: owner && { by: owner.by, id: owner.id } };
}

/**
 * Returns the ID of the post's update, if a run found it but was killed before the state recorded it. A read may lack that update and show
 * a later identical one instead.
 */
function findKnownId({ notes, sent }: SearchTask["phase"]): string | undefined {
  return notes.find(({ nonce }) => nonce === sent.nonce)?.id;
}

/** Searches again: first by the ID in the note, because the history may lack that update, then in the history. */
function lookAgain(ledger: Ledger, task: SearchTask, event: Event): Step {
  const { phase } = task;
  const hasRead = event.kind === "history" || event.kind === "update";
  const id = findKnownId(phase);
  if (!hasRead || id === undefined || phase.lookedUp.includes(id)) {
    const { waitsUntil: until } = phase;
    return { ledger, task, command: { kind: "read", again: true, ...(until !== undefined && { until }) } };
  }
  const lookedUp = [...phase.lookedUp, id];
  return { ledger, task: { ...task, phase: { ...phase, lookedUp } }, command: { kind: "readUpdate", id } };
}

function settleOwnPost(ledger: Ledger, task: TaskAt<"search">, event: Event, { update }: SearchMatch): Step {
  const { sent, problem, readProblem } = task.phase;
  if (update) {
    const found = withApplied(task, sent.nonce, update.id);
    return succeed(ledger, found, "posted", createRecord(task.declared, update));
  }
  if (event.kind !== "timeUp") return lookAgain(ledger, task, event);
  // If the container was deleted, no resend code is offered, because no later run can settle the post.
  const codes = readProblem?.containerMissing ? [] : [computePostCode(sent)];
  const from = toFutureStart(getCodeStart(sent.at), event.now);
  return fail(ledger, task, { kind: "lost", problem, sent, readProblem, codes, ...from }, sent);
}

function settle(ledger: Ledger, task: TaskAt<"settle">, event: Event, match: SearchMatch): Step {
  const { declared, phase } = task;
  const { update, heldBy } = match;
  if (update && (event.kind === "history" || event.kind === "update"))
    return settleFound(ledger, task, update, event);
  if (heldBy && isSameDeclaration(declared, phase.sent.declared))
    return fail(ledger, task, { kind: "twin", ...heldBy });
  if (event.kind === "timeUp") return settleNotFound(ledger, task, event);
  const next = lookAgain(ledger, task, event);
  const isWaitOver =
    next.command.kind === "read" && "now" in event && event.now >= (phase.waitsUntil ?? Infinity);
  return isWaitOver ? settleNotFound(ledger, task, event) : next;
}

function settleFound(
  before: Ledger,
  search: TaskAt<"settle">,
  update: ShownUpdate,
  event: Event & ReadContext,
): Step {
  const { declared, phase } = search;
  const { sent } = phase;
  const ledger = withSettled(before, sent);
  const settled = withNotedEdit(createRecord(sent.declared, update), phase.notes);
  const taskWithNotice = withNotice(search, { kind: "found", id: update.id });
  // If a code permitted repeating the post, a killed run may have created the update with a later post.
  const isRecorded = phase.notes.some((post) => post.nonce === sent.nonce);
  const repeated = phase.notes.find((post) => post.isOwn && hasCreated(post, update));
  const nonce = isRecorded ? sent.nonce : (repeated?.nonce ?? sent.nonce);
  const task = { ...withApplied(taskWithNotice, nonce, update.id), recorded: settled };
  const isStill = isShownAsDeclared(settled, declared);
  if (isStill && !needsEdit(declared, update, settled))
    return succeed(ledger, task, "kept", { ...settled, declared });
  // The update may be the one that the other resource sent. That resource must find it first.
  const by = findUnsettledTwin(before, search.resource, sent.declared);
  if (by !== undefined) return fail(before, { ...search, recorded: sent }, { kind: "twin", by });
  if (!isEditable(declared)) {
    const fields = listChangedFields(declared, sent.declared);
    return fail(ledger, task, { kind: "changed", fields, shown: withDeclaredDate(update, sent.declared) });
  }
  // If the edit is rejected, keep the record of the post. Otherwise, the next run would treat someone else's text as the declared one.
  return startEdit(ledger, isStill ? { ...task, recorded: sent } : task, settled, event);
}

function settleNotFound(
  ledger: Ledger,
  task: TaskAt<"settle">,
  event: Event & { readonly now: number },
): Step {
  const { sent, readProblem, readAt = -Infinity, waitsUntil } = task.phase;
  // If the clock was set back, the time of the post is in the future. Wait from now on instead, because the wait would be too long.
  const from = waitsUntil ?? getCodeStart(Math.min(sent.at, event.now));
  if (isDeclaredShown(ledger, task)) return decideAgain(ledger, task);
  const id = findLaterEntry(ledger, task);
  const alike = listSimilarUpdates(ledger, task);
  if (id !== undefined) return fail(ledger, task, { kind: "laterEntry", id, alike });
  if (readProblem) return fail(ledger, task, { kind: "unconfirmed", sent, readProblem, codes: [] });
  const code = computePostCode(sent);
  const isCut = ledger.view.complete ? undefined : true;
  const unconfirmed = { kind: "unconfirmed", sent, isCut, codes: [code] } as const;
  if (!task.codes.includes(code))
    return fail(ledger, task, { ...unconfirmed, ...toFutureStart(from, event.now) });
  if (readAt >= from) return decideAgain(withSettled(ledger, sent), task, sent);
  // A code set right after the post proves nothing, because the user can't have seen yet that the update is missing.
  if (waitsUntil === undefined) return waitUntil(ledger, task, from);
  const problem = event.kind === "readFailed" ? { readProblem: event, codes: [] } : {};
  return fail(ledger, task, { ...unconfirmed, ...problem });
}

/** Reads until the update of the post can't appear any more. */
function waitUntil(ledger: Ledger, task: TaskAt<"settle">, from: number): Step {
  const phase = { ...task.phase, waitsUntil: from };
  const taskWithNotice = withNotice({ ...task, phase }, { kind: "early", from });
  return { ledger, task: taskWithNotice, command: { kind: "read", again: true, until: from } };
}

function withSettled(ledger: Ledger, { nonce }: UnconfirmedPost): Ledger {
  return { ...ledger, settled: [...ledger.settled, nonce] };
}

/**
 * Returns true if an update matches the current declaration: a user may have edited the update of the post to match, or the program may
 * declare the text as the service stored it. The update of another resource with the same declaration is also accepted.
 */
function isDeclaredShown(ledger: Ledger, { declared, resource, phase: { sent } }: TaskAt<"settle">): boolean {
  const all = ledger.view.updates.filter((update) => {
    const owner = findOtherOwner(ledger, resource, update.id);
    return matches(declared, update) && (!owner || matchesOwned(declared, owner));
  });
  if (isSameDeclaration(declared, sent.declared)) return all.length >= getOccurrence(declared);
  return all.some(({ id }) => !sent.seen.ids.includes(id));
}

/** Starts the decision again, without the earlier post. @param denied The post, if its content certainly isn't public. */
function decideAgain(ledger: Ledger, task: TaskAt<"settle">, denied?: UnconfirmedPost): Step {
  const phase = { ...createDecidePhase(), denied };
  return { ledger, task: { ...task, phase }, command: { kind: "read", again: false } };
}
