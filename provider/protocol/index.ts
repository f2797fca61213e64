/**
 * Posts each declared update exactly once, as pure decisions: `begin` a declaration, and `step` with each event until it is finished. A
 * preview takes the same steps without a post, and says what it can {@link foresee} from them.
 */
import { changedIdentity, contentKey, type Declaration, isSameDeclaration, wordsOfEntry } from "./identity";
import { decidePhase, done, failed, stepOfDecision, stepOfPost } from "./decide";
import { type Ledger, type Resource } from "./ledger";
import {
  isShownAsDeclared,
  type Lineage,
  pastOf,
  type Posted,
  publicContent,
  type Recorded,
  redeclared,
  type Sent,
} from "./records";
import { stepOfSearch } from "./search";
import { type Ending, type Event, type Step, type Task } from "./task";

interface Beginning extends Pick<Task, "resource" | "declared" | "nonce" | "isTextSecret" | "codes"> {
  /** The record of the state, if the result of its post is unknown. */
  readonly sent?: Sent;
}

/** Begins a create, or the update of a resource that is unconfirmed. */
export function begin(ledger: Ledger, { sent, ...given }: Beginning): Step {
  const { resource, declared } = given;
  const phase: Task["phase"] = sent
    ? { at: "settle", sent, lookedUp: [], wasRead: false, noted: [] }
    : decidePhase(lineageOf(ledger, resource));
  const task = { ...given, phase, recorded: sent, used: [], remarks: [], applied: [] };
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

/** The content keys of the posts that decide about the task; notes of others aren't read. */
export function contentKeysOf({ declared, phase }: Task): string[] {
  const { followedBy = [] } = declared;
  const later = followedBy.map(wordsOfEntry);
  return [contentKey(declared), ...later, ...("sent" in phase ? [contentKey(phase.sent.declared)] : [])];
}

function lineageOf({ plans }: Ledger, resource: Resource): Lineage {
  const plan = plans.get(resource);
  // Its update may be missing: a new one takes its place, and the earlier ones still count.
  if (plan?.kind === "keeps") return { past: plan.recorded.past };
  if (plan?.kind !== "replaces") return { past: [] };
  return { past: plan.recorded.past, current: pastOf(plan.recorded) };
}

interface Foresight {
  readonly declared: Partial<Declaration>;
  readonly recorded?: Recorded;
  /** The names of values. */
  readonly unknown?: ReadonlySet<string>;
  /** The reason if the service did not respond; empty if it was said before. */
  readonly unread?: string;
  /** True if the result of an earlier update of the incident is unknown. */
  readonly isBehind?: boolean;
}

/**
 * Says what an `up` would make of a declaration.
 *
 * @param ending The end of the steps in a preview; undefined if none were taken, because a value isn't known or the service was silent.
 */
export function foresee({ isBehind = false, ...foresight }: Foresight, ending?: Ending): Ending {
  if (foresight.unread !== undefined || !ending) return withoutReading(foresight);
  const { remarks } = ending;
  // An `up` searches longer than a preview, and while it waits, the update may appear.
  const waits = remarks.some(({ tell }) => tell === "waits");
  if (ending.kind === "posted") {
    const { replaced } = ending;
    const said = replaced?.isRedated === true ? [{ tell: "redated" } as const, ...remarks] : remarks;
    if (isBehind) return { kind: "waits", replaced, remarks: [{ tell: "behind" }, ...said] };
    return waits ? { kind: "waits", replaced, remarks: said } : { ...ending, remarks: said };
  }
  if (ending.kind !== "refused") return ending;
  const { refusal } = ending;
  // The update that is missing may be the one whose result is unknown.
  if (isBehind && (refusal.why === "earlierEntry" || refusal.why === "occurrence"))
    return { kind: "waits", remarks: [{ tell: "behind" }] };
  return waits || refusal.why === "unsettledTwin" ? { kind: "waits", refusal, remarks: [] } : ending;
}

function withoutReading({ declared, recorded, unread, unknown = new Set() }: Foresight): Ending {
  const remarks = unread === undefined ? [] : [{ tell: "unread", why: unread } as const];
  if (recorded === undefined) return { kind: "unknown", remarks };
  if (recorded.kind === "sent") return { kind: "unconfirmed", recorded, remarks };
  const fields = changedIdentity(recorded.declared, declared, unknown).filter((name) => unknown.has(name));
  if (fields.length === 0) return { kind: "kept", recorded, remarks };
  if (declared.onChange !== "refuse")
    return { kind: "unknown", replaced: publicContent(recorded), remarks: [{ tell: "notKnown", fields }] };
  return { kind: "kept", recorded, remarks: [{ tell: "notKnown", fields, isRefused: true }] };
}

export { imported } from "./decide";
export { comparedIncident, type Comparison, diff } from "./diff";
export {
  changedIdentity,
  contentKey,
  type Declaration,
  entryKey,
  isOfEarlierIncident,
  matches,
  ownId,
} from "./identity";
export { type Ledger, newLedger } from "./ledger";
export { codesIn, maxCodes } from "./facts";
export {
  decode,
  encode,
  type PastUpdate,
  type Posted,
  type Recorded,
  redeclared,
  type Sent,
} from "./records";
export type { Command, Ending, Event, NotedPost, Notice, Refusal, Step, Task } from "./task";
