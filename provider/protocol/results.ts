/** Ends a task, records the result in the run's ledger, and creates the record for the state. */
import { sortOldestFirst } from "../api";
import { mergeCodes } from "./codes";
import {
  type Identity,
  isEditable,
  isSameDeclaration,
  matches,
  computeContentVersion,
  type ShownUpdate,
} from "./identity";
import { type Ledger, withOwner, withPlan } from "./ledger";
import { type PostedUpdate, type UpdateRecord, type UnconfirmedPost } from "./records";
import { type TaskResult, type Notice, type Rejection, type Step, type Task } from "./task";

export function withNotice<Of extends Task>(task: Of, notice: Notice): Of {
  return { ...task, notices: [...task.notices, notice] };
}

export function listen(ledger: Ledger, task: Task): Step {
  return { ledger: { ...ledger, hasListened: true }, task, command: { kind: "listen" } };
}

/** Ends the task with this update for the resource. @param nonce Identifies the post that created the update, if known. */
export function succeed(
  ledger: Ledger,
  task: Task,
  kind: "posted" | "adopted" | "kept" | "edited",
  recorded: PostedUpdate,
  nonce?: string,
): Step {
  const after = recordInLedger(ledger, task, recorded);
  const { id, published, declared } = recorded;
  const taskWithPost = withApplied(task, nonce, id);
  const isMade = kind === "posted" || kind === "edited";
  const isAltered = isMade && published && published.text !== declared.text;
  const finalTask = isAltered ? withNotice(taskWithPost, { kind: "altered", id }) : taskWithPost;
  return finish(after, finalTask, { kind, recorded, notices: finalTask.notices });
}

/** Records which update a post created. @param nonce Undefined if no note contains the post. */
export function withApplied<Of extends Task>(task: Of, nonce: string | undefined, id: string): Of {
  return nonce === undefined ? task : { ...task, applied: [...task.applied, { nonce, id }] };
}

/** Ends the task with a rejection. @param recorded The record that the state contains despite the rejection. */
export function fail(
  ledger: Ledger,
  task: Task,
  rejection: Rejection,
  recorded: UpdateRecord | undefined = task.recorded,
): Step {
  const { notices } = task;
  const after = recorded === undefined ? ledger : recordInLedger(ledger, task, recorded);
  const withCodes =
    "codes" in rejection
      ? {
          ...rejection,
          ...mergeCodes(task.codes, rejection.codes),
          ...findOtherMatches(ledger, task, rejection),
        }
      : rejection;
  const kind = rejection.kind === "lost" || rejection.kind === "unconfirmed" ? "unconfirmed" : "refused";
  return finish(after, task, { kind, rejection: withCodes, recorded, notices });
}

/** Returns identical updates on the container, so that the user can distinguish them from the update that the rejection is about. */
function findOtherMatches({ view }: Ledger, { declared }: Task, rejection: Rejection) {
  const asked = "sent" in rejection ? rejection.sent.declared : declared;
  const isAsked = (id: string) =>
    rejection.kind === "alike" && rejection.updates.some((each) => each.id === id);
  const others = sortOldestFirst(view.updates).filter(
    (update) => matches(asked, update) && !isAsked(update.id),
  );
  if (others.length === 0) return {};
  return { others: others.map(({ id, created_at: since }) => ({ id, since: since ?? undefined })) };
}

/** Returns the post that is known not to be public after this result. Its note is dropped, so no later run requires a code for it. */
export function findDeniedPost({ phase }: Task, result: TaskResult): UnconfirmedPost | undefined {
  return "denied" in phase && !("rejection" in result) ? phase.denied : undefined;
}

/** Creates the record of a public update. */
export function createRecord(declared: Identity, update: ShownUpdate): PostedUpdate {
  return {
    kind: "posted",
    id: update.id,
    declared,
    published: update,
    createdAt: update.created_at,
    missing: false,
    written: computePublishedVersion(declared, update),
  };
}

/**
 * Returns the version of the content that the resource wrote. An update found by ID may contain later changes by someone else, which aren't
 * part of that version.
 */
function computePublishedVersion(
  declared: Identity,
  { publicIncidentUpdateDate: shown }: ShownUpdate,
): string {
  const { publicIncidentUpdateDate = shown } = declared;
  return computeContentVersion({ ...declared, publicIncidentUpdateDate });
}

export function recordInLedger(ledger: Ledger, task: Task, recorded: UpdateRecord): Ledger {
  const { resource, declared } = task;
  if (recorded.kind === "sent") return withPlan(ledger, resource, { kind: "unsettled", recorded });
  const after = withPlan(ledger, resource, { kind: "keeps", recorded });
  // After a rejected change, no resource declares the update.
  const isRejected = !isEditable(declared) && !isSameDeclaration(declared, recorded.declared);
  return isRejected ? after : withOwner(after, resource, recorded, declared);
}

function finish(ledger: Ledger, task: Task, result: TaskResult): Step {
  return { ledger, task, command: { kind: "finish", result } };
}
