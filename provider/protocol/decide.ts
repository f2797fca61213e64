/**
 * Decides what a declaration needs after a read, and what the result of its post means. The guards are the policy: the first
 * one that speaks decides, and when none does, the update is posted.
 */
import { historyLimit, notBefore, type StatusPageIncidentUpdate } from "../api";
import { type Facts, factsOf } from "./facts";
import { type Identity, isSameDeclaration, oldestFirst } from "./identity";
import {
  canonical,
  type Ledger,
  ownersBut,
  type PastUpdate,
  type Posted,
  type Recorded,
  type Sent,
  type Snapshot,
  withHistory,
  withOwner,
  withPlan,
  withUpdate,
} from "./ledger";
import { codeOfPost, maxCodes } from "./question";
import {
  type Answer,
  type Event,
  type Lineage,
  type Noted,
  type NotedPost,
  pastWith,
  type Refusal,
  type Result,
  type Step,
  type Task,
  type TaskAt,
  withNotice,
} from "./task";

/** The next step of a task that decides what its declaration needs. */
export function stepOfDecision(ledger: Ledger, task: TaskAt<"decide">, event: Event): Step {
  const { phase } = task;
  switch (event.on) {
    case "history":
      return decide(withHistory(ledger, event.shown), { ...task, phase: { ...phase, lookedUp: [] } }, event);
    case "update": {
      const { update } = event;
      return decide(update ? withUpdate(ledger, update) : ledger, task, event);
    }
    case "readFailed": {
      const { waitsUntil = 0 } = phase;
      const waits = !event.incidentMissing && event.now < waitsUntil;
      if (waits) return { ledger, task, command: { do: "read", again: true, until: waitsUntil } };
      return failed(ledger, task, { why: "failed", text: event.text, isMissing: event.incidentMissing });
    }
    case "timeUp":
      return failed(ledger, task, { why: "failed", text: event.text ?? "" });
    default:
      throw new Error(`${event.on}, although nothing was posted.`);
  }
}

function decide(ledger: Ledger, task: TaskAt<"decide">, noted: Noted): Step {
  const facts = factsOf(ledger, task, noted);
  for (const guard of Object.values(guards)) {
    const verdict = guard(facts);
    if (verdict) return performed(ledger, task, noted.now, verdict);
  }
  return post(ledger, task, facts, noted.now);
}

type Verdict =
  | { readonly do: "refuse"; readonly refusal: Refusal }
  | { readonly do: "adopt"; readonly update: StatusPageIncidentUpdate }
  /** Read one update by its id, then decide again. */
  | { readonly do: "lookUp"; readonly id: string }
  /** Wait for these posts to appear, then decide again. */
  | { readonly do: "wait"; readonly posts: readonly NotedPost[]; readonly isLater: boolean };

type Guard = (facts: Facts) => Verdict | undefined;

/** The policy, in order. @public The explorer leaves one out at a time. */
export const guards = {
  twin: ({ twin }) => twin && refuse({ why: "twin", ...twin }),

  changedBack: ({ changedBack }) => changedBack && refuse({ why: "changedBack", ...changedBack }),

  adopt: ({ adoptable: update }) => update && { do: "adopt", update },

  unsettledTwin: ({ unsettledTwin: by }) =>
    by === undefined ? undefined : refuse({ why: "unsettledTwin", by }),

  occurrence: ({ isComplete, count, occurrence }) =>
    isComplete && count < occurrence - 1 ? refuse({ why: "occurrence", count }) : undefined,

  laterEntry: ({ laterEntry: id, otherDate }) =>
    id === undefined ? undefined : refuse({ why: "later", id, otherDate }),

  earlierEntry: ({ isEarlierMissing }) => (isEarlierMissing ? refuse({ why: "earlier" }) : undefined),

  unreadId: ({ unreadId: id }) => (id === undefined ? undefined : { do: "lookUp", id }),

  otherDate: ({ otherDate }) => otherDate && refuse({ why: "otherDate", ...otherDate }),

  liveNote: ({ live: posts, isLiveLater: isLater }) =>
    posts.length > 0 ? { do: "wait", posts, isLater } : undefined,

  noted: ({ doubts: posts, isLater }) =>
    posts.length > 0 ? refuse({ why: "noted", posts, isLater, codes: posts.map(codeOfPost) }) : undefined,

  idOfAnother: ({ twinById }) => twinById && refuse({ why: "twin", ...twinById }),

  unreadOwnId: ({ cut, unreadOwnId: id }) => (cut && id !== undefined ? { do: "lookUp", id } : undefined),

  undecided: ({ undecided: fields }) =>
    fields && refuse(fields.length > 0 ? { why: "changed", fields } : { why: "repeat" }),

  full: ({ cut }) => cut && refuse({ why: "full", count: cut.shown, codes: [cut.code] }),
} satisfies Record<string, Guard>;

function refuse(refusal: Refusal): Verdict {
  return { do: "refuse", refusal };
}

function performed(ledger: Ledger, task: TaskAt<"decide">, now: number, verdict: Verdict): Step {
  const { phase } = task;
  switch (verdict.do) {
    case "refuse":
      return failed(ledger, task, verdict.refusal);
    case "adopt": {
      const { update } = verdict;
      const posted = recordOf(phase.lineage, task.declared, update);
      return done(ledger, withNotice(task, { tell: "adopted", update }), posted);
    }
    case "lookUp": {
      const lookedUp = [...phase.lookedUp, verdict.id];
      const command = { do: "readUpdate", id: verdict.id } as const;
      return { ledger, task: { ...task, phase: { ...phase, lookedUp } }, command };
    }
    case "wait": {
      const { posts, isLater } = verdict;
      const until = Math.max(...posts.map((each) => each.mayAppearUntil));
      const waiting = { ...task, phase: { ...phase, waitsUntil: until } };
      const notice = { tell: "waits", ms: until - now, isLater } as const;
      const command = { do: "read", again: true, until } as const;
      return { ledger, task: phase.waitsUntil ? waiting : withNotice(waiting, notice), command };
    }
  }
}

/** Sends the declared update. @param now In milliseconds since 1970. */
function post(ledger: Ledger, task: TaskAt<"decide">, facts: Facts, now: number): Step {
  const { declared, nonce, isTextSecret, phase } = task;
  const { idToSend: id, ownIds, sentAt, denied } = facts;
  const seen = snapshotOf(ledger, task);
  const sent: Sent = {
    kind: "sent",
    declared,
    seen,
    nonce,
    at: now,
    ownIds,
    isTextSecret,
    past: pastWith(phase.lineage),
  };
  const used = [...new Set([...task.used, ...facts.codes])];
  const sending = { ...task, used, phase: { at: "post" as const, id, sent } };
  const told = sentAt === undefined ? sending : withNotice(sending, { tell: "resent", at: sentAt });
  return { ledger, task: told, command: { do: "post", id, denied } };
}

/** Everything that exists before a post, also when the service shows it late. */
function snapshotOf(ledger: Ledger, { resource, phase: { lineage } }: TaskAt<"decide">): Snapshot {
  const { view } = ledger;
  const [newest] = oldestFirst(view.updates).slice(-1);
  const past = pastWith(lineage);
  // What the resource itself keeps is posted again only when the service doesn't show it: the post may lead to it.
  const others = ownersBut(ledger, resource);
  return {
    ids: [...new Set([...view.updates, ...past, ...others].map(({ id }) => id))],
    ...(typeof newest?.created_at === "string" && { newest: newest.created_at }),
  };
}

/** The next step of a task that waits for the result of its post. */
export function stepOfPost(ledger: Ledger, task: TaskAt<"post">, event: Event): Step {
  const { id, sent } = task.phase;
  switch (event.on) {
    case "posted": {
      const update = canonical(event.update);
      // The incident itself, or an update that was there before: nothing says that there is a new one.
      if (update.id === task.declared.incidentId || !isNew(sent.seen, update))
        return searching(ledger, task, { ...sent, answered: update.id });
      const isIgnored = id !== undefined && update.id !== id;
      const learned = isIgnored ? { ...ledger, ids: "ignored" as const } : ledger;
      const posted = recordOf({ past: sent.past }, task.declared, update);
      return done(withUpdate(learned, update), task, posted, sent.nonce);
    }
    case "notApplied": {
      const { text, isInvalid } = event;
      const why = isInvalid && id !== undefined ? "idRejected" : "failed";
      return failed(ledger, task, { why, text });
    }
    case "unknown":
      return searching(ledger, task, sent, event.text);
    default:
      throw new Error(`A post led to ${event.on}.`);
  }
}

const serviceClockMs = 60_000;

/**
 * Whether a post that followed the snapshot may have created the update. A new id is sufficient proof, unless the history
 * before the post was truncated. Only in that case the timestamp decides, with a tolerance for the clocks of the service's
 * nodes.
 */
export function isNew(seen: Snapshot, { id, created_at: created }: StatusPageIncidentUpdate): boolean {
  return (
    !seen.ids.includes(id) &&
    (seen.ids.length < historyLimit || notBefore(created, seen.newest, serviceClockMs))
  );
}

function searching(ledger: Ledger, task: Task, sent: Sent, problem?: string): Step {
  const phase = { at: "search", sent, problem, lookedUp: [], wasRead: false } as const;
  return { ledger, task: { ...task, phase }, command: { do: "read", again: false } };
}

/** Finishes: the resource has this update. @param nonce The post that it is known to be of. */
export function done(ledger: Ledger, task: Task, posted: Posted, nonce?: string): Step {
  const applied = nonce === undefined ? task.applied : [...task.applied, { nonce, id: posted.id }];
  return finish(remembered(ledger, task, posted), { ...task, applied }, { kind: "done", posted });
}

/** Finishes with a refusal. @param keep What the state has to record all the same. */
export function failed(
  ledger: Ledger,
  task: Task,
  refusal: Refusal,
  keep: Recorded | undefined = task.kept,
): Step {
  const after = keep === undefined ? ledger : remembered(ledger, task, keep);
  const answer = "codes" in refusal ? answerOf(task.codes, refusal.codes) : {};
  return finish(after, task, { kind: "failed", refusal: { ...refusal, ...answer }, keep });
}

/**
 * All codes that are asked for, or none, with those that are set: `pulumi config set` replaces them, and they may answer other
 * questions of the run.
 */
function answerOf(set: readonly string[], asked: readonly string[]): Answer {
  if (asked.length === 0 || asked.length > maxCodes) return { codes: [] };
  const room = maxCodes - asked.length;
  const kept = room > 0 ? set.slice(-room) : [];
  return { codes: [...kept, ...asked], ...(kept.length > 0 && { kept }) };
}

/** What the state records for a public update. */
export function recordOf(lineage: Lineage, declared: Identity, update: StatusPageIncidentUpdate): Posted {
  return {
    kind: "posted",
    id: update.id,
    declared,
    published: update,
    createdAt: update.created_at,
    missing: false,
    past: pastWith(lineage)
      .filter(({ id }) => id !== update.id)
      .filter(isFirst),
  };
}

function isFirst({ id }: PastUpdate, index: number, all: readonly PastUpdate[]): boolean {
  return all.findIndex((other) => other.id === id) === index;
}

function remembered(ledger: Ledger, task: Task, recorded: Recorded): Ledger {
  const { resource, declared } = task;
  if (recorded.kind === "sent") return withPlan(ledger, resource, { kind: "unsettled", recorded });
  const isGivenUp = declared.onChange === "post" && !isSameDeclaration(declared, recorded.declared);
  if (isGivenUp) return withPlan(ledger, resource, { kind: "replaces", recorded });
  return withPlan(withOwner(ledger, task, recorded), resource, { kind: "keeps", recorded });
}

function finish(ledger: Ledger, task: Task, result: Result): Step {
  return { ledger, task, command: { do: "finish", result } };
}
