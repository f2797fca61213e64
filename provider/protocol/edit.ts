/**
 * Edits a resource's update to match the declaration, on a page with components. Sends the edit only if the update is unchanged since the
 * resource last wrote it. Never posts.
 */
import { parseMs, sameSecond, sortOldestFirst } from "../api";
import { canBeShownAs, computeWordOverlap } from "../texts";
import { getCodeStart, toFutureStart } from "./codes";
import { succeed, fail, createRecord, withNotice } from "./results";
import { checkPublicDate } from "./guards";
import {
  type Content,
  pickContent,
  type Declaration,
  hasSameDate,
  isEditable,
  isSameDeclaration,
  matches,
  type NormalizedContent,
  computeContentVersion,
  type ShownUpdate,
} from "./identity";
import { type Ledger, withUpdate } from "./ledger";
import { needsVerification, withPublished, type PostedUpdate } from "./records";
import {
  type ReadContext,
  type Event,
  type Prediction,
  type Rejection,
  type Step,
  type Task,
  type TaskAt,
} from "./task";

type EditTask = TaskAt<"edit">;

export function createEditPhase(posted: PostedUpdate): EditTask["phase"] {
  return { kind: "edit", posted, isLookedUp: false };
}

/** Returns true if an update that a run has found, for example by its ID, doesn't show the declared content. */
export function needsEdit(declared: Declaration, update: ShownUpdate, found: PostedUpdate): boolean {
  return isEditable(declared) && (!matches(declared, update) || needsVerification(found, declared));
}

/** Edits the update found by a read to match the declaration, unless a guard objects. */
export function startEdit(ledger: Ledger, task: Task, posted: PostedUpdate, read: ReadContext): Step {
  return decideEdit(ledger, { ...task, phase: createEditPhase(posted) }, read);
}

export function stepEdit(ledger: Ledger, task: EditTask, event: Event): Step {
  const { phase } = task;
  switch (event.kind) {
    case "history":
      return decideEdit(ledger, task, event);
    case "update":
      return decideEdit(ledger, { ...task, phase: { ...phase, isLookedUp: true } }, event);
    case "edited": {
      const { update } = event;
      const isSame = update.id === phase.posted.id;
      if (isSame && isResponseTo(task, update)) return finishEdit(ledger, task, update);
      // The response doesn't show whether the edit was applied, so read the update.
      const responseContent = isSame ? "the earlier text" : `update ${update.id}`;
      const problem = `The service responded to the edit of update ${phase.posted.id} with ${responseContent}.`;
      return requestRead(ledger, { ...task, phase: { ...phase, problem } }, false);
    }
    case "unknown":
      return requestRead(ledger, { ...task, phase: { ...phase, problem: event.text } }, false);
    case "readFailed":
    case "timeUp":
      if (phase.problem === undefined) return fail(ledger, task, { kind: "failed", text: event.text ?? "" });
      if (event.kind === "readFailed") return requestRead(ledger, task, true);
      return fail(ledger, task, { kind: "editLost", text: phase.problem }, withLostEdit(phase));
    case "notApplied":
      return fail(ledger, task, { kind: "failed", text: event.text });
    case "posted":
      throw new Error("An edit led to a post.");
  }
}

function requestRead(ledger: Ledger, task: EditTask, again: boolean): Step {
  return { ledger, task, command: { kind: "read", again } };
}

/**
 * Records that the edit may still take effect. Otherwise, `pulumi up` would skip the update whenever the declaration equals the state,
 * although the update may show the edited content.
 */
function withLostEdit({ posted, edit }: EditTask["phase"]): PostedUpdate {
  return edit ? { ...posted, mayShow: [...(posted.mayShow ?? []), { version: edit.version }] } : posted;
}

/** Decides the next step from the content that the container shows for the update. */
function decideEdit(ledger: Ledger, task: EditTask, read: ReadContext): Step {
  const { posted, isLookedUp, edit } = task.phase;
  const { declared } = task;
  const shown = ledger.view.updates.find(({ id }) => id === posted.id);
  if (!shown) {
    // The update may be missing because the history is truncated or the read is stale.
    if (!isLookedUp) return { ledger, task, command: { kind: "readUpdate", id: posted.id } };
    return endWithoutUpdate(ledger, task, read);
  }
  if (edit)
    return matches(declared, shown) && !isEarlierContent(task.phase, edit, shown, read)
      ? finishEdit(ledger, task, shown)
      : requestRead(ledger, task, true);
  const isKnown = matches(declared, shown) || computeContentVersion(shown) === posted.written;
  const isSettled = isAsRecorded(task) && !needsVerification({ ...posted, published: shown }, declared);
  if (isKnown && isSettled)
    return succeed(ledger, task, "kept", { ...posted, declared, published: shown, missing: false });
  const date = computeEditDate(declared, shown);
  const rejection = runEditGuards({ ledger, task, shown, date, isOwn: isOwnContent(task, shown, read) });
  if (rejection) return fail(ledger, task, rejection);
  const { id } = posted;
  const warned = isRewritten(declared, shown) ? withNotice(task, { kind: "rewrites", id }) : task;
  const version = computeContentVersion({ ...declared, publicIncidentUpdateDate: date });
  const phase = { ...task.phase, edit: { version, at: read.now, before: shown } };
  return { ledger, task: { ...warned, phase }, command: { kind: "edit", id, date } };
}

function endWithoutUpdate(ledger: Ledger, task: EditTask, { now }: ReadContext): Step {
  const { mayShow, ...kept } = task.phase.posted;
  const created = parseMs(kept.createdAt ?? undefined);
  const later = created === undefined ? {} : toFutureStart(getCodeStart(created), now);
  // If the update can't appear any more, nothing is left to edit.
  const isGone = created !== undefined && later.from === undefined;
  if (mayShow && isGone && isSameDeclaration(kept.declared, task.declared))
    return succeed(ledger, task, "kept", { ...kept, missing: true });
  return fail(ledger, task, { kind: "gone", id: kept.id, ...later });
}

/** Returns true if a read shows the content from before the edit, or content that an earlier edit replaced. */
function isEarlierContent(
  { posted: { written, mayShow = [] } }: EditTask["phase"],
  { before }: { readonly before: NormalizedContent },
  shown: ShownUpdate,
  { now }: ReadContext,
): boolean {
  const version = computeContentVersion(shown);
  const isUnedited = shown.description === before.description && version === computeContentVersion(before);
  // A killed run's edit replaced content that isn't known here.
  const isStale = mayShow.some((each) =>
    each.version === ""
      ? (each.until ?? Infinity) > now
      : each.version === version && (each.until ?? 0) > now,
  );
  return isUnedited || version === written || isStale;
}

/**
 * Returns the date to send: the declared date or else the shown one, in ISO format, because a service may show it without a zone. Empty if
 * the update has no date.
 */
function computeEditDate(declared: Content, shown: ShownUpdate): string {
  const { publicIncidentUpdateDate: date = null } = declared;
  const ms = parseMs(shown.publicIncidentUpdateDate ?? shown.created_at);
  return date ?? (ms === undefined ? "" : new Date(ms).toISOString());
}

/** Returns true if the edit replaces nearly the whole text of an update that declares an email to subscribers. */
function isRewritten(declared: Declaration, shown: ShownUpdate): boolean {
  return declared.notifySubscribers && sharesHardlyAWord(declared.text, shown.text);
}

/** Returns true if the record already contains the declared content. */
function isAsRecorded({ declared, phase: { posted } }: EditTask): boolean {
  return isSameDeclaration(posted.declared, declared);
}

/**
 * Returns true if the response reflects the edit. The service may normalize the text, so compare with the versions that the resource wrote
 * earlier rather than with the declaration.
 */
function isResponseTo(task: EditTask, update: ShownUpdate): boolean {
  const { posted, edit } = task.phase;
  const { written, mayShow = [] } = posted;
  const late = mayShow.filter(({ until = Infinity }) => until > (edit?.at ?? 0)).map((each) => each.version);
  const others = [written, ...late, edit && computeContentVersion(edit.before)];
  const version = computeContentVersion(update);
  return (
    matches(task.declared, update) || (isAsRecorded(task) ? version === written : !others.includes(version))
  );
}

function finishEdit(ledger: Ledger, task: EditTask, update: ShownUpdate): Step {
  const { posted, edit } = task.phase;
  const { written, mayShow = [] } = posted;
  const { at } = edit ?? { at: -Infinity };
  const until = getCodeStart(at);
  const others = mayShow.filter(({ until: ends = until }) => ends > at);
  // A killed run may have written the content that the edit replaced.
  const replaced = edit ? computeContentVersion(edit.before) : written;
  const before = [
    ...others.map((each) => ({ until, ...each })),
    ...[...new Set([written, replaced])].map((version) => ({ version, until })),
  ];
  // Record the text and date as the service stored them.
  const recorded = withPublished(createRecord(task.declared, update), update);
  const after = { ...recorded, editedAt: at, mayShow: before };
  return succeed(withUpdate(ledger, update), task, "edited", after, task.nonce);
}

interface EditContext {
  readonly ledger: Ledger;
  readonly task: EditTask;
  readonly shown: ShownUpdate;
  /** The date that the edit sends. Empty if the update has none. */
  readonly date: string;
  /** True if the resource wrote the shown content. */
  readonly isOwn: boolean;
}

/**
 * Returns true if the entry is new, although it reuses a key. Two branches may use the same key for different entries. A change is treated
 * as a correction only if the status or part of the text is unchanged.
 */
export function isAnotherUpdate(
  previous: Pick<NormalizedContent, "status" | "text">,
  { key, status, text }: Partial<Declaration>,
): boolean {
  if (key === undefined || status === undefined || text === undefined) return false;
  return previous.status !== status && sharesHardlyAWord(text, previous.text);
}

function sharesHardlyAWord(text: string, previous: string): boolean {
  return computeWordOverlap(text, previous) < 0.2;
}

/** Reasons to reject an edit, in the order in which they are checked. @public The explorer leaves out one at a time. */
export const editGuards = {
  /**
   * Rejects news that the program declares as a change of this update, because nobody would be emailed: a new entry under its key, or the
   * resolution of an incident that is still open.
   */
  news({ ledger, task: { declared, phase }, shown }) {
    if (isAnotherUpdate(phase.posted.declared, declared)) return { kind: "keyReused", shown };
    const newest = sortOldestFirst(ledger.view.updates).at(-1);
    const isResolution =
      declared.status === "RESOLVED" && shown.status !== "RESOLVED" && newest?.status !== "RESOLVED";
    return isResolution ? { kind: "keyReused", shown, isResolution } : undefined;
  },

  /** Rejects the edit if it would overwrite content that the resource didn't write, such as a change by someone else. */
  editedSince({ shown, isOwn }) {
    return isOwn ? undefined : { kind: "editedSince", id: shown.id, shown };
  },

  date({ ledger, task: { declared, phase }, date }) {
    return date === "" ? { kind: "undated", id: phase.posted.id } : checkPublicDate(ledger, declared);
  },
} satisfies Readonly<Record<string, (found: EditContext) => Rejection | undefined>>;

function runEditGuards(found: EditContext): Rejection | undefined {
  for (const guard of Object.values(editGuards)) {
    const rejection = guard(found);
    if (rejection) return rejection;
  }
  return undefined;
}

/** Returns true if the resource itself wrote the shown content, or if the edit wouldn't change it. */
function isOwnContent(
  { phase: { posted }, declared }: EditTask,
  shown: ShownUpdate,
  { notes, now }: ReadContext,
): boolean {
  const { id, written, mayShow = [] } = posted;
  const late = mayShow.filter(({ until = Infinity }) => until > now).map((each) => each.version);
  // Accept content that a killed run sent.
  const isNoted = notes.some(
    (note) =>
      note.isOwn &&
      [note.edits, note.id].includes(id) &&
      note.contentKey === shown.contentKey &&
      (note.date === undefined || sameSecond(note.date, shown.publicIncidentUpdateDate)),
  );
  return (
    matches(declared, shown) ||
    [written, ...late].includes(computeContentVersion(shown)) ||
    isOwnWithLostCharacters(posted, shown) ||
    isNoted
  );
}

/**
 * Returns true if the update shows the text that the resource last wrote, without characters that the service loses. The response to the
 * write may have contained them.
 */
function isOwnWithLostCharacters({ declared, published }: PostedUpdate, shown: ShownUpdate): boolean {
  return (
    declared.status === shown.status &&
    hasSameDate(published, shown) &&
    declared.text !== shown.text &&
    canBeShownAs(declared.text, shown.text)
  );
}

/** Simulates the edit in a preview: records the update with the declared content. */
export function predictEdit(ledger: Ledger, task: EditTask): { ledger: Ledger; prediction: Prediction } {
  const { posted } = task.phase;
  const { publicIncidentUpdateDate: date } = task.declared;
  const before = ledger.view.updates.find(({ id }) => id === posted.id) ?? {
    id: posted.id,
    ...posted.declared,
  };
  const content = {
    ...pickContent(task.declared),
    publicIncidentUpdateDate: date ?? before.publicIncidentUpdateDate,
  };
  const update = { ...before, ...content };
  const { ledger: after, command } = finishEdit(ledger, task, update);
  if (command.kind !== "finish" || command.result.kind !== "edited") throw new Error("An edit didn't end.");
  const { recorded, notices } = command.result;
  return { ledger: after, prediction: { kind: "edited", recorded, was: before, notices } };
}
