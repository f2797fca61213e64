/** Searches the history for a post without a response. */
import { type StatusPageIncidentUpdate } from "../api";
import { isDeclared } from "./choose";
import { type Identity, matches, oldestFirst, ownIds } from "./content";
import { done, failed } from "./finish";
import {
  differenceOf,
  type Ledger,
  type Posted,
  type Resource,
  type Twin,
  type Unconfirmed,
  withHistory,
  withOwner,
  withUpdate,
} from "./ledger";
import { ask, isNew } from "./post";
import {
  type Event,
  pastWith,
  type ReadProblem,
  type SearchMiss,
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
export function findLost(
  ledger: Ledger,
  resource: Resource,
  { declared, seen, attempt = 0, past }: Unconfirmed,
): Found {
  const standing = oldestFirst(ledger.view.updates).filter((update) =>
    // Stryker disable next-line ArrayDeclaration: no update has such an id
    isDeclared(ledger, { declared, attempt, ours: [] }, update),
  );
  const candidates = standing.filter((update) => isNew(seen, update));
  const ownerOf = (id: string) => {
    const owner = ledger.owners.get(id);
    return owner?.by === resource ? undefined : owner;
  };
  const free = candidates.filter(({ id }) => !ownerOf(id));
  const [update] = free;
  if (update) return { update, count: free.length };
  // The post was applied, and another resource took its update for an older one, which is left.
  const left = standing.find(({ id }) => !ownerOf(id) && !past.some((each) => each.id === id));
  if (left && candidates.length > 0) return { update: left, count: 1 };
  // Stryker disable next-line ArrayDeclaration: each of them has an owner, or it were free
  const owners = candidates.flatMap(({ id }) => ownerOf(id) ?? []);
  const held = owners.find((owner) => !owner.refreshed && owner.occurrence === declared.occurrence);
  const heldBy = held && { by: held.by, id: held.id, differs: differenceOf(declared, held) };
  return { count: 0, heldBy };
}

/** What the search says when it found nothing. @param now What the program declares: of several, that is the lookalike. */
export function missOf(
  { view, owners, ids }: Ledger,
  readProblem: ReadProblem | undefined,
  { declared, seen }: Unconfirmed,
  now: Identity = declared,
): SearchMiss {
  // A service that honours ids would show the update under its id.
  if (readProblem || ids === "honoured") return { readProblem };
  const lookalikes = view.updates.filter(
    (update) =>
      !seen.ids.includes(update.id) &&
      !owners.has(update.id) &&
      update.status === declared.status &&
      !matches(declared, update),
  );
  return { lookalike: lookalikes.find((update) => matches(now, update)) ?? lookalikes[0] };
}

/** Adds what was read to the ledger; a task whose read failed only remembers why. */
export function withRead(ledger: Ledger, task: Task, event: Event): [Ledger, Task] {
  switch (event.on) {
    case "history":
      return [
        withHistory(ledger, event.shown),
        // Stryker disable next-line ArrayDeclaration: no update has such an id
        { ...task, asked: [], wasRead: true, readProblem: undefined },
      ];
    case "update":
      return [event.update ? withUpdate(ledger, event.update) : ledger, task];
    case "readFailed": {
      const { incidentMissing, text } = event;
      const isBetter = !task.wasRead && (incidentMissing || !task.readProblem?.incidentMissing);
      return [ledger, isBetter ? { ...task, readProblem: { incidentMissing, text } } : task];
    }
    default:
      return [ledger, task];
  }
}

/** Looks again: by the ids of our own where the history doesn't show them, then in the history. */
export function lookAgain(ledger: Ledger, task: Task, event: Event, lost: Unconfirmed): Step {
  const wasRead = event.on === "history" || event.on === "update";
  const id = wasRead && idsOf(ledger, lost).find((each) => !task.asked.includes(each));
  return id ? ask(ledger, task, id) : { ledger, task, command: { do: "read", again: true } };
}

/** The next step of a task that searches for its own post. */
export function stepOfSearch(before: Ledger, given: Task, event: Event): Step {
  const [ledger, task] = withRead(before, given, event);
  const { declared, attempt, resource, post, nonce } = task;
  if (!post) throw new Error("A search without a post.");
  const { problem, answered } = post;
  const lost: Unconfirmed = {
    kind: "unconfirmed",
    declared,
    seen: post.seen,
    nonce,
    answered,
    attempt,
    consumed: declared.onUnconfirmed === "resend",
    past: pastWith(task.lineage),
  };
  const { update, count, heldBy } = findLost(ledger, resource, lost);
  if (update) return done(ledger, withSeveral(task, count, update.id), update, nonce);
  if (heldBy && post.isTaken) return failed(ledger, task, { why: "twin", ...heldBy, hasOwn: false });
  if (event.on !== "timeUp") return lookAgain(ledger, task, event, lost);
  const refusal = { why: "lost", problem, miss: missOf(ledger, task.readProblem, lost), answered } as const;
  const next = post.isTaken || task.consent?.isSame ? attempt + 1 : attempt;
  return failed(ledger, task, refusal, { ...lost, attempt: next });
}

export function withSeveral(task: Task, count: number, id: string): Task {
  return count < 2 ? task : withNotice(task, { tell: "several", count, id });
}

/** The ids under which the update may have been sent. */
function idsOf({ ids }: Ledger, { declared, attempt = 0 }: Unconfirmed): string[] {
  if (ids !== "unknown" && ids !== "honoured") return [];
  return ownIds(declared, attempt + 1);
}

/** What a refresh finds of an unconfirmed update, without a search: its update, or what stands there instead. */
export function recheck(
  ledger: Ledger,
  reader: Resource,
  unsettled: Unconfirmed,
): { ledger: Ledger; found?: Posted; miss: SearchMiss } {
  const { declared, past } = unsettled;
  const { update } = findLost(ledger, reader, unsettled);
  if (!update) return { ledger, miss: missOf(ledger, undefined, unsettled) };
  const found: Posted = { kind: "posted", id: update.id, declared, published: update, missing: false, past };
  return { ledger: withOwner(ledger, reader, found, true), found, miss: {} };
}
