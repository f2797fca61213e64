/**
 * Decides, by pure functions, how each declared update is posted exactly once. `begin` a declaration, then `step` with each event until it
 * is finished. A preview takes the same steps, stops before a post, and reports what it can {@link foresee}.
 */
import { mayBeShownFor } from "./guards";
import {
  areEditable,
  onChangeOf,
  changedIdentity,
  type Declaration,
  isSameDeclaration,
  type Seen,
  wordsOfEntry,
} from "./identity";
import { decidePhase, foreseePost, stepOfDecision, stepOfPost } from "./decide";
import { done, failed } from "./endings";
import { editPhase, foreseeEdit, stepOfEdit } from "./edit";
import { type Ledger, type Plan, type Resource, withHistory, withUpdate } from "./ledger";
import { stepOfMove } from "./move";
import {
  atAddress,
  isShownAsDeclared,
  isUnsure,
  type Lineage,
  pastOf,
  type Posted,
  publicContent,
  type Recorded,
  redeclared,
} from "./records";
import { stepOfSearch } from "./search";
import { type Event, type Foreseen, type Step, type Task } from "./task";

interface Beginning extends Pick<Task, "resource" | "declared" | "nonce" | "isTextSecret" | "codes"> {
  /** What the state records, if the result of its post is unknown, or if its container has another address now. */
  readonly was?: Recorded | undefined;
  readonly isMoved?: boolean;
}

/** Begins a create, or the update of a resource that is unconfirmed, or whose incident has another address now. */
export function begin(ledger: Ledger, { was: given, isMoved: hasMoved = false, ...rest }: Beginning): Step {
  const { resource, declared } = rest;
  const plan = ledger.plans.get(resource);
  // The engine may repeat a failed call with the state from before it, or replace the resource after all.
  const planned = plan && isBegunWith(plan, declared) ? plan : undefined;
  const isMoved = planned
    ? planned.kind === "moves" || ("isMoved" in planned && planned.isMoved === true)
    : hasMoved;
  const was = planned ? planned.recorded : given;
  const here = was && isMoved ? atAddress(declared.containerId, was) : was;
  const sent = here?.kind === "sent" ? here : undefined;
  const phase = here ? searchPhase(here, isMoved) : decidePhase(lineageOf(ledger, resource));
  // A refusal keeps the state with its old address.
  const recorded = isMoved ? undefined : sent;
  const task = { ...rest, phase, recorded, remarks: [], applied: [] };
  if (plan?.kind === "keeps" && !sent && isStill(plan.recorded, declared)) {
    return done(ledger, task, "kept", redeclared(plan.recorded, declared));
  }
  if (sent && sent.declared.containerId !== declared.containerId)
    return failed(ledger, task, { why: "moved", from: sent.declared.containerId });
  return { ledger, task, command: { do: "read", again: false } };
}

/** Whether a task begins with what the plan has recorded: it must not post before that is found, or at all. */
function isBegunWith(
  plan: Plan,
  declared: Declaration,
): plan is Extract<Plan, { kind: "moves" | "unsettled" | "edits" | "keeps" }> {
  const isEdit =
    plan.kind === "keeps" &&
    onChangeOf(declared, changedIdentity(plan.recorded.declared, declared)) === "edit" &&
    !isStill(plan.recorded, declared);
  return plan.kind === "moves" || plan.kind === "unsettled" || plan.kind === "edits" || isEdit;
}

function searchPhase(was: Recorded, isMoved: boolean): Task["phase"] {
  if (was.kind === "sent") return { at: "settle", sent: was, isMoved, lookedUp: [], noted: [] };
  return isMoved ? { at: "move", posted: was, lookedUp: [] } : editPhase(was);
}

/** Takes the result of the last command, and decides the next. */
export function step(before: Ledger, task: Task, event: Event): Step {
  const { phase } = task;
  const ledger = withRead(before, event);
  switch (phase.at) {
    case "decide":
      return stepOfDecision(ledger, { ...task, phase }, event);
    case "post":
      return stepOfPost(ledger, { ...task, phase }, event);
    case "settle":
    case "search":
      return stepOfSearch(ledger, { ...task, phase }, event);
    case "move":
      return stepOfMove(ledger, { ...task, phase }, event);
    case "edit":
      return stepOfEdit(ledger, { ...task, phase }, event);
  }
}

function withRead(ledger: Ledger, event: Event): Ledger {
  if (event.on === "history") return withHistory(ledger, event.shown, event.began);
  return event.on === "update" && event.update ? withUpdate(ledger, event.update) : ledger;
}

/** Whether the resource keeps its update, so that a replacement by the engine posts nothing. */
function isStill(recorded: Posted, declared: Declaration): boolean {
  return (
    !recorded.missing &&
    !isUnsure(recorded, declared) &&
    (isSameDeclaration(recorded.declared, declared) || isShownAsDeclared(recorded, declared))
  );
}

/**
 * Content keys of the posts that matter to the task. Notes with other keys are skipped.
 *
 * @param shown What was read now. What looks like the declared update may have been posted as another one.
 */
export function contentKeysOf(
  { declared, phase }: Task,
  { view }: Ledger,
  shown: readonly Seen[] = [],
): string[] {
  const { followedBy = [] } = declared;
  const later = followedBy.map(wordsOfEntry);
  const all = [...view.updates, ...shown];
  // Where a change is no new post, notes tell whose words an update shows.
  const isPost = declared.onChange === "post";
  const alike = all.filter((update) => !isPost || mayBeShownFor(declared, update)).map(({ words }) => words);
  const sent = "sent" in phase ? [phase.sent.declared.words] : [];
  return [declared.words, ...later, ...alike, ...sent];
}

function lineageOf({ plans }: Ledger, resource: Resource): Lineage {
  const plan = plans.get(resource);
  // A missing update is replaced by a new one; the earlier ones still count.
  if (plan?.kind === "keeps") return { past: plan.recorded.past };
  if (plan?.kind !== "replaces") return { past: [] };
  return { past: plan.recorded.past, current: pastOf(plan.recorded), isMoved: plan.isMoved };
}

interface Foresight {
  readonly declared: Partial<Declaration>;
  readonly recorded?: Recorded;
  /** Names of values that aren't known yet. */
  readonly unknown?: ReadonlySet<string>;
  /** Why the service did not respond; empty if an earlier preview reported it. */
  readonly unread?: string;
  /** True if the result of an earlier update of the container is unknown. */
  readonly isBehind?: boolean;
}

/** Stops a preview at the decision to write, and goes on as if that had been done. */
export function foreseeWrite(
  ledger: Ledger,
  { phase, ...task }: Task,
): { ledger: Ledger; foreseen: Foreseen } {
  if (phase.at === "edit") return foreseeEdit(ledger, { ...task, phase });
  if (phase.at === "post") return foreseePost(ledger, { ...task, phase });
  throw new Error(`A write is foreseen in phase ${phase.at}.`);
}

/**
 * Predicts what an `up` would do with a declaration.
 *
 * @param ending Where the preview's steps ended; undefined if it took none, because a value isn't known or the service did not respond.
 */
export function foresee({ isBehind = false, ...foresight }: Foresight, ending?: Foreseen): Foreseen {
  if (foresight.unread !== undefined || !ending) return withoutReading(foresight);
  const { remarks } = ending;
  // An `up` searches longer than a preview, and while it waits, the update may appear.
  const waits = remarks.some(({ tell }) => tell === "waits" || tell === "early");
  if (ending.kind === "posted") {
    const { replaced } = ending;
    const said = replaced?.isRedated === true ? [{ tell: "redated" } as const, ...remarks] : remarks;
    if (isBehind) return { kind: "waits", replaced, remarks: [{ tell: "behind" }, ...said] };
    return { kind: waits ? "waits" : "posted", replaced, remarks: said };
  }
  if (ending.kind !== "refused") return ending;
  const { refusal } = ending;
  // The update that is missing may be the one whose result is unknown.
  if (isBehind && (refusal.why === "earlierEntry" || refusal.why === "occurrence"))
    return { kind: "waits", remarks: [{ tell: "behind" }] };
  return waits || refusal.why === "unsettledTwin" ? { kind: "waits", refusal, remarks: [] } : ending;
}

function withoutReading({ declared, recorded, unread, unknown = new Set() }: Foresight): Foreseen {
  const remarks = unread === undefined ? [] : [{ tell: "unread", why: unread } as const];
  if (recorded === undefined) return { kind: "unknown", remarks };
  if (recorded.kind === "sent") return { kind: "unconfirmed", remarks };
  const changed = changedIdentity(recorded.declared, declared, unknown);
  const fields = changed.filter((name) => unknown.has(name));
  const onChange = onChangeOf(declared, changed);
  const isStill = fields.length === 0 && (onChange !== "edit" || changed.length === 0);
  if (isStill) return { kind: "kept", recorded, remarks };
  switch (onChange) {
    case "refuse":
      return { kind: "kept", recorded, remarks: [{ tell: "notKnown", fields, isRefused: true }] };
    case "edit": {
      const isEdited = areEditable(changed.filter((name) => name !== "containerId"));
      const fixed = fields.filter((name) => name === "containerId" || !isEdited);
      const notKnown =
        fixed.length > 0
          ? ({ tell: "notKnown", fields: fixed, isRefused: true } as const)
          : ({ tell: "notKnown", fields } as const);
      const told = fields.length === 0 ? remarks : [notKnown];
      if (!isEdited) return { kind: "kept", recorded, remarks: told };
      return { kind: "edited", recorded, was: publicContent(recorded), isUnverified: true, remarks: told };
    }
    case "post":
    case undefined:
      return { kind: "unknown", replaced: publicContent(recorded), remarks: [{ tell: "notKnown", fields }] };
  }
}

export { deniedBy, imported } from "./endings";
export { comparedContainer, type Comparison, diff } from "./diff";
export {
  changedIdentity,
  type Content,
  type Declaration,
  entryKey,
  isOfEarlierContainer,
  type Seen,
  seen,
  worded,
} from "./identity";
export { type Ledger, newLedger, otherProvider, withWanted } from "./ledger";
export { answerableFrom, codesIn, maxCodes, serviceLimits } from "./codes";
export {
  decode,
  encode,
  isKept,
  keptAs,
  type PastUpdate,
  type NotedPost,
  type Posted,
  type Recorded,
  type Sent,
  withNotedEdit,
} from "./records";
export type { Command, Ending, Event, Foreseen, Notice, Refusal, Step, Task } from "./task";
