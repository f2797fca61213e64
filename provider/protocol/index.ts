/** Posts each declared update exactly once, as pure decisions: `begin` a declaration, and `step` with each event until it is finished. */
import { type Declaration, isSameDeclaration } from "./identity";
import { decidePhase, done, failed, stepOfDecision, stepOfPost } from "./decide";
import { type Ledger, type Resource } from "./ledger";
import { isShownAsDeclared, type Lineage, pastOf, type Posted, redeclared, type Sent } from "./records";
import { stepOfSearch } from "./search";
import { type Event, type Step, type Task } from "./task";

interface Beginning {
  readonly resource: Resource;
  readonly declared: Declaration;
  /** Identifies the note of the post. */
  readonly nonce: string;
  /** True if the text may be a secret. Default: true. */
  readonly isTextSecret?: boolean | undefined;
  /** The codes with which the user answers questions. */
  readonly codes: readonly string[];
  /** The record of the state, if the result of its post is unknown. */
  readonly sent?: Sent | undefined;
}

/** Begins a create, or the update of a resource that is unconfirmed. */
export function begin(ledger: Ledger, beginning: Beginning): Step {
  const { resource, declared, nonce, isTextSecret = true, codes, sent } = beginning;
  const phase: Task["phase"] = sent
    ? { at: "settle", sent, lookedUp: [], wasRead: false }
    : decidePhase(lineageOf(ledger, resource));
  const task = {
    resource,
    declared,
    nonce,
    isTextSecret,
    codes,
    phase,
    kept: sent,
    used: [],
    remarks: [],
    applied: [],
  };
  const plan = ledger.plans.get(resource);
  if (plan?.kind === "keeps" && !sent && isStill(plan.recorded, declared)) {
    return done(ledger, task, "kept", redeclared(plan.recorded, declared));
  }
  if (sent && sent.declared.incidentId !== declared.incidentId)
    return failed(ledger, task, { why: "moved", from: sent.declared.incidentId });
  return { ledger, task, command: { do: "read", again: false } };
}

/** Takes the result of the last command, and decides the next. */
export function step(ledger: Ledger, task: Task, event: Event): Step {
  const { phase } = task;
  switch (phase.at) {
    case "decide":
      return stepOfDecision(ledger, { ...task, phase }, event);
    case "post":
      return stepOfPost(ledger, { ...task, phase }, event);
    case "settle":
    case "search":
      return stepOfSearch(ledger, { ...task, phase }, event);
  }
}

/** True if the resource keeps this update, so that a replacement by the engine changes nothing. */
function isStill(recorded: Posted, declared: Declaration): boolean {
  return (
    !recorded.missing &&
    (isSameDeclaration(recorded.declared, declared) || isShownAsDeclared(recorded, declared))
  );
}

function lineageOf({ plans }: Ledger, resource: Resource): Lineage {
  const plan = plans.get(resource);
  // Its update may be missing: a new one takes its place, and the earlier ones still count.
  if (plan?.kind === "keeps") return { past: plan.recorded.past };
  if (plan?.kind !== "replaces") return { past: [] };
  return { past: plan.recorded.past, current: pastOf(plan.recorded) };
}

export { comparedIncident, type Comparison, diff } from "./diff";
export { foresee } from "./foresee";
export {
  changedIdentity,
  contentKey,
  contentKeys,
  type Declaration,
  entryKey,
  isOfEarlierIncident,
  matches,
  oldestFirst,
  ownId,
} from "./identity";
export { type Ledger, newLedger } from "./ledger";
export { codesIn, maxCodes } from "./question";
export {
  decode,
  encode,
  isShownAsDeclared,
  type PastUpdate,
  type Posted,
  type Recorded,
  redeclared,
  type Sent,
} from "./records";
export type { Command, Ending, Event, NotedPost, Notice, Refusal, Step, Task } from "./task";
