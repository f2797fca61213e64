/** Exactly once, as pure decisions: `begin` a declaration, and `step` with each event until it is finished. */
import { choose } from "./choose";
import { type Declaration, isSameDeclaration, ownId } from "./content";
import { failed, kept, settledElsewhere } from "./finish";
import { isPublic, type Ledger, pastOf, type Posted, type Resource, type Unconfirmed } from "./ledger";
import { isIdentical, stepOfPost } from "./post";
import { stepOfSearch, withRead } from "./search";
import { stepOfSettling } from "./settle";
import { type Event, type Lineage, type Step, type Task } from "./task";

interface Beginning {
  readonly resource: Resource;
  readonly declared: Declaration;
  /** Identifies the note of the post. */
  readonly nonce: string;
  /** What the state records, when that is an unconfirmed update. */
  readonly unsettled?: Unconfirmed | undefined;
  /** What the resource had on another incident. */
  readonly from?: { readonly lineage: Lineage; readonly settled?: Posted | undefined } | undefined;
}

/** Begins a create, or the update of a resource that is unconfirmed. */
export function begin(ledger: Ledger, beginning: Beginning): Step {
  const { resource, declared, nonce, unsettled, from } = beginning;
  const plan = ledger.plans.get(resource);
  const settles = unsettled !== undefined && unsettled.nothingSent !== true;
  const isSame = unsettled !== undefined && isSameDeclaration(declared, unsettled.declared);
  const consents = isSame && !settles && declared.onUnconfirmed === "resend" && !unsettled.consumed;
  const task: Task = {
    resource,
    declared,
    nonce,
    phase: settles ? "settle" : "observe",
    lineage: from?.lineage ?? lineageOf(ledger, resource, unsettled),
    unsettled,
    consent: consents ? { isSame: true, nonce: unsettled.about, others: unsettled.alsoAbout } : undefined,
    settled: from?.settled,
    attempt: isSame ? (unsettled.attempt ?? 0) : 0,
    asked: [],
    ours: [],
    wasRead: false,
    notices: [],
    applied: [],
  };
  if (plan?.kind === "keeps" && !unsettled && isStill(plan.recorded, declared))
    return kept(ledger, task, plan.recorded);
  // Of an update that was only refused on another incident, nothing is left.
  if (!settles && unsettled && unsettled.declared.incidentId !== declared.incidentId) {
    return settledElsewhere(ledger, task);
  }
  return { ledger, task, command: { do: "read", again: false } };
}

/** Whether the resource keeps this update, so that a replacement by the engine changes nothing. */
function isStill(recorded: Posted, declared: Declaration): boolean {
  return (
    !recorded.missing && (isSameDeclaration(recorded.declared, declared) || isPublic(recorded, declared))
  );
}

function lineageOf({ plans }: Ledger, resource: Resource, unsettled: Unconfirmed | undefined): Lineage {
  if (unsettled) return { past: unsettled.past };
  const plan = plans.get(resource);
  // The service may not show its update any more: a new one replaces it, and the earlier ones stay known.
  if (plan?.kind === "keeps") return { past: plan.recorded.past };
  if (plan?.kind !== "replaces") return { past: [] };
  return { past: plan.recorded.past, current: pastOf(plan.recorded) };
}

/** Takes the result of the last command, and decides the next. */
export function step(ledger: Ledger, task: Task, event: Event): Step {
  if (task.phase === "settle" && task.unsettled) return stepOfSettling(ledger, task, task.unsettled, event);
  if (task.phase === "search") return stepOfSearch(ledger, task, event);
  return stepOfDeclaring(ledger, task, event);
}

function stepOfDeclaring(before: Ledger, given: Task, event: Event): Step {
  const [ledger, task] = withRead(before, given, event);
  switch (event.on) {
    case "history":
      return choose(ledger, task, event);
    case "update": {
      const isOurs = event.update !== undefined && isIdOfDeclared(task, event);
      return choose(ledger, isOurs ? { ...task, ours: [...task.ours, event.id] } : task, event);
    }
    case "readFailed": {
      const { waitsUntil = 0 } = task;
      const waits = !event.incidentMissing && event.now < waitsUntil;
      if (waits) return { ledger, task, command: { do: "read", again: true, until: waitsUntil } };
      return failed(ledger, task, { why: "failed", text: event.text });
    }
    case "timeUp":
      return failed(ledger, task, { why: "failed", text: event.text ?? "" });
    default:
      return stepOfPost(ledger, task, event);
  }
}

/** Whether the update was sent for this declaration, by its id or by a note of this machine. */
function isIdOfDeclared(
  { declared, attempt }: Task,
  { id, sent }: Extract<Event, { on: "update" }>,
): boolean {
  return (
    id === ownId(declared, attempt) || sent.some((post) => post.id === id && isIdentical(declared, post))
  );
}

export * from "./codec";
export * from "./content";
export * from "./diff";
export * from "./ledger";
export { recheck } from "./search";
export * from "./task";
