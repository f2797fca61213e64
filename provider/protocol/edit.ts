/**
 * Edits the update that a resource has to what is declared, where its page has components. It sends the edit only if the container shows what
 * the resource made public last, or if the user permits to overwrite what somebody made of it since. Nothing here leads to a post.
 */
import { msOf, sameSecond } from "../api";
import { answerableFrom, codeOfEdit, ifLater } from "./codes";
import { done, failed, listening, recordOf, withNotice } from "./endings";
import { tooEarly } from "./guards";
import {
  areEditable,
  changedIdentity,
  type Content,
  contentOf,
  type Declaration,
  hasSameImpacts,
  isSameDeclaration,
  isSameSaid,
  matches,
  matchesWhole,
  saidBy,
  type Seen,
  wordsOfEntry,
} from "./identity";
import { type Ledger, withEdited, withTaken } from "./ledger";
import { isUnsure, madeOf, type Posted, redeclared } from "./records";
import {
  type Circumstances,
  type Event,
  type Foreseen,
  type Refusal,
  type Step,
  type Task,
  type TaskAt,
} from "./task";

type Editing = TaskAt<"edit">;

export function editPhase(posted: Posted): Editing["phase"] {
  return { at: "edit", posted, isLookedUp: false };
}

/** Makes the update that a read has found what is declared, if nothing speaks against it. */
export function editing(ledger: Ledger, task: Task, posted: Posted, read: Circumstances): Step {
  return decideEdit(ledger, { ...task, phase: editPhase(posted) }, read);
}

export function stepOfEdit(ledger: Ledger, task: Editing, event: Event): Step {
  const { phase } = task;
  switch (event.on) {
    case "history":
      return decideEdit(ledger, task, event);
    case "update":
      return decideEdit(ledger, { ...task, phase: { ...phase, isLookedUp: true } }, event);
    case "edited": {
      const { update } = event;
      const isSame = update.id === phase.posted.id;
      if (isSame && isResponseTo(task, update)) return edited(ledger, task, update);
      // Only a read tells what became of the edit.
      const what = isSame ? "its words from before" : update.id;
      const problem = `The service responded to the edit of update ${phase.posted.id} with ${what}.`;
      return look(ledger, { ...task, phase: { ...phase, problem } }, false);
    }
    case "unknown":
      return look(ledger, { ...task, phase: { ...phase, problem: event.text } }, false);
    case "readFailed":
    case "timeUp":
      if (phase.problem === undefined) return failed(ledger, task, { why: "failed", text: event.text ?? "" });
      if (event.on === "readFailed") return look(ledger, task, true);
      return failed(ledger, task, { why: "editLost", text: phase.problem }, withLostEdit(phase));
    case "notApplied":
      return failed(ledger, task, { why: "failed", text: event.text });
    case "posted":
      throw new Error("An edit led to a post.");
  }
}

function look(ledger: Ledger, task: Editing, again: boolean): Step {
  return { ledger, task, command: { do: "read", again } };
}

/** Otherwise, an `up` that declares what the state has would change nothing, although the update says something else. */
function withLostEdit({ posted, edit }: Editing["phase"]): Posted {
  return edit ? { ...posted, maySay: [...(posted.maySay ?? []), { said: edit.said }] } : posted;
}

/** Decides by what the container shows of the update. */
function decideEdit(ledger: Ledger, task: Editing, { noted, now }: Circumstances): Step {
  const { posted, isLookedUp, edit: sent } = task.phase;
  const { declared } = task;
  const shown = ledger.view.updates.find(({ id }) => id === posted.id);
  if (!shown) {
    // A long history lacks its oldest updates, and a read may come too early for the newest one.
    if (!isLookedUp) return { ledger, task, command: { do: "readUpdate", id: posted.id } };
    const { maySay, ...kept } = posted;
    const created = msOf(posted.createdAt ?? undefined);
    const later = created === undefined ? {} : ifLater(answerableFrom(created), now);
    // If it certainly doesn't appear any more, nothing is left to edit.
    const isGone = created !== undefined && later.from === undefined;
    if (maySay && isGone && isSameDeclaration(posted.declared, declared))
      return done(ledger, task, "kept", { ...kept, missing: true });
    return failed(ledger, task, { why: "gone", id: posted.id, ...later });
  }
  // A late read may show what was there before the edit, or what an earlier edit replaced.
  if (sent) {
    const { before } = sent;
    const said = saidBy(shown);
    const isAsBefore =
      (shown.description === before.description && isSameSaid(said, saidBy(before))) ||
      said === posted.made ||
      posted.maySay?.some((each) => ["", said].includes(each.said) && (each.until ?? 0) > now);
    return matchesWhole(declared, shown) && !isAsBefore
      ? edited(ledger, task, shown)
      : look(ledger, task, true);
  }
  // An incident that is over affects no component.
  if (shown.isOver && isRecordedExceptImpacts(task)) return keeps(ledger, task, shown);
  const isRead = matchesWhole(declared, shown) || isSameSaid(saidBy(shown), posted.made ?? "");
  if (isRead && isAsRecorded(task) && !isUnsure({ ...posted, published: shown }, declared))
    return keeps(ledger, task, shown);
  // The engine may be about to create what declares the words that this edit takes away.
  if (!ledger.hasListened && shown.words !== declared.words) return listening(ledger, task);
  const taking = withTaken(ledger, task.resource, shown, declared);
  const code = codeToOverwrite(task, shown, { noted, now });
  const refusal = refusalOf({ ledger, task, shown, code });
  if (refusal) return failed(taking, task, refusal);
  const { id } = posted;
  const permitted = code === undefined ? task : withNotice(task, { tell: "overwrites", id });
  const date = dateFor(declared, shown);
  if (date === undefined) return failed(ledger, task, { why: "undated", id: posted.id });
  const said = saidBy({ ...declared, publicIncidentUpdateDate: date || undefined });
  const edit = { said, at: now, before: shown };
  const command = { do: "edit", id, date } as const;
  return { ledger: taking, task: { ...permitted, phase: { ...task.phase, edit } }, command };
}

/** An edit keeps the date that is shown, unless one is declared. A service may show it without a zone. */
function dateFor(declared: Content, shown: Seen): string | undefined {
  const { publicIncidentUpdateDate: date = null, name } = declared;
  if (name !== undefined) return "";
  const ms = msOf(shown.publicIncidentUpdateDate ?? shown.created_at);
  return date ?? (ms === undefined ? undefined : new Date(ms).toISOString());
}

function keeps(ledger: Ledger, task: Editing, shown: Seen): Step {
  const kept = redeclared(task.phase.posted, task.declared);
  return done(ledger, task, "kept", { ...kept, published: shown, missing: false });
}

function isRecordedExceptImpacts({ declared, phase: { posted } }: Editing): boolean {
  return changedIdentity(posted.declared, declared).every((name) => name === "impacts");
}

/** Whether the resource made the update say what is declared now, as far as the state knows. */
function isAsRecorded({ declared, phase: { posted } }: Editing): boolean {
  const changed = changedIdentity(posted.declared, declared);
  return !areEditable(changed);
}

/** Whether the response to the edit shows it: whatever the service makes of what is declared, it isn't what the resource made of another text. */
function isResponseTo(task: Editing, update: Seen): boolean {
  const { made, maySay = [] } = task.phase.posted;
  const others = [made, ...maySay.map(({ said }) => said)];
  const said = saidBy(update);
  return matchesWhole(task.declared, update) || (isAsRecorded(task) ? said === made : !others.includes(said));
}

function edited(ledger: Ledger, task: Editing, update: Seen): Step {
  const { posted, edit } = task.phase;
  const { past, made = "", maySay = [] } = posted;
  // Whatever the service made of the text and the date.
  const recorded = madeOf(recordOf({ past }, task.declared, update), update);
  const { at } = edit ?? { at: -Infinity };
  const until = answerableFrom(at);
  const others = maySay.filter(({ until: ends = until }) => ends > at);
  const before = [...others.map((each) => ({ until, ...each })), { said: made, until }];
  const after = { ...recorded, madeAt: at, maySay: before };
  return done(withEdited(ledger, update), task, "edited", after, task.nonce);
}

interface Found {
  readonly ledger: Ledger;
  readonly task: Editing;
  readonly shown: Seen;
  /** See {@link codeToOverwrite}. */
  readonly code: string | undefined;
}

/** Why the update isn't edited, in this order. @public The explorer leaves one out at a time. */
export const editGuards = {
  /** Another update would say the same, an earlier occurrence would be missing, or a later entry would be posted again. */
  miscounted({ ledger: { view }, task: { declared }, shown }) {
    const others = view.updates.filter(({ id }) => id !== shown.id);
    const { length: count } = others.filter((update) => matches(declared, update));
    const before = declared.occurrence - 1;
    const taken = shown.words;
    const left = others.filter(({ words }) => words === taken).length;
    const isRight =
      count >= before &&
      count <= before + countLater(declared, declared.words) &&
      (taken === declared.words || countLater(declared, taken) <= left);
    return isRight ? undefined : { why: "miscounted", count, occurrence: declared.occurrence };
  },

  /** A new resource declares the words that the edit takes away. */
  wanted({ ledger: { wanted }, task: { resource, declared }, shown }) {
    const by = shown.words === declared.words ? undefined : wanted.get(shown.words);
    return by === undefined || by === resource ? undefined : { why: "taken", by, isEdit: true };
  },

  editedSince({ task, shown, code }) {
    if (code === undefined || task.codes.includes(code)) return undefined;
    return { why: "editedSince", id: shown.id, shown, codes: [code] };
  },

  tooEarly: ({ ledger, task }) => tooEarly(ledger, task.declared),
} satisfies Readonly<Record<string, (found: Found) => Refusal | undefined>>;

function refusalOf(found: Found): Refusal | undefined {
  for (const guard of Object.values(editGuards)) {
    const refusal = guard(found);
    if (refusal) return refusal;
  }
  return undefined;
}

/** How many later entries of the timeline declare these words. */
function countLater({ followedBy = [] }: Declaration, words: string): number {
  return followedBy.filter((entry) => wordsOfEntry(entry) === words).length;
}

/** The code that permits to overwrite what is shown; undefined if the resource made that, also lately, or if the edit leaves it as it is. */
function codeToOverwrite(
  { phase, declared }: Editing,
  shown: Seen,
  { noted, now }: Circumstances,
): string | undefined {
  const { id, made = "", madeAt = "", maySay = [] } = phase.posted;
  const said = saidBy(shown);
  const then = saidBy({ ...declared, publicIncidentUpdateDate: dateFor(declared, shown) || undefined });
  const own = maySay.filter(({ until = Infinity }) => until > now).map((each) => each.said);
  const isOwn = matchesWhole(declared, shown) || [made, ...own].some((each) => isSameSaid(each, said));
  // What a killed run sent. What an edit took away since is somebody's again.
  const isNoted = noted.some(
    (note) =>
      note.isOwn &&
      !note.isReworded &&
      [note.edits, note.id].includes(id) &&
      note.words === shown.words &&
      (note.date === undefined || sameSecond(note.date, shown.publicIncidentUpdateDate)),
  );
  // A note contains no impacts.
  const hasOwnImpacts = [made, then].some((each) => hasSameImpacts(each, said));
  return isOwn || (isNoted && hasOwnImpacts) ? undefined : codeOfEdit(id, `${made} ${madeAt}`, said, then);
}

/** For the rest of a preview, the update says what is declared. */
export function foreseeEdit(ledger: Ledger, task: Editing): { ledger: Ledger; foreseen: Foreseen } {
  const { posted } = task.phase;
  const { publicIncidentUpdateDate: date } = task.declared;
  const was = ledger.view.updates.find(({ id }) => id === posted.id) ?? { id: posted.id, ...posted.declared };
  const said = {
    ...contentOf(task.declared),
    publicIncidentUpdateDate: date ?? was.publicIncidentUpdateDate,
  };
  const update = { ...was, ...said };
  const { ledger: after, command } = edited(ledger, task, update);
  if (command.do !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn't end.");
  const { recorded, remarks } = command.ending;
  return { ledger: after, foreseen: { kind: "edited", recorded, was, remarks } };
}
