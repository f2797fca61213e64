/** What a read of the incident says about a declaration. Each fact is computed once; `guards.ts` decides by them. */
import { type StatusPageIncidentUpdate } from "../api";
import { type ChangedBack, identicalUpdates, isIdentical, sentBefore } from "./adoption";
import { contentKey, type Identity, matches, oldestFirst, ownId } from "./identity";
import {
  differenceOf,
  type Ledger,
  otherOwner,
  ownersBut,
  type Resource,
  type Sent,
  type Twin,
} from "./ledger";
import { codeOf, codeOfPost, daysOfAnswers } from "./question";
import { type Decide, type Noted, type NotedPost, pastWith, type Task } from "./task";
import { isEarlierMissing, isLaterEntry, isShownLater, laterEntry } from "./timeline";

export interface Facts {
  readonly occurrence: number;
  /** The other resource that has the declared update. */
  readonly twin?: Twin | undefined;
  /** The identical update that the resource had before its current one, when that is the one that is declared again. */
  readonly changedBack?: ChangedBack | undefined;
  /** The public update that is the declared one, and that no other resource has. */
  readonly adoptable?: StatusPageIncidentUpdate | undefined;
  /** Another resource that sent an identical update, whose result is unknown. */
  readonly unsettledTwin?: Resource | undefined;
  /** How many identical updates exist, shown or not. */
  readonly count: number;
  /** Whether the run has seen every update of the incident. */
  readonly isComplete: boolean;
  /** A later entry of the timeline that is public. */
  readonly laterEntry?: string | undefined;
  /** Whether the entry before it is neither public nor posted in this run. */
  readonly isEarlierMissing: boolean;
  /** The id in a note that wasn't looked up since the last read of the history. */
  readonly unreadId?: string | undefined;
  /** Posts that count for this one, and that the service may still show late. */
  readonly live: readonly NotedPost[];
  /** Posts that count for this one, and that only the user knows about. */
  readonly doubts: readonly NotedPost[];
  /** Whether the first of them is a later entry of the timeline. */
  readonly isLater: boolean;
  /** Of a resource of the stack that the engine replaces without asking `diff`: the changed fields that may not change, or none. */
  readonly undecided?: readonly string[] | undefined;
  /** The id of our own under which it is posted; undefined where ids are turned off. */
  readonly idToSend: string | undefined;
  /** The ids under which it was sent, once it is, and last the one under which it is sent again. */
  readonly ownIds: readonly string[];
  /** The other resource that has the update with this id, which was edited since. */
  readonly twinById?: Twin | undefined;
  /** That id, if it wasn't looked up since the last read of the history, and the service may use it. */
  readonly unreadOwnId?: string | undefined;
  /** How many updates the history shows, where the update may exist beyond them, and the code of that question. */
  readonly cut?: { readonly shown: number; readonly code: string } | undefined;
  /** The codes of the user that count for this declaration. */
  readonly codes: readonly string[];
  /** The posts that the user says aren't public. */
  readonly denied: readonly string[];
  /** When the declared update was sent before, in milliseconds since 1970, where the user says that it isn't public. */
  readonly sentAt?: number | undefined;
}

export function factsOf(ledger: Ledger, task: Task<Decide>, { noted, now }: Noted): Facts {
  const { declared, resource, phase } = task;
  const { view } = ledger;
  const unseen = noted.filter((post) => isUnseen(ledger, task, post));
  const open = unseen.filter((post) => !isDenied(task, post));
  const { known, ...history } = identicalUpdates(ledger, task, noted);
  const { count, doubts } = doubtsOf(declared, open, known);
  const idToSend = idOf(ledger, task);
  const owner = otherOwner(ledger, resource, idToSend);
  const plan = ledger.plans.get(resource);
  const again = sentBefore(task);
  const usedId = ledger.ids === "used" ? idToSend : undefined;
  // An answer about the same declaration is one about the update.
  const forms = view.complete || again ? [] : codesOfUpdate(ledger, declared, now);
  const answer = forms.filter((code) => task.codes.includes(code));
  const [code] = answer.length > 0 ? [] : forms;
  const denied = [...(phase.denied ? [phase.denied] : []), ...unseen.filter((post) => isDenied(task, post))];
  return {
    occurrence: declared.occurrence,
    twin: twinOf(ledger, task),
    ...history,
    unsettledTwin: unsettledTwin(ledger, task),
    count,
    doubts,
    isLater: doubts.findIndex((post) => isLaterEntry(declared, post)) === 0,
    isComplete: view.complete,
    laterEntry: laterEntry(ledger, task) ?? noted.find((post) => isShownLater(ledger, declared, post))?.id,
    isEarlierMissing: isEarlierMissing(ledger, task),
    unreadId: open.find(({ id }) => id !== undefined && !phase.lookedUp.includes(id))?.id,
    live: open.filter((post) => post.mayAppearUntil > now),
    undecided: plan?.kind === "mayBeReplaced" ? plan.changed : undefined,
    idToSend,
    ownIds: idToSend === undefined ? (again?.ownIds ?? []) : idsOf(declared, idToSend, again),
    twinById: owner && { by: owner.by, id: owner.id, isPosted: false, differs: "content" },
    unreadOwnId: phase.lookedUp.some((id) => id === usedId) ? undefined : usedId,
    cut: code === undefined ? undefined : { shown: view.updates.length, code },
    codes: [...denied.map(codeOfPost), ...answer],
    denied: denied.map(({ nonce }) => nonce),
    sentAt: (again ?? unseen.find((post) => isDenied(task, post) && isIdentical(declared, post)))?.at,
  };
}

/** Whether the user says that the post isn't public. */
function isDenied({ codes }: Task, post: { readonly nonce: string }): boolean {
  // Stryker disable next-line ConditionalExpression,EqualityOperator: without codes, a digest only costs time
  return codes.length > 0 && codes.includes(codeOfPost(post));
}

function idsOf(declared: Identity, idToSend: string, again: Sent | undefined): string[] {
  return again ? [...again.ownIds, ownId(declared, again.ownIds.length)] : [idToSend];
}

/**
 * The codes that answer the question whether the update exists beyond what the history shows; the first is that of now. An
 * answer counts on the next day, too, and for as long as the service shows what was the newest update then. A question doesn't
 * name an update of the program: its own posts would change the question. Which those are, the run may learn only later.
 */
function codesOfUpdate({ view, owners }: Ledger, declared: Identity, now: number): string[] {
  const own = ownId(declared, 0);
  const shown = oldestFirst(view.updates).map(({ id }) => id);
  const newestOther = shown.filter((id) => !owners.has(id)).at(-1);
  const newest = [...new Set([newestOther, ...shown])];
  return daysOfAnswers(now).flatMap((day) =>
    newest.map((id) => codeOf({ about: "update", ownId: own, newestOther: id, day })),
  );
}

function twinOf(ledger: Ledger, { declared, resource, kept }: Task): Twin | undefined {
  const owner = ownersBut(ledger, resource).find((each) => differenceOf(declared, each) === undefined);
  return owner && { by: owner.by, id: owner.id, isPosted: kept?.kind === "posted" };
}

/** The first repetition of a post has the id that was sent, so that one which is killed can't double it either. */
function idOf(ledger: Ledger, task: Task<Decide>): string | undefined {
  if (ledger.ids === "off") return undefined;
  return sentBefore(task)?.ownIds.at(-1) ?? ownId(task.declared, 0);
}

/** The state of another resource doesn't say whether its identical update is public. */
function unsettledTwin({ plans, settled }: Ledger, { declared, resource }: Task): Resource | undefined {
  for (const [by, plan] of plans) {
    if (by === resource || plan.kind !== "unsettled" || settled.includes(plan.recorded.nonce)) continue;
    const { declared: sent } = plan.recorded;
    if (sent.incidentId === declared.incidentId && matches(declared, sent)) return by;
  }
  return undefined;
}

/** Whether a noted post that the history doesn't show decides about this one: an identical one, or a later entry. */
function isUnseen(ledger: Ledger, { declared, resource, phase }: Task<Decide>, post: NotedPost): boolean {
  const { id, nonce, key } = post;
  if (ledger.settled.includes(nonce)) return false;
  if (ledger.view.updates.some((update) => update.id === id)) return false;
  if (isLaterEntry(declared, post)) return true;
  if (key !== contentKey(declared)) return false;
  // What it had is counted already.
  const isKnown = pastWith(phase.lineage).some((past) => past.id === id);
  return !isKnown && otherOwner(ledger, resource, id) === undefined;
}

/**
 * How many identical updates exist, and the posts that the user is asked about, in the order of the questions. All are asked
 * at once: an answer about one alone would be followed by the next question, and that by the first again.
 */
function doubtsOf(
  declared: Task["declared"],
  unseen: readonly NotedPost[],
  known: number,
): Pick<Facts, "count" | "doubts"> {
  const later = unseen.filter((post) => isLaterEntry(declared, post));
  const same = unseen.filter((post) => !isLaterEntry(declared, post) && isIdentical(declared, post));
  const [shownLate, ...others] = same.filter(({ id }) => id !== undefined);
  const count = known + (shownLate ? 1 + others.length : 0);
  const unknown =
    later.find((post) => post.id !== undefined || post.isReported) ??
    same.find((post) => post.isReported && post.occurrence > count);
  const doubt = shownLate && count >= declared.occurrence ? shownLate : unknown;
  if (!doubt) return { count, doubts: [] };
  const rest = unseen.filter((post) => post !== doubt);
  return { count, doubts: [doubt, ...doubtsOf(declared, rest, known).doubts] };
}
