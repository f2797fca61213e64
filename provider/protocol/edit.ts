/**
 * Edits the update that a resource has to what is declared, where its page has components. It sends the edit only if the incident shows what
 * the resource made public last, or if the user permits to overwrite what somebody made of it since. Nothing here leads to a post.
 */
import { msOf, type StatusPageIncidentUpdate } from "../api";
import { answerableFrom, codeOfEdit, ifLater } from "./codes";
import { done, failed, recordOf, withNotice } from "./decide";
import { contentKey, type Declaration, isSameDeclaration, matches, saidBy, wordsOfEntry } from "./identity";
import { canonical, type Ledger, withHistory, withUpdate } from "./ledger";
import { madeOf, type Posted } from "./records";
import { type Event, type Foreseen, type Refusal, type Step, type TaskAt } from "./task";

type Editing = TaskAt<"edit">;

export function editPhase(posted: Posted): Editing["phase"] {
  return { at: "edit", posted, isLookedUp: false };
}

export function stepOfEdit(before: Ledger, task: Editing, event: Event): Step {
  const { phase } = task;
  switch (event.on) {
    case "history":
      return decideEdit(withHistory(before, event.shown), task, event.now);
    case "update": {
      const read = { ...task, phase: { ...phase, isLookedUp: true } };
      return decideEdit(event.update ? withUpdate(before, event.update) : before, read, event.now);
    }
    case "edited": {
      const update = canonical(event.update);
      if (update.id === phase.posted.id) return edited(before, task, update);
      // Only a read tells what became of the edit.
      const problem = `The service responded to the edit of update ${phase.posted.id} with ${update.id}.`;
      return look(before, { ...task, phase: { ...phase, problem } }, false);
    }
    case "unknown":
      return look(before, { ...task, phase: { ...phase, problem: event.text } }, false);
    case "readFailed":
      if (phase.problem !== undefined) return look(before, task, true);
      return failed(before, task, { why: "failed", text: event.text, isMissing: event.incidentMissing });
    case "timeUp":
      if (phase.problem === undefined) return failed(before, task, { why: "failed", text: event.text ?? "" });
      return failed(before, task, { why: "editLost", text: phase.problem }, withLostEdit(phase));
    case "notApplied":
      return failed(before, task, { why: "failed", text: event.text });
    case "posted":
      throw new Error("An edit led to a post.");
  }
}

function look(ledger: Ledger, task: Editing, again: boolean): Step {
  return { ledger, task, command: { do: "read", again } };
}

/** Otherwise, an `up` that declares what the state has would change nothing, although the update says something else. */
function withLostEdit({ posted, edit }: Editing["phase"]): Posted {
  return { ...posted, lostEdits: [...(posted.lostEdits ?? []), ...(edit === undefined ? [] : [edit])] };
}

/** Decides by what the incident shows of the update. */
export function decideEdit(ledger: Ledger, task: Editing, now = Infinity): Step {
  const { posted, isLookedUp, problem } = task.phase;
  const { declared } = task;
  const shown = ledger.view.updates.find(({ id }) => id === posted.id);
  if (!shown) {
    // A long history lacks its oldest updates, and a read may come too early for the newest one.
    if (!isLookedUp) return { ledger, task, command: { do: "readUpdate", id: posted.id } };
    const { lostEdits, ...kept } = posted;
    const created = msOf(posted.createdAt ?? undefined);
    const later = created === undefined ? {} : ifLater(answerableFrom(created), now);
    // If it certainly doesn't appear any more, nothing is left to edit.
    const isGone = created !== undefined && later.from === undefined;
    if (lostEdits && isGone && isSameDeclaration(posted.declared, declared))
      return done(ledger, task, "kept", { ...kept, missing: true });
    return failed(ledger, task, { why: "gone", id: posted.id, ...later });
  }
  if (matches(declared, shown)) return edited(ledger, task, shown, problem === undefined ? "kept" : "edited");
  if (problem !== undefined) return look(ledger, task, true);
  const refusal = refusalOf(ledger, task, shown);
  if (refusal) return failed(ledger, task, refusal);
  const date = declared.publicIncidentUpdateDate ?? shown.publicIncidentUpdateDate ?? shown.created_at;
  if (date == null) return failed(ledger, task, { why: "undated", id: posted.id });
  const code = codeToOverwrite(task, shown);
  const { id } = posted;
  const permitted =
    code === undefined
      ? task
      : withNotice({ ...task, usedCodes: [...task.usedCodes, code] }, { tell: "overwrites", id });
  const edit = saidBy({ ...declared, publicIncidentUpdateDate: date });
  const command = { do: "edit", id, date } as const;
  return { ledger, task: { ...permitted, phase: { ...task.phase, edit } }, command };
}

function edited(
  ledger: Ledger,
  task: Editing,
  update: StatusPageIncidentUpdate,
  kind: "edited" | "kept" = "edited",
): Step {
  const { past, isByWords } = task.phase.posted;
  // A declared date is the one that was sent.
  // Whatever the service made of the text and the date.
  const recorded = madeOf(recordOf({ past }, task.declared, update, kind === "kept" && isByWords), update);
  return done(withUpdate(ledger, update), task, kind, recorded);
}

interface Found {
  readonly task: Editing;
  readonly shown: StatusPageIncidentUpdate;
  /** The other updates of the incident, and those that are identical to what this one would become. */
  readonly others: readonly StatusPageIncidentUpdate[];
  readonly identical: readonly StatusPageIncidentUpdate[];
}

/** Why the update isn't edited, in this order. @public The explorer leaves one out at a time. */
export const editGuards = {
  exists({ task: { declared }, identical }) {
    const [other] = identical;
    const expected = declared.occurrence - 1 + countLater(declared, contentKey(declared));
    return other && identical.length > expected ? { why: "exists", id: other.id } : undefined;
  },

  occurrence({ task: { declared }, identical: { length: count } }) {
    return count < declared.occurrence - 1 ? { why: "occurrence", count } : undefined;
  },

  /** The words that the edit takes away are those of a later entry, which would be posted again. */
  reordered({ task: { declared }, shown, others }) {
    const taken = contentKey(shown);
    const left = others.filter((update) => contentKey(update) === taken).length;
    return countLater(declared, taken) > left ? { why: "reordered" } : undefined;
  },

  editedSince({ task, shown }) {
    const code = codeToOverwrite(task, shown);
    if (code === undefined || task.codes.includes(code)) return undefined;
    return { why: "editedSince", id: shown.id, shown, codes: [code] };
  },
} satisfies Readonly<Record<string, (found: Found) => Refusal | undefined>>;

function refusalOf({ view }: Ledger, task: Editing, shown: StatusPageIncidentUpdate): Refusal | undefined {
  const others = view.updates.filter(({ id }) => id !== shown.id);
  const identical = others.filter((update) => matches(task.declared, update));
  for (const guard of Object.values(editGuards)) {
    const refusal = guard({ task, shown, others, identical });
    if (refusal) return refusal;
  }
  return undefined;
}

/** How many later entries of the timeline declare these words. */
function countLater({ followedBy = [] }: Declaration, words: string): number {
  return followedBy.filter((entry) => wordsOfEntry(entry) === words).length;
}

/** The code that permits to overwrite what is shown; undefined if the resource made that public itself. */
function codeToOverwrite({ phase, declared }: Editing, shown: StatusPageIncidentUpdate): string | undefined {
  const { id, made = "", lostEdits } = phase.posted;
  const said = saidBy(shown);
  return said === made || lostEdits?.includes(said)
    ? undefined
    : codeOfEdit(id, made, said, saidBy(declared));
}

/** For the rest of a preview, the update says what is declared. */
export function foreseeEdit(ledger: Ledger, task: Editing): { ledger: Ledger; foreseen: Foreseen } {
  const { posted } = task.phase;
  const { status, description, publicIncidentUpdateDate: date } = task.declared;
  const was = ledger.view.updates.find(({ id }) => id === posted.id) ?? { id: posted.id, ...posted.declared };
  const update = {
    ...was,
    status,
    description,
    publicIncidentUpdateDate: date ?? was.publicIncidentUpdateDate,
  };
  const foreseen = [...ledger.foreseen.filter(({ id }) => id !== update.id), update];
  const { ledger: after, command } = edited({ ...ledger, foreseen }, task, update);
  if (command.do !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn't end.");
  const { recorded, remarks } = command.ending;
  return { ledger: after, foreseen: { kind: "edited", recorded, was, remarks } };
}
