/** Searches the history for a post without a response. */
import { type StatusPageIncidentUpdate } from "../api";
import { oldestFirst } from "./identity";
import { isDeclared } from "./adoption";
import { done, failed } from "./finish";
import {
  differenceOf,
  type Ledger,
  otherOwner,
  type Resource,
  type Sent,
  type Twin,
  withHistory,
  withUpdate,
} from "./ledger";
import { isNew } from "./post";
import { codeOfPost } from "./question";
import {
  type Event,
  type Phase,
  type SearchForPost,
  type Settle,
  type Step,
  type Task,
  withNotice,
} from "./task";

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
export function withRead<Of extends Settle | SearchForPost>(
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
export function lookAgain(ledger: Ledger, task: Task<Settle | SearchForPost>, event: Event): Step {
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

export function withSeveral<Of extends Phase>(task: Task<Of>, count: number, id: string): Task<Of> {
  return count < 2 ? task : withNotice(task, { tell: "several", count, id });
}
