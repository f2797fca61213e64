/** Searches for a post without a response: for the task's own, and before anything else for that of an earlier run. */
import { type StatusPageIncidentUpdate } from "../api";
import { changedIdentity, isSameDeclaration, matches, oldestFirst } from "./identity";
import { isDeclared, laterEntry } from "./facts";
import { decide, done, failed, isNew, recordOf } from "./decide";
import {
  differenceOf,
  isShownAsDeclared,
  type Ledger,
  otherOwner,
  pastOf,
  type Resource,
  type Sent,
  type Twin,
  withHistory,
  withUpdate,
} from "./ledger";
import { codeOfPost } from "./question";
import {
  type Decide,
  type Event,
  type Noted,
  type Phase,
  type SearchForPost,
  type Settle,
  type Step,
  type Task,
  withNotice,
} from "./task";

// Searches the history for a post without a response.

interface Found {
  readonly update?: StatusPageIncidentUpdate;
  /** How many updates it may be. */
  readonly count: number;
  /** The resource that has it, when none is left. */
  readonly heldBy?: Pick<Twin, "by" | "id" | "differs"> | undefined;
}

/** The oldest update that the post may have created. */
export function findSent(ledger: Ledger, resource: Resource, sent: Sent): Found {
  const { declared, seen, past } = sent;
  const ids = ledger.ids === "off" ? [] : sent.ownIds;
  const standing = oldestFirst(ledger.view.updates).filter((update) => isDeclared(declared, ids, update));
  const candidates = standing.filter((update) => isNew(seen, update));
  const ownerOf = (id: string) => otherOwner(ledger, resource, id);
  const free = candidates.filter(({ id }) => !ownerOf(id));
  const [update] = free;
  if (update) return { update, count: free.length };
  // The post was applied, and another resource took its update for an older one, which is left.
  const left = standing.find(({ id }) => !ownerOf(id) && !past.some((each) => each.id === id));
  if (left && candidates.length > 0) return { update: left, count: 1 };
  // Stryker disable next-line ArrayDeclaration: each of them has an owner, or it were free
  const owners = candidates.flatMap(({ id }) => ownerOf(id) ?? []);
  const held = owners.find((owner) => owner.occurrence === declared.occurrence);
  return { count: 0, heldBy: held && { by: held.by, id: held.id, differs: differenceOf(declared, held) } };
}

/** Adds what was read to the ledger; a search whose read failed only remembers why. */
function withRead<Of extends Settle | SearchForPost>(
  ledger: Ledger,
  task: Task<Of>,
  event: Event,
): [Ledger, Task<Of>] {
  const { phase } = task;
  switch (event.on) {
    case "history":
      return [
        withHistory(ledger, event.shown),
        // Stryker disable next-line ArrayDeclaration: no update has such an id
        { ...task, phase: { ...phase, lookedUp: [], wasRead: true, readProblem: undefined } },
      ];
    case "update":
      return [event.update ? withUpdate(ledger, event.update) : ledger, task];
    case "readFailed": {
      const { incidentMissing, text } = event;
      const isBetter = !phase.wasRead && (incidentMissing || !phase.readProblem?.incidentMissing);
      const readProblem = { incidentMissing, text };
      return [ledger, isBetter ? { ...task, phase: { ...phase, readProblem } } : task];
    }
    default:
      return [ledger, task];
  }
}

/** Looks again: by the ids of our own where the history doesn't show them, then in the history. */
function lookAgain(ledger: Ledger, task: Task<Settle | SearchForPost>, event: Event): Step {
  const { phase } = task;
  const wasRead = event.on === "history" || event.on === "update";
  const ids = ledger.ids === "used" ? phase.sent.ownIds : [];
  const id = ids.find((each) => !phase.lookedUp.includes(each));
  if (!wasRead || id === undefined) return { ledger, task, command: { do: "read", again: true } };
  const lookedUp = [...phase.lookedUp, id];
  return { ledger, task: { ...task, phase: { ...phase, lookedUp } }, command: { do: "readUpdate", id } };
}

/** The next step of a task that searches for its own post. */
export function stepOfSearch(before: Ledger, given: Task<SearchForPost>, event: Event): Step {
  const [ledger, task] = withRead(before, given, event);
  const { sent, problem, readProblem } = task.phase;
  const { update, count } = findSent(ledger, task.resource, sent);
  if (update)
    return done(ledger, withSeveral(task, count, update.id), update, { past: sent.past }, sent.nonce);
  if (event.on !== "timeUp") return lookAgain(ledger, task, event);
  // Of an incident that is gone, no later run can settle it.
  const codes = readProblem?.incidentMissing ? [] : [codeOfPost(sent)];
  return failed(ledger, task, { why: "lost", problem, sent, readProblem, codes }, sent);
}

function withSeveral<Of extends Phase>(task: Task<Of>, count: number, id: string): Task<Of> {
  return count < 2 ? task : withNotice(task, { tell: "several", count, id });
}

// Settles what an earlier run sent, before its resource publishes anything else.

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
