/**
 * Edits a resource's update to match the declaration, on a page with components. Sends the edit only if the update is unchanged since the
 * resource last wrote it. Never posts.
 */
import { parseMs, sameSecond } from "../api";
import { canBeShownAs, computeWordOverlap } from "../texts";
import { getCodeStart, toFutureStart } from "./codes";
import { succeed, fail, createRecord, withNotice } from "./results";
import { checkPublicDate } from "./guards";
import {
  areEditable,
  listChangedFields,
  type Content,
  pickContent,
  type Declaration,
  hasSameDate,
  isSameDeclaration,
  matches,
  type NormalizedContent,
  computeContentVersion,
  type ShownUpdate,
  parseContentKey,
  sortOldestFirst,
} from "./identity";
import { type Ledger, withEdited } from "./ledger";
import { needsVerification, withPublished, type PostedUpdate, withDeclaration } from "./records";
import {
  type ReadContext,
  type Event,
  type Prediction,
  type Refusal,
  type Step,
  type Task,
  type TaskAt,
} from "./task";

type EditTask = TaskAt<"edit">;

export function editPhase(posted: PostedUpdate): EditTask["phase"] {
  return { kind: "edit", posted, isLookedUp: false };
}

/** Edits the update found by a read to match the declaration, unless a guard objects. */
export function startEdit(ledger: Ledger, task: Task, posted: PostedUpdate, read: ReadContext): Step {
  return decideEdit(ledger, { ...task, phase: editPhase(posted) }, read);
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
      const responseContent = isSame ? "its words from before" : update.id;
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
  return edit ? { ...posted, maySay: [...(posted.maySay ?? []), { said: edit.said }] } : posted;
}

/** Decides the next step from the content that the container shows for the update. */
function decideEdit(ledger: Ledger, task: EditTask, { noted, now }: ReadContext): Step {
  const { posted, isLookedUp, edit: sent } = task.phase;
  const { declared } = task;
  const shown = ledger.view.updates.find(({ id }) => id === posted.id);
  if (!shown) {
    // The update may be missing because the history is truncated or the read is stale.
    if (!isLookedUp) return { ledger, task, command: { kind: "readUpdate", id: posted.id } };
    const { maySay, ...kept } = posted;
    const created = parseMs(posted.createdAt ?? undefined);
    const later = created === undefined ? {} : toFutureStart(getCodeStart(created), now);
    // If the update can't appear any more, nothing is left to edit.
    const isGone = created !== undefined && later.from === undefined;
    if (maySay && isGone && isSameDeclaration(posted.declared, declared))
      return succeed(ledger, task, "kept", { ...kept, missing: true });
    return fail(ledger, task, { kind: "gone", id: posted.id, ...later });
  }
  const shownVersion = computeContentVersion(shown);
  // A stale read may return the content from before this edit, or content that an earlier edit replaced.
  if (sent) {
    const { before } = sent;
    const isAsBefore =
      (shown.description === before.description && shownVersion === computeContentVersion(before)) ||
      shownVersion === posted.made ||
      posted.maySay?.some((each) => ["", shownVersion].includes(each.said) && (each.until ?? 0) > now);
    return matches(declared, shown) && !isAsBefore
      ? finishEdit(ledger, task, shown)
      : requestRead(ledger, task, true);
  }
  const isRead = matches(declared, shown) || shownVersion === posted.made;
  if (isRead && isAsRecorded(task) && !needsVerification({ ...posted, published: shown }, declared))
    return keeps(ledger, task, shown);
  const news = findNews(ledger, task, shown);
  if (news) return fail(ledger, task, news);
  const isOwn = isOwnContent(task, shown, { noted, now });
  const refusal = runEditGuards({ ledger, task, shown, isOwn });
  if (refusal) return fail(ledger, task, refusal);
  const { id } = posted;
  const warned = isRewritten(declared, shown) ? withNotice(task, { kind: "rewrites", id }) : task;
  const date = computeEditDate(declared, shown);
  if (date === undefined) return fail(ledger, task, { kind: "undated", id: posted.id });
  const version = computeContentVersion({ ...declared, publicIncidentUpdateDate: date });
  const edit = { said: version, at: now, before: shown };
  const command = { kind: "edit", id, date } as const;
  return { ledger, task: { ...warned, phase: { ...task.phase, edit } }, command };
}

/**
 * Returns the date to send: the declared date or else the shown one, in ISO format, because a service may show it without a zone. Undefined
 * if the update has no date.
 */
function computeEditDate(declared: Content, shown: ShownUpdate): string | undefined {
  const { publicIncidentUpdateDate: date = null } = declared;
  const ms = parseMs(shown.publicIncidentUpdateDate ?? shown.created_at);
  return date ?? (ms === undefined ? undefined : new Date(ms).toISOString());
}

/** Returns true if the edit leaves hardly a word of a text about which the program wants to email readers. */
function isRewritten(declared: Declaration, shown: ShownUpdate): boolean {
  return declared.notifySubscribers && sharesHardlyAWord(declared.text, shown.text);
}

function keeps(ledger: Ledger, task: EditTask, shown: ShownUpdate): Step {
  const kept = withDeclaration(task.phase.posted, task.declared);
  return succeed(ledger, task, "kept", { ...kept, published: shown, missing: false });
}

/** Returns true if the record already contains the declared content. */
function isAsRecorded({ declared, phase: { posted } }: EditTask): boolean {
  const changed = listChangedFields(posted.declared, declared);
  return !areEditable(changed);
}

/**
 * Returns true if the response reflects the edit. The service may normalize the text, so compare with the versions that the resource wrote
 * earlier rather than with the declaration.
 */
function isResponseTo(task: EditTask, update: ShownUpdate): boolean {
  const { posted, edit } = task.phase;
  const { made, maySay = [] } = posted;
  const late = maySay.filter(({ until = Infinity }) => until > (edit?.at ?? 0)).map(({ said }) => said);
  const others = [made, ...late, edit && computeContentVersion(edit.before)];
  const version = computeContentVersion(update);
  return (
    matches(task.declared, update) || (isAsRecorded(task) ? version === made : !others.includes(version))
  );
}

function finishEdit(ledger: Ledger, task: EditTask, update: ShownUpdate): Step {
  const { posted, edit } = task.phase;
  const { made = "", maySay = [] } = posted;
  // Record the text and date as the service stored them.
  const recorded = withPublished(createRecord(task.declared, update), update);
  const { at } = edit ?? { at: -Infinity };
  const until = getCodeStart(at);
  const others = maySay.filter(({ until: ends = until }) => ends > at);
  // A killed run may have written the content that the edit replaced.
  const replaced = edit ? computeContentVersion(edit.before) : made;
  const before = [
    ...others.map((each) => ({ until, ...each })),
    { said: made, until },
    ...(replaced === made ? [] : [{ said: replaced, until }]),
  ];
  const after = { ...recorded, madeAt: at, maySay: before };
  return succeed(withEdited(ledger, update), task, "edited", after, task.nonce);
}

interface EditContext {
  readonly ledger: Ledger;
  readonly task: EditTask;
  readonly shown: ShownUpdate;
  /** True if the resource wrote the shown content. */
  readonly isOwn: boolean;
}

/**
 * Rejects news that the program declares as a change of this update, because nobody would be emailed: a new entry under its key, or the
 * resolution of an incident that is still open.
 */
function findNews({ view }: Ledger, { declared, phase }: EditTask, shown: ShownUpdate): Refusal | undefined {
  if (isAnotherUpdate(phase.posted.declared, declared)) return { kind: "keyReused" };
  const newest = sortOldestFirst(view.updates).at(-1);
  const isOver = newest?.status === "RESOLVED";
  const isResolution = declared.status === "RESOLVED" && shown.status !== "RESOLVED" && !isOver;
  return isResolution ? { kind: "keyReused", isResolution } : undefined;
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
  editedSince({ ledger, task, shown, isOwn }) {
    if (isOwn) return undefined;
    const keys = ledger.view.updates.map(({ contentKey }) => contentKey);
    const { followedBy = [] } = task.declared;
    const { length: waiting } = followedBy.filter((entry) => !keys.includes(parseContentKey(entry)));
    return { kind: "editedSince", id: shown.id, shown, waiting };
  },

  tooEarly: ({ ledger, task }) => checkPublicDate(ledger, task.declared),
} satisfies Readonly<Record<string, (found: EditContext) => Refusal | undefined>>;

function runEditGuards(found: EditContext): Refusal | undefined {
  for (const guard of Object.values(editGuards)) {
    const refusal = guard(found);
    if (refusal) return refusal;
  }
  return undefined;
}

/** Returns true if the resource itself wrote the shown content, or if the edit wouldn't change it. */
function isOwnContent(
  { phase: { posted }, declared }: EditTask,
  shown: ShownUpdate,
  { noted, now }: ReadContext,
): boolean {
  const { id, made, maySay = [] } = posted;
  const shownVersion = computeContentVersion(shown);
  const ownVersions = maySay.filter(({ until = Infinity }) => until > now).map((each) => each.said);
  // Accept content that a killed run sent, unless a later edit replaced it, because someone else has then restored it.
  const isNoted = noted.some(
    (note) =>
      note.isOwn &&
      !note.isReworded &&
      [note.edits, note.id].includes(id) &&
      note.words === shown.contentKey &&
      (note.date === undefined || sameSecond(note.date, shown.publicIncidentUpdateDate)),
  );
  return (
    matches(declared, shown) ||
    [made, ...ownVersions].includes(shownVersion) ||
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
export function predictEdit(ledger: Ledger, task: EditTask): { ledger: Ledger; foreseen: Prediction } {
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
  if (command.kind !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn't end.");
  const { recorded, notices } = command.ending;
  return { ledger: after, foreseen: { kind: "edited", recorded, was: before, notices } };
}
