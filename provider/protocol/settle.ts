/** Settles an unconfirmed update before its resource publishes anything else. */
import { type StatusPageIncidentUpdate } from "../api";
import { choose } from "./choose";
import { changedIdentity, isSameDeclaration, matches } from "./content";
import { done, failed, recordOf, settledElsewhere } from "./finish";
import { isPublic, type Ledger, pastOf, type Unconfirmed, withPlan } from "./ledger";
import { orderRefusal } from "./post";
import { findLost, lookAgain, missOf, withRead, withSeveral } from "./search";
import { type Event, type SearchMiss, type Step, type Task, type Witness, withNotice } from "./task";

/** The next step of a task that searches for an unconfirmed update. */
export function stepOfSettling(before: Ledger, given: Task, unsettled: Unconfirmed, event: Event): Step {
  const [ledger, task] = withRead(before, given, event);
  const { update, count, heldBy } = findLost(ledger, task.resource, unsettled);
  if (update && (event.on === "history" || event.on === "update"))
    return found(ledger, withSeveral(task, count, update.id), unsettled, update, event);
  if (heldBy) {
    if (isSameDeclaration(task.declared, unsettled.declared)) {
      return failed(ledger, task, { why: "twin", ...heldBy, hasOwn: false });
    }
    if (task.declared.onChange === "refuse") {
      const fields = changedIdentity(task.declared, unsettled.declared);
      return failed(ledger, task, { why: "changed", fields });
    }
    return publishNext(ledger, { ...task, unsettled: undefined }, unsettled);
  }
  if (event.on !== "timeUp") return lookAgain(ledger, task, event, unsettled);
  return notFound(ledger, task, unsettled, missOf(ledger, task.readProblem, unsettled, task.declared));
}

function found(
  ledger: Ledger,
  given: Task,
  { declared: was, nonce, past }: Unconfirmed,
  update: StatusPageIncidentUpdate,
  witness: Witness,
): Step {
  const settled = recordOf({ ...given, lineage: { past } }, was, update);
  const task: Task = {
    ...withNotice(given, { tell: "found", incidentId: was.incidentId, id: update.id }),
    settled,
    unsettled: undefined,
    applied: [...given.applied, { nonce, id: update.id }],
  };
  const { declared } = task;
  if (isPublic(settled, declared)) return done(ledger, task, update);
  if (declared.onChange === "refuse") {
    return failed(ledger, task, { why: "changed", fields: changedIdentity(declared, was) });
  }
  const next: Task = { ...task, phase: "observe", attempt: 0, lineage: { past, current: pastOf(settled) } };
  if (declared.incidentId !== was.incidentId) return settledElsewhere(ledger, next);
  return choose(ledger, next, witness);
}

function notFound(ledger: Ledger, task: Task, unsettled: Unconfirmed, miss: SearchMiss): Step {
  const { declared } = task;
  const { declared: was, consumed = false, nonce, answered } = unsettled;
  const isElsewhere = declared.incidentId !== was.incidentId;
  const isSame = isSameDeclaration(declared, was);
  // Somebody has edited an earlier update to what is declared, or the error proposed to declare what the service shows.
  const isShown = isSame
    ? freeOnes(ledger, declared).length >= declared.occurrence
    : miss.lookalike && matches(declared, miss.lookalike);
  if (!isElsewhere && isShown) return publishNext(ledger, task, unsettled);
  const order = isElsewhere ? undefined : orderRefusal(ledger, task);
  if (order) return failed(ledger, task, order);
  const isRearmed = consumed && declared.onUnconfirmed === "fail";
  const rearmed = isRearmed ? { ...unsettled, consumed: false } : unsettled;
  const isBlocked = isElsewhere ? isUnreadable(miss) : miss.readProblem !== undefined;
  if (declared.onUnconfirmed === "fail" || consumed || miss.lookalike || isBlocked) {
    return failed(ledger, task, { why: "unconfirmed", miss, answered }, rearmed);
  }
  const given = withPlan(ledger, task.resource, {
    kind: "unsettled",
    recorded: unsettled,
    isConsented: true,
  });
  const consented: Task = {
    ...task,
    consent: { nonce, isSame, incidentId: was.incidentId },
    attempt: isSame ? task.attempt : 0,
  };
  return publishNext(given, consented, unsettled);
}

function freeOnes({ view, owners }: Ledger, declared: Task["declared"]): StatusPageIncidentUpdate[] {
  return view.updates.filter((update) => matches(declared, update) && !owners.has(update.id));
}

function isUnreadable({ readProblem }: SearchMiss): boolean {
  return readProblem !== undefined && !readProblem.incidentMissing;
}

/** The unconfirmed update is no obstacle any more: what the program declares now is published. */
function publishNext(ledger: Ledger, task: Task, { declared: was }: Unconfirmed): Step {
  const next: Task = { ...task, phase: "observe", readProblem: undefined };
  if (task.declared.incidentId !== was.incidentId) return settledElsewhere(ledger, next);
  return { ledger, task: next, command: { do: "read", again: false } };
}
