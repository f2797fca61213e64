/**
 * Edits the update that a resource has to what is declared, where its page has components. It sends the edit only if the container shows what
 * the resource made public last, or if the user permits to overwrite what somebody made of it since. Nothing here leads to a post.
 */
import { parseMs, sameSecond } from "../api";
import { sameText } from "../texts";
import { getCodeStart, computeEditCode, toFutureStart } from "./codes";
import { succeed, fail, listen, createRecord, withNotice } from "./endings";
import { checkPublicDate } from "./guards";
import {
  areEditable,
  listChangedFields,
  type Content,
  pickContent,
  type Declaration,
  hasSameImpacts,
  isSameDeclaration,
  isSameSaid,
  matches,
  matchesWhole,
  normalizeContent,
  computeContentVersion,
  type ShownUpdate,
  parseContentKey,
} from "./identity";
import { type Ledger, withEdited, withTaken } from "./ledger";
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

/** Makes the update that a read has found what is declared, if nothing speaks against it. */
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
      // Only a read tells what became of the edit.
      const what = isSame ? "its words from before" : update.id;
      const problem = `The service responded to the edit of update ${phase.posted.id} with ${what}.`;
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

/** Otherwise, an `up` that declares what the state has would change nothing, although the update says something else. */
function withLostEdit({ posted, edit }: EditTask["phase"]): PostedUpdate {
  return edit ? { ...posted, maySay: [...(posted.maySay ?? []), { said: edit.said }] } : posted;
}

/** Decides by what the container shows of the update. */
function decideEdit(ledger: Ledger, task: EditTask, { noted, now }: ReadContext): Step {
  const { posted, isLookedUp, edit: sent } = task.phase;
  const { declared } = task;
  const shown = ledger.view.updates.find(({ id }) => id === posted.id);
  if (!shown) {
    // A long history lacks its oldest updates, and a read may come too early for the newest one.
    if (!isLookedUp) return { ledger, task, command: { kind: "readUpdate", id: posted.id } };
    const { maySay, ...kept } = posted;
    const created = parseMs(posted.createdAt ?? undefined);
    const later = created === undefined ? {} : toFutureStart(getCodeStart(created), now);
    // If it certainly doesn't appear any more, nothing is left to edit.
    const isGone = created !== undefined && later.from === undefined;
    if (maySay && isGone && isSameDeclaration(posted.declared, declared))
      return succeed(ledger, task, "kept", { ...kept, missing: true });
    return fail(ledger, task, { kind: "gone", id: posted.id, ...later });
  }
  // A late read may show what was there before the edit, or what an earlier edit replaced.
  if (sent) {
    const { before } = sent;
    const said = computeContentVersion(shown);
    const isAsBefore =
      (shown.description === before.description && isSameSaid(said, computeContentVersion(before))) ||
      said === posted.made ||
      posted.maySay?.some((each) => ["", said].includes(each.said) && (each.until ?? 0) > now);
    return matchesWhole(declared, shown) && !isAsBefore
      ? finishEdit(ledger, task, shown)
      : requestRead(ledger, task, true);
  }
  // An incident that is over affects no component. An earlier edit may have changed its name or its first update.
  const isSaid = declared.onChange !== "edit" || matches(declared, shown);
  if (shown.isOver && isSaid && isRecordedExceptImpacts(task)) return keeps(ledger, task, shown);
  const isRead = matchesWhole(declared, shown) || isSameSaid(computeContentVersion(shown), posted.made ?? "");
  if (isRead && isAsRecorded(task) && !needsVerification({ ...posted, published: shown }, declared))
    return keeps(ledger, task, shown);
  // The engine may be about to create what declares the words that this edit takes away.
  if (!ledger.hasListened && shown.contentKey !== declared.contentKey) return listen(ledger, task);
  const taking = withTaken(ledger, task.resource, shown, declared);
  const code = computeOverwriteCode(task, shown, { noted, now });
  const refusal = runEditGuards({ ledger, task, shown, code });
  if (refusal) return fail(taking, task, refusal);
  const { id } = posted;
  const permitted = code === undefined ? task : withNotice(task, { kind: "overwrites", id });
  const date = computeEditDate(declared, shown);
  if (date === undefined) return fail(ledger, task, { kind: "undated", id: posted.id });
  const said = computeContentVersion({ ...declared, publicIncidentUpdateDate: date || undefined });
  const edit = { said, at: now, before: shown };
  const command = { kind: "edit", id, date } as const;
  return { ledger: taking, task: { ...permitted, phase: { ...task.phase, edit } }, command };
}

/** An edit keeps the date that is shown, unless one is declared. A service may show it without a zone. */
function computeEditDate(declared: Content, shown: ShownUpdate): string | undefined {
  const { publicIncidentUpdateDate: date = null, name } = declared;
  if (name !== undefined) return "";
  const ms = parseMs(shown.publicIncidentUpdateDate ?? shown.created_at);
  return date ?? (ms === undefined ? undefined : new Date(ms).toISOString());
}

function keeps(ledger: Ledger, task: EditTask, shown: ShownUpdate): Step {
  const kept = withDeclaration(task.phase.posted, task.declared);
  return succeed(ledger, task, "kept", { ...kept, published: shown, missing: false });
}

function isRecordedExceptImpacts({ declared, phase: { posted } }: EditTask): boolean {
  return listChangedFields(posted.declared, declared).every((name) => name === "impacts");
}

/** Whether the resource made the update say what is declared now, as far as the state knows. */
function isAsRecorded({ declared, phase: { posted } }: EditTask): boolean {
  const changed = listChangedFields(posted.declared, declared);
  return !areEditable(changed);
}

/** Whether the response to the edit shows it: whatever the service makes of what is declared, it isn't what the resource made of another text. */
function isResponseTo(task: EditTask, update: ShownUpdate): boolean {
  const { posted, edit } = task.phase;
  const { made, maySay = [] } = posted;
  const others = [made, ...maySay.map(({ said }) => said), edit && computeContentVersion(edit.before)];
  const said = computeContentVersion(update);
  return matchesWhole(task.declared, update) || (isAsRecorded(task) ? said === made : !others.includes(said));
}

function finishEdit(ledger: Ledger, task: EditTask, update: ShownUpdate): Step {
  const { posted, edit } = task.phase;
  const { past, made = "", maySay = [] } = posted;
  // Whatever the service made of the text and the date.
  const recorded = withPublished(createRecord({ past }, task.declared, update), update);
  const { at } = edit ?? { at: -Infinity };
  const until = getCodeStart(at);
  const others = maySay.filter(({ until: ends = until }) => ends > at);
  const before = [...others.map((each) => ({ until, ...each })), { said: made, until }];
  const after = { ...recorded, madeAt: at, maySay: before };
  return succeed(withEdited(ledger, update), task, "edited", after, task.nonce);
}

interface EditContext {
  readonly ledger: Ledger;
  readonly task: EditTask;
  readonly shown: ShownUpdate;
  /** See {@link computeOverwriteCode}. */
  readonly code: string | undefined;
}

/** Why the update isn't edited, in this order. @public The explorer leaves one out at a time. */
export const editGuards = {
  /** Another update would say the same, an earlier occurrence would be missing, or a later entry would be posted again. */
  miscounted({ ledger: { view }, task: { declared }, shown }) {
    const others = view.updates.filter(({ id }) => id !== shown.id);
    const { length: count } = others.filter((update) => matches(declared, update));
    const before = declared.occurrence - 1;
    const taken = shown.contentKey;
    const left = others.filter(({ contentKey }) => contentKey === taken).length;
    const isRight =
      count >= before &&
      count <= before + countLater(declared, declared.contentKey) &&
      (taken === declared.contentKey || countLater(declared, taken) <= left);
    return isRight ? undefined : { kind: "miscounted", count, occurrence: declared.occurrence };
  },

  /** A new resource declares the words that the edit takes away. */
  wanted({ ledger: { wanted }, task: { resource, declared }, shown }) {
    const by = shown.contentKey === declared.contentKey ? undefined : wanted.get(shown.contentKey);
    return by === undefined || by === resource ? undefined : { kind: "taken", by, isEdit: true };
  },

  editedSince({ task, shown, code }) {
    if (code === undefined || task.codes.includes(code)) return undefined;
    return { kind: "editedSince", id: shown.id, shown, codes: [code] };
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

/** How many later entries of the timeline declare these words. */
function countLater({ followedBy = [] }: Declaration, contentKey: string): number {
  return followedBy.filter((entry) => parseContentKey(entry) === contentKey).length;
}

/** The code that permits to overwrite what is shown; undefined if the resource made that, also lately, or if the edit leaves it as it is. */
function computeOverwriteCode(
  { phase, declared }: EditTask,
  shown: ShownUpdate,
  { noted, now }: ReadContext,
): string | undefined {
  const { id, made = "", madeAt = "", maySay = [] } = phase.posted;
  const said = computeContentVersion(shown);
  const then = computeContentVersion({
    ...declared,
    publicIncidentUpdateDate: computeEditDate(declared, shown) || undefined,
  });
  const own = maySay.filter(({ until = Infinity }) => until > now).map((each) => each.said);
  const isOwn = matchesWhole(declared, shown) || [made, ...own].some((each) => isSameSaid(each, said));
  // What a killed run sent. What an edit took away since is somebody's again.
  const isNoted = noted.some(
    (note) =>
      note.isOwn &&
      !note.isReworded &&
      [note.edits, note.id].includes(id) &&
      note.words === shown.contentKey &&
      (note.date === undefined || sameSecond(note.date, shown.publicIncidentUpdateDate)),
  );
  // An edit of an incident consists of two requests. A run that was killed between them has edited only the first update.
  const isHalf = noted.some(
    (note) => note.isOwn && note.edits === id && note.words === computeKeyUnderName(shown, declared),
  );
  const hasOwnName = sameText(shown.name ?? "", phase.posted.declared.name ?? "");
  // A note contains no impacts.
  const hasOwnImpacts = [made, then].some((each) => hasSameImpacts(each, said));
  return isOwn || ((isNoted || (isHalf && hasOwnName)) && hasOwnImpacts)
    ? undefined
    : computeEditCode(id, `${made} ${madeAt}`, said, then);
}

function computeKeyUnderName(
  { status, description }: ShownUpdate,
  { name }: Declaration,
): string | undefined {
  return name === undefined ? undefined : normalizeContent({ status, description, name }).contentKey;
}

/** For the rest of a preview, the update says what is declared. */
export function predictEdit(ledger: Ledger, task: EditTask): { ledger: Ledger; foreseen: Prediction } {
  const { posted } = task.phase;
  const { publicIncidentUpdateDate: date } = task.declared;
  const was = ledger.view.updates.find(({ id }) => id === posted.id) ?? { id: posted.id, ...posted.declared };
  const said = {
    ...pickContent(task.declared),
    publicIncidentUpdateDate: date ?? was.publicIncidentUpdateDate,
  };
  const update = { ...was, ...said };
  const { ledger: after, command } = finishEdit(ledger, task, update);
  if (command.kind !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn't end.");
  const { recorded, notices } = command.ending;
  return { ledger: after, foreseen: { kind: "edited", recorded, was, notices } };
}
