/**
 * Decides, with pure functions, how each declared update is posted exactly once. Call `begin` with a declaration, then `step` with each
 * event until the task is finished. A preview runs the same steps but stops before a write and reports the result of {@link predict}.
 */
import {
  isEditable,
  isOfLocation,
  listChangedFields,
  type Declaration,
  isSameDeclaration,
  type ShownUpdate,
  parseContentKey,
} from "./identity";
import { createDecidePhase, predictPost, stepDecide, stepPost } from "./decide";
import { succeed, fail } from "./results";
import { createEditPhase, predictEdit, stepEdit } from "./edit";
import { type Ledger, type ResourcePlan, withHistory, withUpdate } from "./ledger";
import {
  isShownAsDeclared,
  needsVerification,
  type PostedUpdate,
  getPublicContent,
  type UpdateRecord,
} from "./records";
import { stepSearch } from "./search";
import { type Event, type Prediction, type Step, type Task } from "./task";

interface TaskInput extends Pick<Task, "resource" | "declared" | "nonce" | "isTextSecret" | "codes"> {
  /** The record in the state, if its post is unconfirmed or its update is edited. */
  readonly was?: UpdateRecord | undefined;
}

/** Starts to create a resource, or to update a resource with an unconfirmed post or an edit. */
export function begin(ledger: Ledger, { was, ...rest }: TaskInput): Step {
  const { resource, declared } = rest;
  const plan = ledger.plans.get(resource);
  // Prefer the plan, because the engine may repeat a failed call with the earlier state, or replace the resource after all.
  const record = plan && startsFromRecord(plan, declared) ? plan.recorded : was;
  const sent = record?.kind === "sent" ? record : undefined;
  const phase = record ? createSearchPhase(record) : createDecidePhase();
  const task = { ...rest, phase, recorded: sent, notices: [], applied: [] };
  if (plan?.kind === "keeps" && !sent && isUnchanged(plan.recorded, declared))
    return succeed(ledger, task, "kept", { ...plan.recorded, declared });
  if (sent && isOfLocation(listChangedFields(sent.declared, declared)))
    return fail(ledger, task, { kind: "moved", from: sent.declared.containerId });
  return { ledger, task, command: { kind: "read", again: false } };
}

/** Returns true if the task starts with the record in the plan. It must not post before it finds that update, or must not post at all. */
function startsFromRecord(
  plan: ResourcePlan,
  declared: Declaration,
): plan is Extract<ResourcePlan, { kind: "unsettled" | "edits" | "keeps" }> {
  const isEdit = plan.kind === "keeps" && isEditable(declared) && !isUnchanged(plan.recorded, declared);
  return plan.kind === "unsettled" || plan.kind === "edits" || isEdit;
}

function createSearchPhase(record: UpdateRecord): Task["phase"] {
  if (record.kind === "sent") return { kind: "settle", sent: record, lookedUp: [], notes: [] };
  return createEditPhase(record);
}

/** Processes the result of the last command and decides the next command. */
export function step(before: Ledger, task: Task, event: Event): Step {
  const { phase } = task;
  const ledger = withRead(before, event);
  switch (phase.kind) {
    case "decide":
      return stepDecide(ledger, { ...task, phase }, event);
    case "post":
      return stepPost(ledger, { ...task, phase }, event);
    case "settle":
    case "search":
      return stepSearch(ledger, { ...task, phase }, event);
    case "edit":
      return stepEdit(ledger, { ...task, phase }, event);
  }
}

function withRead(ledger: Ledger, event: Event): Ledger {
  if (event.kind === "history") return withHistory(ledger, event.shown, event.began);
  return event.kind === "update" && event.update ? withUpdate(ledger, event.update) : ledger;
}

/** Returns true if the resource keeps its update, so that a replacement by the engine posts nothing. */
function isUnchanged(recorded: PostedUpdate, declared: Declaration): boolean {
  return (
    !recorded.missing &&
    !needsVerification(recorded, declared) &&
    (isSameDeclaration(recorded.declared, declared) || isShownAsDeclared(recorded, declared))
  );
}

/**
 * Lists the content keys of the posts that are relevant to the task. Notes with other keys are skipped.
 *
 * @param shown The updates that were just read. Their notes show which resource wrote their content.
 */
export function listContentKeys(
  { declared, phase }: Task,
  { view }: Ledger,
  shown: readonly ShownUpdate[] = [],
): string[] {
  const { followedBy = [] } = declared;
  const later = followedBy.map(parseContentKey);
  const all = [...view.updates, ...shown];
  const sent = "sent" in phase ? [phase.sent.declared.contentKey] : [];
  return [declared.contentKey, ...later, ...all.map(({ contentKey }) => contentKey), ...sent];
}

interface PredictionInput {
  readonly declared: Partial<Declaration>;
  readonly recorded?: UpdateRecord;
  /** Names of the fields whose values are unknown. */
  readonly unknown?: ReadonlySet<string>;
  /** The reason why the service didn't respond. Empty if an earlier preview reported it. */
  readonly unread?: string;
  /** True if the result of an earlier update of the container is unknown. */
  readonly isBehind?: boolean;
}

/** Returns the ledger of a preview as if the next write had succeeded. */
export function predictWrite(
  ledger: Ledger,
  { phase, ...task }: Task,
): { ledger: Ledger; prediction: Prediction } {
  if (phase.kind === "edit") return predictEdit(ledger, { ...task, phase });
  if (phase.kind === "post") return predictPost(ledger, { ...task, phase });
  throw new Error(`A write is predicted in phase ${phase.kind}.`);
}

/**
 * Predicts the result of `pulumi up` for a declaration.
 *
 * @param prediction The result of the preview's steps. Undefined if it ran none, because a value is unknown or the service didn't respond.
 */
export function predict(
  { isBehind = false, ...input }: PredictionInput,
  prediction?: Prediction,
): Prediction {
  if (input.unread !== undefined || !prediction) return predictWithoutRead(input);
  const { notices } = prediction;
  // `pulumi up` searches longer than a preview, and the update may appear while it waits.
  const waits = notices.some(({ kind }) => kind === "waits" || kind === "early");
  if (prediction.kind === "posted") {
    if (isBehind) return { kind: "waits", notices: [{ kind: "behind" }, ...notices] };
    return { kind: waits ? "waits" : "posted", notices };
  }
  if (prediction.kind !== "refused") return prediction;
  const { rejection } = prediction;
  // The missing update may be the one whose post has an unknown result.
  if (isBehind && rejection.kind === "earlierEntry") return { kind: "waits", notices: [{ kind: "behind" }] };
  const isUnsettled = rejection.kind === "twin" && rejection.id === undefined;
  return waits || isUnsettled ? { kind: "waits", rejection, notices: [] } : prediction;
}

function predictWithoutRead({
  declared,
  recorded,
  unread,
  unknown = new Set(),
}: PredictionInput): Prediction {
  const notices = unread === undefined ? [] : [{ kind: "unread", why: unread } as const];
  if (recorded === undefined) return { kind: "unknown", notices };
  if (recorded.kind === "sent") return { kind: "unconfirmed", notices };
  const changed = listChangedFields(recorded.declared, declared, unknown);
  const fields = changed.filter((name) => unknown.has(name));
  const moved = fields.filter((name) => isOfLocation([name]));
  const isEdited = isEditable(declared, unknown) && changed.some((name) => !isOfLocation([name]));
  const isRejected = !isEdited || moved.length > 0;
  const notKnown = {
    kind: "notKnown",
    fields: isEdited && isRejected ? moved : fields,
    ...(isRejected && { isRejected }),
  } as const;
  const allNotices = fields.length === 0 ? notices : [notKnown];
  if (!isEdited) return { kind: "kept", recorded, notices: allNotices };
  return {
    kind: "edited",
    recorded,
    was: getPublicContent(recorded),
    isUnverified: true,
    notices: allNotices,
  };
}

export { canBeNamed, isCreatedBy } from "./guards";
export { findDeniedPost, createRecord } from "./results";
export { getComparedContainerId, type Comparison, diff } from "./diff";
export {
  listChangedFields,
  type Content,
  type Declaration,
  getOccurrence,
  isEditable,
  isPredictedId,
  isFromEarlierContainer,
  type ShownUpdate,
  normalizeUpdate,
  normalizeContent,
} from "./identity";
export {
  createLedger,
  type DeclaredIncident,
  findDeclaredIncident,
  type Ledger,
  otherProvider,
} from "./ledger";
export { getCodeStart, serviceLimits } from "./codes";
export {
  decode,
  encode,
  formatVersion,
  type IdNames,
  isKept,
  toKeptRecord,
  type NotedPost,
  type PostedUpdate,
  type UpdateRecord,
  type UnconfirmedPost,
  withNotedEdit,
} from "./records";
export type { Command, TaskResult, Event, Prediction, Notice, Rejection, Step, Task } from "./task";
