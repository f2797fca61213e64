/** Decides about a post: what must hold before it, and what its response means. */
import { type StatusPageIncidentUpdate } from "../api";
import { notBefore } from "../api/timestamps";
import {
  contentKey,
  entryKey,
  type Identity,
  isSameDeclaration,
  matches,
  oldestFirst,
  ownId,
} from "./content";
import { done, failed } from "./finish";
import {
  canonical,
  declaresPast,
  fullFrom,
  type Ledger,
  otherOwner,
  ownersBut,
  type Resource,
  type Snapshot,
  withUpdate,
} from "./ledger";
import {
  type Event,
  pastWith,
  type Refusal,
  type SentPost,
  type Step,
  type Task,
  type Witness,
  withNotice,
} from "./task";

/** Everything that must hold before a post. @param known How many identical updates are known to exist. */
export function beforePost(ledger: Ledger, task: Task, witness: Witness, known: number): Step {
  const { declared, resource } = task;
  const noted = witness.sent.filter((post) => isUnseen(ledger, task, post));
  const { count, doubts } = doubtsOf(declared, noted, known);
  const refusal =
    unsettledTwin(ledger, task) ||
    (count < declared.occurrence - 1 &&
      isCountKnown(ledger, task) &&
      ({ why: "occurrence", count } as const)) ||
    undecidedChange(ledger, resource) ||
    orderRefusal(ledger, task);
  if (refusal) return failed(ledger, task, refusal);
  const [unread] = noted.filter(({ id }) => id !== undefined && !task.asked.includes(id));
  if (unread?.id !== undefined) return ask(ledger, task, unread.id);
  const live = noted.filter((post) => post.mayAppearUntil > witness.now);
  if (live.length > 0) return waitFor(ledger, task, live, witness.now);
  const [doubt, ...others] = doubts;
  if (doubt) {
    // What a response proved, or left open, doesn't expire with the time for which one waits: the user may consent.
    const { id, at } = doubt;
    const isLater = isLaterEntry(declared, doubt);
    const nonces = doubts.map(({ nonce }) => nonce);
    return refuseToAsk(ledger, task, { why: "noted", id, at, isLater, others }, nonces);
  }
  const isAsked = isRepeat(ledger, task) && task.consent?.isSame !== true;
  return isAsked ? refuseToAsk(ledger, task, { why: "repeat" }) : post(ledger, task);
}

/**
 * How many identical updates exist, and the posts that a consent has to be about, in the order of the questions. All are
 * asked at once: a consent to one alone would be followed by the next question, and that by the first again.
 */
function doubtsOf(
  declared: Task["declared"],
  noted: readonly SentPost[],
  known: number,
): { readonly count: number; readonly doubts: readonly SentPost[] } {
  const later = noted.filter((post) => isLaterEntry(declared, post));
  const same = noted.filter((post) => !isLaterEntry(declared, post) && isIdentical(declared, post));
  const [shownLate, ...others] = same.filter(({ id }) => id !== undefined);
  const count = known + (shownLate ? 1 + others.length : 0);
  const unknown =
    later.find((post) => post.id !== undefined || post.isReported) ??
    same.find((post) => post.isReported && post.occurrence > count);
  const doubt = shownLate && count >= declared.occurrence ? shownLate : unknown;
  if (!doubt) return { count, doubts: [] };
  const rest = noted.filter((post) => post !== doubt);
  return { count, doubts: [doubt, ...doubtsOf(declared, rest, known).doubts] };
}

/** Whether the state had the declared update: it was edited or deleted by hand, or isn't shown yet. */
function isRepeat({ plans }: Ledger, { resource, declared, unsettled }: Task): boolean {
  const plan = plans.get(resource);
  // With changed fields it was refused before.
  if (plan?.kind === "checked") return true;
  return unsettled?.isRepeat === true && isSameDeclaration(declared, unsettled.declared);
}

/** Whether the history shows all identical updates, or the user or the id speaks for those that it doesn't show. */
function isCountKnown({ view, ids }: Ledger, { consent }: Task): boolean {
  return view.complete || ids === "honoured" || consent?.isSame === true;
}

/** The state of another resource doesn't say whether its identical update is public. */
function unsettledTwin(ledger: Ledger, { declared, resource }: Task): Refusal | undefined {
  for (const [by, plan] of ledger.plans) {
    if (by === resource || plan.kind !== "unsettled" || plan.isConsented || plan.recorded.nothingSent)
      continue;
    const { declared: sent } = plan.recorded;
    if (sent.incidentId === declared.incidentId && matches(declared, sent))
      return { why: "unsettledTwin", by };
  }
  return undefined;
}

function undecidedChange({ plans }: Ledger, resource: Resource): Refusal | undefined {
  const plan = plans.get(resource);
  if (plan?.kind !== "checked" || plan.changed.length === 0) return undefined;
  return { why: "changed", fields: plan.changed };
}

/** No entry of a timeline is published after a later one. */
export function orderRefusal(ledger: Ledger, { declared, resource }: Task): Refusal | undefined {
  const later = new Set(declared.followedBy);
  // Stryker disable next-line ConditionalExpression: nothing would be found
  if (later.size === 0) return undefined;
  const others = ownersBut(ledger, resource);
  const shown = oldestFirst(ledger.view.updates).map(({ id, ...update }) => ({
    id,
    key: contentKey(update),
  }));
  const unseen = others.filter(({ id }) => shown.every((update) => update.id !== id));
  const counted = [...unseen, ...shown].filter(({ key }, index, all) => {
    const occurrence = all.slice(0, index + 1).filter((update) => update.key === key).length;
    return later.has(entryKey(key, occurrence));
  });
  const [found] = [...others.filter((owner) => later.has(entryKey(owner.key, owner.occurrence))), ...counted];
  return found && { why: "later", id: found.id };
}

/** Whether a post of this machine that the history doesn't show decides about this one: an identical one, or a later entry. */
function isUnseen(ledger: Ledger, { declared, consent, resource, lineage }: Task, post: SentPost): boolean {
  const { id, nonce, key } = post;
  if (nonce === consent?.nonce) return false;
  if (consent?.others?.includes(nonce)) return false;
  if (ledger.view.updates.some((update) => update.id === id)) return false;
  if (isLaterEntry(declared, post)) return true;
  if (key !== contentKey(declared)) return false;
  // What it had is counted already.
  const isKnown = pastWith(lineage).some((past) => past.id === id);
  return !isKnown && otherOwner(ledger, resource, id) === undefined;
}

/** Whether the post was one of the declared update, whatever its occurrence. */
export function isIdentical(declared: Identity, post: SentPost): boolean {
  return declaresPast(declared, { ...post, incident: declared.incidentId });
}

function isLaterEntry({ followedBy }: Task["declared"], { key, occurrence }: SentPost): boolean {
  return followedBy?.includes(entryKey(key, occurrence)) === true;
}

export function ask(ledger: Ledger, task: Task, id: string): Step {
  const asked = [...task.asked, id];
  return { ledger, task: { ...task, asked }, command: { do: "readUpdate", id } };
}

function waitFor(ledger: Ledger, task: Task, live: readonly SentPost[], now: number): Step {
  const until = Math.max(...live.map((post) => post.mayAppearUntil));
  const isLater = live.some((post) => isLaterEntry(task.declared, post));
  const told = task.waitsUntil ? task : withNotice(task, { tell: "waits", ms: until - now, isLater });
  return { ledger, task: { ...told, waitsUntil: until }, command: { do: "read", again: true, until } };
}

function post(ledger: Ledger, task: Task): Step {
  const { declared, attempt, consent } = task;
  const own = ownId(declared, attempt);
  const id = ledger.ids === "off" || ledger.ids === "rejected" ? undefined : own;
  const owner = otherOwner(ledger, task.resource, id);
  // Edited since, so that it is not the same any more; the service would reject its id.
  if (owner) {
    const { by, id: its } = owner;
    return failed(ledger, task, { why: "twin", by, id: its, hasOwn: false, differs: "content" });
  }
  if (!ledger.view.complete && !consent?.isSame) {
    const count = ledger.view.updates.length;
    if (ledger.ids !== "honoured") return refuseToAsk(ledger, task, { why: "full", count });
    if (!task.asked.includes(own)) return ask(ledger, task, own);
  }
  const incidentId = consent?.incidentId;
  const told = incidentId === undefined ? task : withNotice(task, { tell: "resent", incidentId });
  const sending = { ...told, post: { id, seen: snapshotOf(ledger, task) } };
  return { ledger, task: sending, command: { do: "post", id } };
}

/** Remembered, so that the user can consent to this declaration. @param about The nonces of the posts that the refusal names. */
function refuseToAsk(
  ledger: Ledger,
  task: Task,
  refusal: Refusal,
  [about, ...alsoAbout]: readonly string[] = [],
): Step {
  const { attempt, declared, lineage, settled } = task;
  const keep = settled ?? {
    kind: "unconfirmed" as const,
    declared,
    seen: snapshotOf(ledger, task),
    nonce: task.nonce,
    nothingSent: true,
    about,
    alsoAbout,
    isRepeat: isRepeat(ledger, task),
    // A consent that was there before the question answers nothing.
    consumed: declared.onUnconfirmed === "resend",
    attempt,
    past: pastWith(lineage),
  };
  return failed(ledger, task, refusal, keep);
}

/** Everything that exists before a post, also when the service shows it late. */
function snapshotOf(ledger: Ledger, { lineage, resource }: Task): Snapshot {
  const { view } = ledger;
  const [newest] = oldestFirst(view.updates).slice(-1);
  const had = pastWith(lineage);
  // What the resource itself keeps is posted again only when the service doesn't show it: the post may lead to it.
  const others = ownersBut(ledger, resource);
  return {
    ids: [...new Set([...view.updates, ...had, ...others].map(({ id }) => id))],
    ...(typeof newest?.created_at === "string" && { newest: newest.created_at }),
  };
}

const clockSkewMs = 60_000;

/**
 * Whether a post that followed the snapshot may have created the update. A new id is sufficient proof, unless the history
 * before the post was truncated. Only in that case the timestamp decides, with a tolerance for the clocks of the service's
 * nodes.
 */
export function isNew(seen: Snapshot, { id, created_at: created }: StatusPageIncidentUpdate): boolean {
  return (
    !seen.ids.includes(id) && (seen.ids.length < fullFrom || notBefore(created, seen.newest, clockSkewMs))
  );
}

type PostEvent = Extract<Event, { on: "posted" | "notApplied" | "unknown" }>;

export function stepOfPost(ledger: Ledger, task: Task, event: PostEvent): Step {
  const { post } = task;
  if (!post) throw new Error("The result of a post that was not sent.");
  switch (event.on) {
    case "posted": {
      const update = canonical(event.update);
      // The incident itself, or an update that was there before: nothing says that there is a new one.
      if (update.id === task.declared.incidentId || !isNew(post.seen, update))
        return searching(ledger, task, { ...post, answered: update.id });
      const learned = post.id === undefined ? ledger.ids : update.id === post.id ? "honoured" : "ignored";
      return done(withUpdate({ ...ledger, ids: learned }, update), task, update, task.nonce);
    }
    case "notApplied":
      return stepOfRejection(ledger, { ...task, post }, event);
    case "unknown": {
      // A service that ignores ids doesn't speak of one.
      const isTaken = event.isTaken && ledger.ids !== "ignored";
      return searching(ledger, task, { ...post, problem: event.text, isTaken });
    }
  }
}

function searching(ledger: Ledger, task: Task, post: Task["post"]): Step {
  return {
    ledger,
    task: { ...task, phase: "search", post, wasRead: false },
    command: { do: "read", again: false },
  };
}

/** A service that doesn't accept ids may accept the update without one. */
function stepOfRejection(
  ledger: Ledger,
  task: Task & Required<Pick<Task, "post">>,
  { text, isInvalid }: Extract<Event, { on: "notApplied" }>,
): Step {
  const { post } = task;
  if (isInvalid) {
    if (ledger.ids === "honoured") return failed(ledger, task, { why: "idRejected", text });
    if (ledger.ids === "unknown") {
      const again = { ...post, id: undefined, isWithoutId: true };
      const command = { do: "post" } as const;
      return { ledger: { ...ledger, ids: "rejected" }, task: { ...task, post: again }, command };
    }
  }
  const after = post.isWithoutId ? { ...ledger, ids: "unknown" as const } : ledger;
  return failed(after, task, { why: "failed", text });
}
