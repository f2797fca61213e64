/** Settles what an earlier run sent, before its resource publishes anything else. */
import { type StatusPageIncidentUpdate } from "../api";
import { changedIdentity, isSameDeclaration, matches } from "./identity";
import { decide } from "./decide";
import { laterEntry } from "./timeline";
import { done, failed, recordOf } from "./finish";
import { isShownAsDeclared, type Ledger, pastOf, type Sent } from "./ledger";
import { codeOfPost } from "./question";
import { findSent, lookAgain, withRead, withSeveral } from "./searchForPost";
import { type Decide, type Event, type Noted, type Settle, type Step, type Task, withNotice } from "./task";

/** The next step of a task that searches for what an earlier run sent. */
export function stepOfSettling(before: Ledger, given: Task<Settle>, event: Event): Step {
  const [ledger, task] = withRead(before, given, event);
  const { declared, resource, phase } = task;
  const { sent } = phase;
  const { update, count, heldBy } = findSent(ledger, resource, sent);
  if (update && (event.on === "history" || event.on === "update"))
    return found(ledger, withSeveral(task, count, update.id), update, event);
  if (heldBy) {
    if (isSameDeclaration(declared, sent.declared))
      return failed(ledger, task, { why: "twin", ...heldBy, isPosted: false });
    if (declared.onChange === "refuse") return failed(ledger, task, changedSince(task));
    return declareAnew(ledger, task);
  }
  if (event.on !== "timeUp") return lookAgain(ledger, task, event);
  return notFound(ledger, task);
}

function changedSince({ declared, phase: { sent } }: Task<Settle>) {
  return { why: "changed", fields: changedIdentity(declared, sent.declared) } as const;
}

function found(before: Ledger, given: Task<Settle>, update: StatusPageIncidentUpdate, noted: Noted): Step {
  const { declared, phase } = given;
  const { sent } = phase;
  const ledger = withSettled(before, sent);
  const lineage = { past: sent.past };
  const settled = recordOf(lineage, sent.declared, update);
  const task = {
    ...withNotice(given, { tell: "found", id: update.id }),
    kept: settled,
    applied: [...given.applied, { nonce: sent.nonce, id: update.id }],
  };
  if (isShownAsDeclared(settled, declared)) return done(ledger, task, update, lineage);
  if (declared.onChange === "refuse") return failed(ledger, task, changedSince(task));
  const next = decidePhase({ ...lineage, current: pastOf(settled) });
  return decide(ledger, { ...task, phase: next }, noted);
}

function notFound(ledger: Ledger, task: Task<Settle>): Step {
  const { sent, readProblem } = task.phase;
  if (isShownForDeclared(ledger, task)) return declareAnew(ledger, task);
  const later = laterEntry(ledger, task);
  if (later !== undefined) return failed(ledger, task, { why: "later", id: later });
  if (readProblem) return failed(ledger, task, { why: "unconfirmed", sent, readProblem, codes: [] });
  const code = codeOfPost(sent);
  if (!task.codes.includes(code)) return failed(ledger, task, { why: "unconfirmed", sent, codes: [code] });
  return declareAnew(withSettled(ledger, sent), { ...task, used: [code] }, sent);
}

function withSettled(ledger: Ledger, { nonce }: Sent): Ledger {
  return { ...ledger, settled: [...ledger.settled, nonce] };
}

/** Whether somebody has edited an earlier update to what is declared, or the program declares what the service made of it. */
function isShownForDeclared({ view, owners }: Ledger, { declared, phase: { sent } }: Task<Settle>): boolean {
  const free = view.updates.filter((update) => matches(declared, update) && !owners.has(update.id));
  if (isSameDeclaration(declared, sent.declared)) return free.length >= declared.occurrence;
  return free.some(({ id }) => !sent.seen.ids.includes(id));
}

/** What was sent is no obstacle any more. @param denied The post, if the user says that it isn't public. */
function declareAnew(ledger: Ledger, task: Task<Settle>, denied?: Sent): Step {
  const phase = { ...decidePhase({ past: task.phase.sent.past }), denied };
  return { ledger, task: { ...task, phase }, command: { do: "read", again: false } };
}

export function decidePhase(lineage: Decide["lineage"]): Decide {
  return { at: "decide", lineage, lookedUp: [] };
}
