/**
 * Decides what a declaration needs after a read, and what the result of its post means. The guards are the policy, in
 * order, and each asks the facts that it names: the first one that applies decides. If none does, the update is posted.
 */
import { historyLimit, notBefore, type StatusPageIncidentUpdate } from "../api";
import { codeOfPost, type Facts, factsOf, maxCodes } from "./facts";
import {
  changedIdentity,
  type Declaration,
  type Identity,
  isSameDeclaration,
  matches,
  oldestFirst,
} from "./identity";
import { canonical, type Ledger, ownersBut, withHistory, withOwner, withPlan, withUpdate } from "./ledger";
import {
  type Lineage,
  pastWith,
  type Posted,
  publicContent,
  type Recorded,
  type Sent,
  type Snapshot,
} from "./records";
import { sameText } from "../texts";
import {
  type Circumstances,
  type Ending,
  type Event,
  type Notice,
  type Refusal,
  type Step,
  type Task,
  type TaskAt,
  type UnseenPosts,
} from "./task";

export function decidePhase(lineage: Lineage): TaskAt<"decide">["phase"] {
  return { at: "decide", lineage, lookedUp: [] };
}

export function withNotice<Of extends Task>(task: Of, notice: Notice): Of {
  return { ...task, remarks: [...task.remarks, notice] };
}

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

function decide(ledger: Ledger, task: TaskAt<"decide">, circumstances: Circumstances): Step {
  const { now } = circumstances;
  const facts = factsOf(ledger, task, circumstances);
  for (const guard of Object.values(guards)) {
    const verdict = guard(facts);
    if (verdict) return performed(ledger, task, now, verdict);
  }
  return post(ledger, task, facts, now);
}

type Verdict = Readonly<
  | { do: "refuse"; refusal: Refusal }
  | ({ do: "adopt"; update: StatusPageIncidentUpdate } & Pick<Facts, "ownIds">)
  /** Read one update by its id, then decide again. */
  | { do: "lookUp"; id: string }
  /** Read again until these posts appear or can't any more, then decide again. */
  | ({ do: "wait" } & UnseenPosts)
>;

type Guard = (facts: Facts) => Verdict | undefined;

/** The policy, in order. @public The explorer leaves one out at a time. */
export const guards = {
  twin: ({ twin }) => twin && refuse({ why: "twin", ...twin }),

  changedBack: ({ changedBack }) => changedBack && refuse({ why: "changedBack", ...changedBack }),

  adopt: ({ adopt: update, ownIds }) => update && { do: "adopt", update, ownIds },

  unsettledTwin: ({ unsettledTwin: by }) =>
    by === undefined ? undefined : refuse({ why: "unsettledTwin", by }),

  occurrence: ({ isComplete, count, occurrence }) =>
    isComplete && count < occurrence - 1 ? refuse({ why: "occurrence", count }) : undefined,

  laterEntry: ({ laterEntry: id, alike }) =>
    id === undefined ? undefined : refuse({ why: "laterEntry", id, alike }),

  earlierEntry: ({ earlierEntry }) => (earlierEntry ? refuse({ why: "earlierEntry" }) : undefined),

  unreadId: ({ unreadId: id }) => (id === undefined ? undefined : { do: "lookUp", id }),

  alike: ({ alike: updates }) =>
    updates.length === 0
      ? undefined
      : refuse({ why: "alike", updates, codes: updates.map(({ code }) => code) }),

  liveNote: ({ liveNote }) => liveNote && { do: "wait", ...liveNote },

  noted: ({ noted }) => noted && refuse({ why: "noted", ...noted, codes: noted.posts.map(codeOfPost) }),

  idOfAnother: ({ idOfAnother }) => idOfAnother && refuse({ why: "idOfAnother", ...idOfAnother }),

  unreadOwnId: ({ full, unreadOwnId: id }) =>
    full !== undefined && id !== undefined ? { do: "lookUp", id } : undefined,

  undecided: ({ undecided: fields }) =>
    fields && refuse(fields.length > 0 ? { why: "changed", fields } : { why: "undecided" }),

  full: ({ full: code }) => (code === undefined ? undefined : refuse({ why: "full", codes: [code] })),
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
      const { update, ownIds } = verdict;
      const posted = recordOf(phase.lineage, task.declared, update, ownIds);
      return done(ledger, withNotice(task, { tell: "adopted", update }), "adopted", posted);
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

function post(ledger: Ledger, task: TaskAt<"decide">, facts: Facts, now: number): Step {
  const { declared, nonce, isTextSecret, phase } = task;
  const { idToSend: id, ownIds, sentAt, denied } = facts;
  const seen = snapshotOf(ledger, task);
  const past = pastWith(phase.lineage);
  const sent: Sent = { kind: "sent", declared, seen, nonce, at: now, ownIds, isTextSecret, past };
  const used = [...new Set([...task.used, ...facts.codes])];
  const sending = { ...task, used, phase: { at: "post" as const, id, sent } };
  const told = sentAt === undefined ? sending : withNotice(sending, { tell: "resent", at: sentAt });
  return { ledger, task: told, command: { do: "post", id, denied } };
}

/** Everything that exists before a post, also when the service shows it late. */
function snapshotOf(ledger: Ledger, { resource, phase: { lineage } }: TaskAt<"decide">): Snapshot {
  const { updates } = ledger.view;
  // The resource's own update is left out: it is posted again only if the service doesn't show it, and the post may lead to it.
  const existing = [...updates, ...pastWith(lineage), ...ownersBut(ledger, resource)];
  const newest = oldestFirst(updates).at(-1)?.created_at ?? undefined;
  return { ids: [...new Set(existing.map(({ id }) => id))], newest };
}

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
      const posted = recordOf({ past: sent.past }, task.declared, update, [update.id]);
      return done(withUpdate(learned, update), task, "posted", posted, sent.nonce);
    }
    case "foreseen": {
      const { status, description, publicIncidentUpdateDate } = task.declared;
      const id = `preview of ${task.resource}`;
      const update = { id, status, description, publicIncidentUpdateDate, created_at: event.at };
      const posted = recordOf({ past: sent.past }, task.declared, update, [id]);
      return done(withUpdate(ledger, update), task, "posted", posted);
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
  const phase = { at: "search", sent, problem, lookedUp: [], wasRead: false, noted: [] } as const;
  return { ledger, task: { ...task, phase }, command: { do: "read", again: false } };
}

/** Finishes: the resource has this update. @param nonce The post that is known to have created it. */
export function done(
  ledger: Ledger,
  task: Task,
  kind: "posted" | "adopted" | "kept",
  recorded: Posted,
  nonce?: string,
): Step {
  const after = remembered(ledger, task, recorded);
  const known = nonce === undefined ? task : withApplied(task, nonce, recorded);
  if (kind !== "posted") return finish(after, known, { kind, recorded, remarks: task.remarks });
  const { id, published, declared } = recorded;
  const isAltered = published && !sameText(published.description, declared.description);
  const told = isAltered ? withNotice(known, { tell: "altered", id }) : known;
  const { remarks } = told;
  return finish(after, told, { kind, recorded, remarks, replaced: replacedBy(ledger, task) });
}

export function withApplied<Of extends Task>(task: Of, nonce: string, { id, isByWords }: Posted): Of {
  return { ...task, applied: [...task.applied, { nonce, id, isByWords }] };
}

/** The public update of the resource that its declaration replaces, also one that an earlier run sent and this one found. */
function replacedBy({ plans }: Ledger, { resource, recorded, declared }: Task) {
  const plan = plans.get(resource);
  const posted =
    recorded?.kind === "posted" ? recorded : plan?.kind === "replaces" ? plan.recorded : undefined;
  const content = posted && publicContent(posted);
  if (!content) return undefined;
  const changes = changedIdentity(posted.declared, declared);
  return { ...content, isRedated: changes.join() === "publicIncidentUpdateDate" };
}

/** Finishes with a refusal. @param recorded The state has to record this all the same. */
export function failed(
  ledger: Ledger,
  task: Task,
  refusal: Refusal,
  recorded: Recorded | undefined = task.recorded,
): Step {
  const { remarks } = task;
  const after = recorded === undefined ? ledger : remembered(ledger, task, recorded);
  const answered =
    "codes" in refusal
      ? { ...refusal, ...codesToSet(task.codes, refusal.codes), ...othersThan(ledger, task, refusal) }
      : refusal;
  const kind = refusal.why === "lost" || refusal.why === "unconfirmed" ? "unconfirmed" : "refused";
  return finish(after, task, { kind, refusal: answered, recorded, remarks });
}

/**
 * Adds the codes that are set to those that are asked for, because `pulumi config set` replaces them, and they may answer other
 * questions of the run. Too many codes are none.
 */
function codesToSet(before: readonly string[], asked: readonly string[]) {
  if (asked.length === 0 || asked.length > maxCodes) return { codes: [] };
  const room = maxCodes - asked.length;
  const set = room > 0 ? before.slice(-room) : [];
  return { codes: [...set, ...asked], ...(set.length > 0 && { set }) };
}

/** The user who looks for an update on the page has to tell these from it. */
function othersThan({ view }: Ledger, { declared }: Task, refusal: Refusal) {
  const asked = "sent" in refusal ? refusal.sent.declared : declared;
  const others = oldestFirst(view.updates).filter((update) => matches(asked, update));
  if (others.length === 0) return {};
  return { others: others.map(({ id, created_at: since }) => ({ id, since: since ?? undefined })) };
}

/** Makes the record of a public update. @param ids Those that prove that it is the declared one. */
export function recordOf(
  lineage: Lineage,
  declared: Identity,
  update: StatusPageIncidentUpdate,
  ids: readonly string[],
): Posted {
  return {
    kind: "posted",
    id: update.id,
    declared,
    published: update,
    createdAt: update.created_at,
    missing: false,
    past: pastWith(lineage).filter(
      ({ id }, index, all) => id !== update.id && all.findIndex((other) => other.id === id) === index,
    ),
    ...(!ids.includes(update.id) && { isByWords: true }),
  };
}

/** Makes the record of a public update that a program takes over: the history says which of identical ones it is. */
export function imported(
  declared: Declaration,
  update: StatusPageIncidentUpdate,
  history: readonly StatusPageIncidentUpdate[],
): Posted {
  const identical = oldestFirst(history.filter((each) => matches(declared, each)));
  const occurrence = Math.max(1, identical.findIndex(({ id }) => id === update.id) + 1);
  return recordOf({ past: [] }, { ...declared, occurrence }, update, []);
}

function remembered(ledger: Ledger, task: Task, recorded: Recorded): Ledger {
  const { resource, declared } = task;
  if (recorded.kind === "sent") return withPlan(ledger, resource, { kind: "unsettled", recorded });
  const isGivenUp = declared.onChange === "post" && !isSameDeclaration(declared, recorded.declared);
  if (isGivenUp) return withPlan(ledger, resource, { kind: "replaces", recorded });
  return withPlan(withOwner(ledger, task, recorded), resource, { kind: "keeps", recorded });
}

function finish(ledger: Ledger, task: Task, ending: Ending): Step {
  return { ledger, task, command: { do: "finish", ending } };
}
