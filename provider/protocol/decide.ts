/** Performs what the guards decide after a read, posts if none does, and decides what the result of the post means. */
import { historyLimit, msOf, notBefore } from "../api";
import { guards, isIdentical, type Situation, situationOf, type Verdict } from "./guards";
import { editing } from "./edit";
import { done, failed, listening, recordOf, remembered, withApplied, withNotice } from "./endings";
import { changedIdentity, contentOf, idOf, keyOf, matches, oldestFirst, type Seen } from "./identity";
import { type Ledger, ownersBut, renumbered, serviceClockMs, withNoted, withUpdate } from "./ledger";
import {
  isUnsure,
  type Lineage,
  madeOf,
  type NotedPost,
  pastWith,
  publicContent,
  type Sent,
  type Snapshot,
  withNotedEdit,
} from "./records";

import { type Circumstances, type Event, type Foreseen, type Step, type Task, type TaskAt } from "./task";

export function decidePhase(lineage: Lineage): TaskAt<"decide">["phase"] {
  return { at: "decide", lineage, lookedUp: [] };
}

export function stepOfDecision(ledger: Ledger, task: TaskAt<"decide">, event: Event): Step {
  const { phase } = task;
  switch (event.on) {
    case "history": {
      const read = withNoted(ledger, event.noted, task.declared.containerId);
      return decide(read, { ...task, phase: { ...phase, lineage: here(read, phase), lookedUp: [] } }, event);
    }
    case "update":
      return decide(ledger, task, event);
    case "readFailed": {
      const { waitsUntil: until = 0 } = phase;
      if (!event.containerMissing && event.now < until)
        return { ledger, task, command: { do: "read", again: true, until } };
      return failed(ledger, task, { why: "failed", text: event.text });
    }
    case "timeUp":
      return failed(ledger, task, { why: "failed", text: event.text ?? "" });
    default:
      throw new Error(`${event.on}, although nothing was posted.`);
  }
}

/** The updates that the resource had, with their ids at this address. */
function here(ledger: Ledger, { lineage }: TaskAt<"decide">["phase"]): Lineage {
  const { past, current, isMoved } = lineage;
  if (!isMoved) return lineage;
  return { past: renumbered(ledger, past), current: current && renumbered(ledger, [current])[0] };
}

function decide(ledger: Ledger, task: TaskAt<"decide">, circumstances: Circumstances): Step {
  const situation = situationOf(ledger, task, circumstances);
  const verdict = verdictOn(situation);
  if (!ledger.hasListened && mayChange(situation, verdict)) return listening(ledger, task);
  return verdict ? performed(situation, verdict) : post(situation);
}

function verdictOn(situation: Situation): Verdict | undefined {
  for (const guard of Object.values(guards)) {
    const verdict = guard(situation);
    if (verdict) return verdict;
  }
  return undefined;
}

/**
 * A program may declare what has an update after what takes it, is refused because of it, or posts the same words under an id that the
 * service has already.
 */
function mayChange({ count }: Situation, verdict: Verdict | undefined): boolean {
  return verdict ? verdict.do === "adopt" || verdict.do === "refuse" : count > 0;
}

function performed(situation: Situation, verdict: Verdict): Step {
  const { ledger, task, now } = situation;
  const { phase } = task;
  switch (verdict.do) {
    case "refuse":
      return failed(ledger, task, verdict.refusal);
    case "adopt":
      return adopted(situation, verdict);
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

function adopted({ ledger, task, now, noted }: Situation, verdict: Extract<Verdict, { do: "adopt" }>): Step {
  const { declared, phase } = task;
  const { update, said = declared } = verdict;
  const isKilled = verdict.said !== undefined;
  const isEdit = declared.onChange === "edit";
  const posted = withNotedEdit(recordOf(phase.lineage, said, update, !isKilled), noted);
  const told = withNotice(task, isKilled ? { tell: "found", id: update.id } : { tell: "adopted", update });
  const isOf = ({ isOwn, id, edits, words }: NotedPost) =>
    isOwn === true && id === undefined && edits === undefined && words === update.words;
  const { nonce } = (isEdit || isKilled ? noted.find(isOf) : undefined) ?? {};
  const known = nonce === undefined ? told : withApplied(told, nonce, posted);
  if (isKilled && !isEdit)
    return failed(ledger, known, { why: "changed", fields: changedIdentity(said, declared) }, posted);
  // An update that is adopted by its id, or for words of a killed run, may say something else.
  return isEdit && (!matches(declared, update) || isUnsure(posted, declared))
    ? editing(ledger, known, posted, { noted, now })
    : done(ledger, known, "adopted", posted);
}

function post(situation: Situation): Step {
  const { ledger, task, now, repeated, denied } = situation;
  const { declared, nonce, isTextSecret, phase } = task;
  const seen = snapshotOf(ledger, task);
  const past = pastWith(phase.lineage);
  const repeats = repeated && (repeated.repeats ?? 0) + 1;
  const id = idOf(declared, Math.max(0, (repeats ?? 0) - 1));
  const sent: Sent = {
    kind: "sent",
    declared,
    seen,
    nonce,
    at: now,
    isTextSecret,
    past,
    ...(repeats !== undefined && { repeats }),
  };
  const sending = { ...task, phase: { at: "post" as const, sent } };
  const earlier = repeated ?? denied.find((each) => isIdentical(declared, each));
  const told = earlier ? withNotice(sending, { tell: "resent", at: earlier.at }) : sending;
  const deniedPosts = [...(phase.denied ? [phase.denied] : []), ...denied];
  return { ledger, task: told, command: { do: "post", id, denied: deniedPosts.map((each) => each.nonce) } };
}

/** Everything that exists before the post, even if the service shows it only later. */
function snapshotOf(ledger: Ledger, { resource, phase: { lineage } }: TaskAt<"decide">): Snapshot {
  const { updates } = ledger.view;
  // Leaves out the resource's own update: it is posted again only if the service doesn't show it, and a search may then lead to it.
  const existing = [...updates, ...pastWith(lineage), ...ownersBut(ledger, resource)];
  const newest = oldestFirst(updates).at(-1)?.created_at ?? undefined;
  return { ids: [...new Set(existing.map(({ id }) => id))], newest };
}

export function stepOfPost(ledger: Ledger, task: TaskAt<"post">, event: Event): Step {
  const { sent } = task.phase;
  switch (event.on) {
    case "posted": {
      const { update } = event;
      // The incident itself, or an update that existed before, doesn't prove that there is a new one.
      if (update.id === task.declared.containerId || !isNew(sent.seen, update))
        return searching(ledger, task, { ...sent, answered: update.id });
      // Whatever the service made of the text and the date.
      const posted = madeOf(recordOf({ past: sent.past }, task.declared, update), update);
      return done(withUpdate(ledger, update), task, "posted", posted, sent.nonce);
    }
    case "notApplied":
      return failed(ledger, task, { why: "failed", text: event.text });
    case "unknown":
      return searching(ledger, task, { ...sent, at: event.at ?? sent.at }, event.text);
    default:
      throw new Error(`A post led to ${event.on}.`);
  }
}

/** For the rest of a preview, the resource has an update with an id that no service gives, the newest one. */
export function foreseePost(before: Ledger, task: TaskAt<"post">): { ledger: Ledger; foreseen: Foreseen } {
  const { declared, phase, remarks } = task;
  const { past, seen, at } = phase.sent;
  const created_at = new Date(Math.max((msOf(seen.newest) ?? 0) + 1_001, at)).toISOString();
  const update = { id: keyOf(declared), ...contentOf(declared), created_at };
  const recorded = recordOf({ past }, declared, update);
  const foreseen: Foreseen = { kind: "posted", replaced: replacedBy(before, task), remarks };
  return { ledger: remembered(withUpdate(before, update), task, recorded), foreseen };
}

/** The public update that the declaration replaces: the resource's, or one that an earlier run sent and this one found. */
function replacedBy({ plans }: Ledger, { resource, recorded, declared }: Task) {
  const plan = plans.get(resource);
  const posted =
    recorded?.kind === "posted" ? recorded : plan?.kind === "replaces" ? plan.recorded : undefined;
  const content = posted && publicContent(posted);
  if (!content) return undefined;
  const changes = changedIdentity(posted.declared, declared);
  return { ...content, isRedated: changes.join() === "publicIncidentUpdateDate" };
}

/**
 * Whether a post that followed the snapshot may have created the update. A new id proves it, unless the history before the post may have
 * been cut. Only then the timestamp decides, with a tolerance for the clocks of the service's nodes.
 */
export function isNew(seen: Snapshot, { id, created_at: created }: Seen): boolean {
  return (
    !seen.ids.includes(id) &&
    (seen.ids.length < historyLimit || notBefore(created, seen.newest, serviceClockMs))
  );
}

function searching(ledger: Ledger, task: Task, sent: Sent, problem?: string): Step {
  const phase = { at: "search", sent, problem, lookedUp: [], noted: [] } as const;
  return { ledger, task: { ...task, phase }, command: { do: "read", again: false } };
}
