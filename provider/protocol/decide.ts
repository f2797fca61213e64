/** Runs the guards after each read, carries out the first verdict, posts if no guard objects, and interprets the result of the post. */
import { historyLimit, parseMs, isNotBefore, sortOldestFirst } from "../api";
import { guards, hasCreated, type Situation, buildSituation, type Verdict } from "./guards";
import { needsEdit, startEdit } from "./edit";
import { succeed, fail, listen, createRecord, recordInLedger, withApplied, withNotice } from "./results";
import {
  canEdit,
  isEditable,
  listChangedFields,
  pickContent,
  computeUpdateId,
  computeDeclarationKey,
  matchesRecord,
  type ShownUpdate,
} from "./identity";
import { type Ledger, listOtherOwners, serviceClockMs, withOwnersFromNotes, withUpdate } from "./ledger";
import {
  withDeclaredDate,
  withPublished,
  type UnconfirmedPost,
  type Snapshot,
  withNotedEdit,
} from "./records";
import { type ReadContext, type Event, type Prediction, type Step, type Task, type TaskAt } from "./task";

export function createDecidePhase(): TaskAt<"decide">["phase"] {
  return { kind: "decide", lookedUp: [] };
}

export function stepDecide(ledger: Ledger, task: TaskAt<"decide">, event: Event): Step {
  const { phase } = task;
  switch (event.kind) {
    case "history": {
      const read = withOwnersFromNotes(ledger, event.notes, task.declared.containerId);
      return decide(read, { ...task, phase: { ...phase, lookedUp: [] } }, event);
    }
    case "update":
      return decide(ledger, task, event);
    case "readFailed": {
      const { waitsUntil: until = 0 } = phase;
      if (!event.containerMissing && event.now < until)
        return { ledger, task, command: { kind: "read", again: true, until } };
      return fail(ledger, task, { kind: "failed", text: event.text });
    }
    case "timeUp":
      return fail(ledger, task, { kind: "failed", text: event.text ?? "" });
    default:
      throw new Error(`${event.kind}, although nothing was posted.`);
  }
}

function decide(ledger: Ledger, task: TaskAt<"decide">, circumstances: ReadContext): Step {
  const situation = buildSituation(ledger, task, circumstances);
  const verdict = runGuards(situation);
  if (!ledger.hasListened && needsListening(situation, verdict)) return listen(ledger, task);
  return verdict ? applyVerdict(situation, verdict) : post(situation);
}

function runGuards(situation: Situation): Verdict | undefined {
  for (const guard of Object.values(guards)) {
    const verdict = guard(situation);
    if (verdict) return verdict;
  }
  return undefined;
}

/**
 * Returns true if the run must first wait for other resources of the program. The owner of an update may be registered after a resource
 * that would adopt the update, be rejected because of it, or post content that is already public.
 */
function needsListening({ count }: Situation, verdict: Verdict | undefined): boolean {
  return verdict ? verdict.kind === "adopt" || verdict.kind === "reject" : count > 0;
}

function applyVerdict(situation: Situation, verdict: Verdict): Step {
  const { ledger, task, now } = situation;
  const { phase } = task;
  switch (verdict.kind) {
    case "reject":
      return fail(ledger, task, verdict.rejection);
    case "adopt":
      return adoptUpdate(situation, verdict);
    case "lookUp": {
      const lookedUp = [...phase.lookedUp, verdict.id];
      const command = { kind: "readUpdate", id: verdict.id } as const;
      return { ledger, task: { ...task, phase: { ...phase, lookedUp } }, command };
    }
    case "wait": {
      const { posts, isLater } = verdict;
      const until = Math.max(...posts.map((each) => each.mayAppearUntil));
      const waiting = { ...task, phase: { ...phase, waitsUntil: until } };
      const notice = { kind: "waits", ms: until - now, isLater } as const;
      const command = { kind: "read", again: true, until } as const;
      return { ledger, task: phase.waitsUntil ? waiting : withNotice(waiting, notice), command };
    }
  }
}

function adoptUpdate(
  { ledger, task, now, notes }: Situation,
  verdict: Extract<Verdict, { kind: "adopt" }>,
): Step {
  const { declared } = task;
  const { update, sent: identity = declared } = verdict;
  const isKilled = verdict.sent !== undefined;
  const isChanged = isEditable(declared) || isKilled;
  const found = withNotedEdit(createRecord(identity, update), notes);
  // Until all reads show a killed run's edit, they may return content that isn't known here.
  const edit = notes.find((post) => post.isOwn && post.edits === update.id && post.id !== undefined);
  const late = edit && { version: "", until: edit.mayAppearUntil };
  const posted = late ? { ...found, mayShow: [...(found.mayShow ?? []), late] } : found;
  const notice = isKilled
    ? ({ kind: "found", id: update.id } as const)
    : ({ kind: "adopted", update } as const);
  // An edit changes the text by which this resource's note identifies the update, so the note needs the ID. A note of another resource
  // always needs it, because that resource must not adopt the update.
  const { nonce } = notes.find((post) => hasCreated(post, update) && (isChanged || !post.isOwn)) ?? {};
  const adopting = withApplied(withNotice(task, notice), nonce, update.id);
  const fields = listChangedFields(identity, declared);
  const shown = withDeclaredDate(update, identity);
  if (isKilled && !canEdit(declared, fields))
    return fail(ledger, adopting, { kind: "changed", fields, shown }, posted);
  return needsEdit(declared, update, posted)
    ? startEdit(ledger, adopting, posted, { notes, now })
    : succeed(ledger, adopting, "adopted", posted);
}

function post(situation: Situation): Step {
  const { ledger, task, now, repeated, denied } = situation;
  const { declared, nonce, isTextSecret, phase } = task;
  const seen = takeSnapshot(ledger, task);
  const repeats = repeated && (repeated.repeats ?? 0) + 1;
  const id = computeUpdateId(declared, Math.max(0, (repeats ?? 0) - 1));
  const sent: UnconfirmedPost = {
    kind: "sent",
    declared,
    seen,
    nonce,
    at: now,
    isTextSecret,
    ...(repeats !== undefined && { repeats }),
  };
  const sending = { ...task, phase: { kind: "post" as const, sent } };
  const earlier = repeated ?? denied.find((each) => matchesRecord(declared, each));
  const taskWithNotice = earlier ? withNotice(sending, { kind: "resent", at: earlier.at }) : sending;
  const deniedPosts = [...(phase.denied ? [phase.denied] : []), ...denied];
  return {
    ledger,
    task: taskWithNotice,
    command: { kind: "post", id, denied: deniedPosts.map((each) => each.nonce) },
  };
}

/** Returns the IDs of all updates that exist before the post, including updates that the service doesn't show yet. */
function takeSnapshot(ledger: Ledger, { resource }: Task): Snapshot {
  const { updates } = ledger.view;
  // Exclude the resource's own update. It is posted again only if the service doesn't show it, and the search may then find it.
  const existing = [...updates, ...listOtherOwners(ledger, resource)];
  const newest = sortOldestFirst(updates).at(-1)?.created_at ?? undefined;
  return { ids: [...new Set(existing.map(({ id }) => id))], newest };
}

export function stepPost(ledger: Ledger, task: TaskAt<"post">, event: Event): Step {
  const { sent } = task.phase;
  switch (event.kind) {
    case "posted": {
      const { update } = event;
      // A response with the container's own ID, or with an update that existed before, doesn't prove that the post created an update.
      if (update.id === task.declared.containerId || !isNew(sent.seen, update))
        return startSearch(ledger, task, { ...sent, answered: update.id });
      // Record the text and date as the service stored them.
      const posted = withPublished(createRecord(task.declared, update), update);
      return succeed(withUpdate(ledger, update), task, "posted", posted, sent.nonce);
    }
    case "notApplied":
      return fail(ledger, task, { kind: "failed", text: event.text });
    case "unknown":
      return startSearch(ledger, task, { ...sent, at: event.at ?? sent.at }, event.text);
    default:
      throw new Error(`A post led to ${event.kind}.`);
  }
}

/** Simulates the post in a preview: records the update as the newest, with an ID that no service would assign. */
export function predictPost(
  before: Ledger,
  task: TaskAt<"post">,
): { ledger: Ledger; prediction: Prediction } {
  const { declared, phase, notices } = task;
  const { seen, at } = phase.sent;
  const created_at = new Date(Math.max((parseMs(seen.newest) ?? 0) + 1_001, at)).toISOString();
  const update = { id: computeDeclarationKey(declared), ...pickContent(declared), created_at };
  const recorded = createRecord(declared, update);
  return {
    ledger: recordInLedger(withUpdate(before, update), task, recorded),
    prediction: { kind: "posted", notices },
  };
}

/**
 * Returns true if a post after the snapshot may have created the update. A new ID is sufficient, unless the history before the post may
 * have been cut, as that of incidents always is: of those that are resolved, only the newest one is read. In that case, the timestamp must
 * also be new, with a tolerance for the clocks of the service's nodes.
 */
export function isNew(seen: Snapshot, { id, created_at: created, name }: ShownUpdate): boolean {
  const isCut = name !== undefined || seen.ids.length >= historyLimit;
  return !seen.ids.includes(id) && (!isCut || isNotBefore(created, seen.newest, serviceClockMs));
}

function startSearch(ledger: Ledger, task: Task, sent: UnconfirmedPost, problem?: string): Step {
  const phase = { kind: "search", sent, problem, lookedUp: [], notes: [] } as const;
  return { ledger, task: { ...task, phase }, command: { kind: "read", again: false } };
}
