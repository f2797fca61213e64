/** Searches for a post that received no response: the task's own or, before anything else, that of an earlier run. */
import { decidePhase, isNew, stepOfDecision } from "./decide";
import { done, failed, listening, recordOf, withApplied, withNotice } from "./endings";
import { editing } from "./edit";
import { alikes, isDeclared, laterEntry } from "./guards";
import { answerableFrom, codeOfPost, ifLater } from "./codes";
import {
  areEditable,
  onChangeOf,
  changedIdentity,
  type Declaration,
  isSameDeclaration,
  matches,
  oldestFirst,
  type Seen,
} from "./identity";
import { type Ledger, otherOwner, renumbered, type Resource } from "./ledger";
import {
  differenceOf,
  isShownAsDeclared,
  isUnsure,
  pastOf,
  type Posted,
  redeclared,
  type Sent,
  withNotedEdit,
} from "./records";
import { type Circumstances, type Event, type Step, type TaskAt } from "./task";

type Match = ReturnType<typeof findSent>;
type Searching = TaskAt<"settle" | "search">;

export function stepOfSearch(ledger: Ledger, task: Searching, event: Event): Step {
  const reading = withRead(task, event);
  const { phase } = reading;
  const match = findSent(ledger, task.resource, phase);
  if (!ledger.hasListened && (match.update ?? match.heldBy)) return listening(ledger, reading);
  return phase.at === "search"
    ? ownPost(ledger, { ...reading, phase }, event, match)
    : settle(ledger, { ...reading, phase }, event, match);
}

/** Keeps of a read what it says of notes and, if it failed, why. */
function withRead(task: Searching, event: Event): Searching {
  const { phase } = task;
  switch (event.on) {
    case "history": {
      const { noted, now: readAt } = event;
      const read = { lookedUp: [], readAt, readProblem: undefined, noted };
      return { ...task, phase: { ...phase, ...read } };
    }
    case "update":
      return { ...task, phase: { ...phase, noted: event.noted } };
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

/** The oldest free update that the post may have created, and how many there are; if none is free, the resource that has it. */
function findSent(ledger: Ledger, resource: Resource, search: Searching["phase"]) {
  const { declared, seen, past } = search.sent;
  const isMoved = search.at === "settle" && search.isMoved;
  const isShown = (id: string | undefined) => ledger.view.updates.some((update) => update.id === id);
  const known = knownId(search);
  const identical = oldestFirst(ledger.view.updates).filter(
    (update) => update.id === known || isDeclared(declared, update),
  );
  // If updates have other ids at the new address, only their places tell which of them is new.
  const isRenumbered = isMoved && ledger.view.complete && seen.ids.length > 0 && !seen.ids.some(isShown);
  const candidates = isRenumbered
    ? identical.slice(declared.occurrence - 1)
    : identical.filter((update) => (known === undefined ? isNew(seen, update) : update.id === known));
  const ownerOf = (id: string) => otherOwner(ledger, resource, id);
  const free = candidates.filter(({ id }) => !ownerOf(id));
  const [update] = free;
  if (update) return { update, count: free.length };
  // The post was applied, but another resource took its update instead of an older one, which is free. The note keeps what it created.
  const left = identical.find(
    ({ id, isOver }) => !isOver && !ownerOf(id) && !past.some((each) => each.id === id),
  );
  const [created] = candidates;
  if (left && created) return { update: left, count: 1, created: created.id };
  const owners = candidates.flatMap(({ id }) => ownerOf(id) ?? []);
  const owner = owners.find((each) => each.occurrence === declared.occurrence);
  const heldBy = owner && { by: owner.by, id: owner.id, differs: differenceOf(declared, owner) };
  return { count: 0, heldBy };
}

/**
 * The id of the post's update, if a run found it, but was killed before the state recorded it. A read may lack that update, and show a
 * later identical one.
 */
function knownId({ noted, sent }: Searching["phase"]): string | undefined {
  return noted.find(({ nonce }) => nonce === sent.nonce)?.id;
}

/** Looks again: by the id in its note, which the history may not show, then in the history. */
function lookAgain(ledger: Ledger, task: Searching, event: Event): Step {
  const { phase } = task;
  const wasRead = event.on === "history" || event.on === "update";
  const id = knownId(phase);
  if (!wasRead || id === undefined || phase.lookedUp.includes(id)) {
    const { waitsUntil: until } = phase;
    return { ledger, task, command: { do: "read", again: true, ...(until !== undefined && { until }) } };
  }
  const lookedUp = [...phase.lookedUp, id];
  return { ledger, task: { ...task, phase: { ...phase, lookedUp } }, command: { do: "readUpdate", id } };
}

function ownPost(
  ledger: Ledger,
  task: TaskAt<"search">,
  event: Event,
  { update, count, created }: Match,
): Step {
  const { sent, problem, readProblem } = task.phase;
  if (update) {
    const posted = recordOf({ past: sent.past }, task.declared, update, true);
    const known = withApplied(withSeveral(task, count, update.id), sent.nonce, {
      ...posted,
      id: created ?? posted.id,
    });
    return done(ledger, known, "posted", posted);
  }
  if (event.on !== "timeUp") return lookAgain(ledger, task, event);
  // No later run can settle a post to an incident that is gone.
  const codes = readProblem?.containerMissing ? [] : [codeOfPost(sent)];
  const from = ifLater(answerableFrom(sent.at), event.now);
  return failed(ledger, task, { why: "lost", problem, sent, readProblem, codes, ...from }, sent);
}

function withSeveral<At extends "settle" | "search">(task: TaskAt<At>, count: number, id: string) {
  return count < 2 ? task : withNotice(task, { tell: "several", count, id });
}

function settle(ledger: Ledger, task: TaskAt<"settle">, event: Event, match: Match): Step {
  const { declared, phase } = task;
  const { update, count, heldBy, created = update?.id } = match;
  if (update && (event.on === "history" || event.on === "update"))
    return found(ledger, withSeveral(task, count, update.id), update, event, created);
  if (heldBy) {
    if (isSameDeclaration(declared, phase.sent.declared))
      return failed(ledger, task, { why: "twin", ...heldBy, isPosted: false });
    if (declared.onChange !== "post") return failed(ledger, task, changedSince(task));
    return declareAnew(ledger, task);
  }
  if (event.on === "timeUp") return notFound(ledger, task, event);
  const next = lookAgain(ledger, task, event);
  const isOver = next.command.do === "read" && "now" in event && event.now >= (phase.waitsUntil ?? Infinity);
  return isOver ? notFound(ledger, task, event) : next;
}

function changedSince({ declared, phase: { sent } }: TaskAt<"settle">) {
  return { why: "changed", fields: changedIdentity(declared, sent.declared) } as const;
}

function found(
  before: Ledger,
  search: TaskAt<"settle">,
  update: Seen,
  event: Event & Circumstances,
  created: string = update.id,
): Step {
  const { declared, phase } = search;
  const { sent } = phase;
  const ledger = withSettled(before, sent);
  const lineage = { past: search.phase.isMoved ? renumbered(ledger, sent.past) : sent.past };
  const settled = withNotedEdit(recordOf(lineage, sent.declared, update, true), phase.noted);
  const notified = withNotice(search, { tell: "found", id: update.id });
  const task = { ...withApplied(notified, sent.nonce, { ...settled, id: created }), recorded: settled };
  const isStill = isShownAsDeclared(settled, declared);
  const { fields } = changedSince(search);
  if (isStill && !maySayElse(declared, update, settled))
    return done(ledger, task, "kept", redeclared(settled, declared));
  switch (onChangeOf(declared, fields)) {
    case "refuse":
      return failed(ledger, task, changedSince(search));
    case "edit":
      // Its id identifies it. A refusal keeps the record of the post, or the next run would take what somebody wrote for what is declared.
      if (isStill) return editing(ledger, { ...task, recorded: sent }, settled, event);
      if (!areEditable(fields)) return failed(ledger, task, changedSince(search));
      return editing(ledger, task, settled, event);
    case "post":
    case undefined: {
      const next = decidePhase({ ...lineage, current: pastOf(settled) });
      return stepOfDecision(ledger, { ...task, phase: next }, event);
    }
  }
}

/** Whether an update that its id identifies says something else by now, which an edit replaces. */
function maySayElse(declared: Declaration, update: Seen, settled: Posted): boolean {
  return declared.onChange === "edit" && (!matches(declared, update) || isUnsure(settled, declared));
}

function notFound(ledger: Ledger, task: TaskAt<"settle">, event: Event & { readonly now: number }): Step {
  const { sent, readProblem, readAt = -Infinity, waitsUntil, isMoved } = task.phase;
  const until = answerableFrom(Math.min(sent.at, event.now));
  // A clock that was set back would wait for a long time.
  const from = waitsUntil ?? until;
  const { shown, edited } = shownForDeclared(ledger, task);
  if (edited && readAt >= from) return declareAnew(withSettled(ledger, sent), task, sent);
  if (edited && waitsUntil === undefined) return waiting(ledger, task, from);
  if (shown) return declareAnew(ledger, task);
  if (isMoved && readProblem) return failed(ledger, task, { why: "failed", text: readProblem.text });
  // Whether it is public can only be seen at the address to which it was sent.
  if (isMoved) return failed(ledger, task, { why: "notThere", ...ifLater(until, event.now) });
  const id = laterEntry(ledger, task);
  const alike = alikes(ledger, task.declared, sent.past);
  if (id !== undefined) return failed(ledger, task, { why: "laterEntry", id, alike });
  if (readProblem) return failed(ledger, task, { why: "unconfirmed", sent, readProblem, codes: [] });
  const code = codeOfPost(sent);
  const isCut = ledger.view.complete ? undefined : true;
  const unconfirmed = { why: "unconfirmed", sent, isCut, codes: [code] } as const;
  if (!task.codes.includes(code))
    return failed(ledger, task, { ...unconfirmed, ...ifLater(from, event.now) });
  if (readAt >= from) return declareAnew(withSettled(ledger, sent), task, sent);
  // Whoever set its code at once hasn't seen that it doesn't appear.
  if (waitsUntil === undefined) return waiting(ledger, task, from);
  const problem = event.on === "readFailed" ? { readProblem: event, codes: [] } : {};
  return failed(ledger, task, { ...unconfirmed, ...problem });
}

/** Reads until the post can't appear any more. */
function waiting(ledger: Ledger, task: TaskAt<"settle">, from: number): Step {
  const phase = { ...task.phase, waitsUntil: from };
  const told = withNotice({ ...task, phase }, { tell: "early", from });
  return { ledger, task: told, command: { do: "read", again: true, until: from } };
}

function withSettled(ledger: Ledger, { nonce }: Sent): Ledger {
  return { ...ledger, settled: [...ledger.settled, nonce] };
}

/**
 * What shows what is declared now: a user has edited an earlier update to it, or the program declares what the service made of the post. An
 * update of a resource that declares the same counts, too. `edited`: the only one, if it may be the post.
 */
function shownForDeclared(ledger: Ledger, { declared, resource, phase }: TaskAt<"settle">) {
  const { sent, isMoved } = phase;
  const all = ledger.view.updates.filter((update) => {
    const owner = otherOwner(ledger, resource, update.id);
    return matches(declared, update) && (!owner || !differenceOf(declared, owner));
  });
  if (isSameDeclaration(declared, sent.declared)) return { shown: all[declared.occurrence - 1] };
  const [shown] = all.filter(({ id }) => !sent.seen.ids.includes(id));
  return { shown, edited: isMoved || all.length > 1 ? undefined : shown };
}

/** Decides anew: the earlier post is no obstacle any more. @param denied The post, if what it said certainly isn't public. */
function declareAnew(ledger: Ledger, task: TaskAt<"settle">, denied?: Sent): Step {
  const { sent, isMoved } = task.phase;
  const phase = { ...decidePhase({ past: sent.past, isMoved }), denied };
  return { ledger, task: { ...task, phase }, command: { do: "read", again: false } };
}
