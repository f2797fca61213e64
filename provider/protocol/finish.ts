/** How a declaration ends: what the state records, and what the run's ledger remembers of it. */
import { type StatusPageIncidentUpdate } from "../api";
import { isSameDeclaration } from "./content";
import { type Ledger, type PastUpdate, type Posted, type Recorded, withOwner, withPlan } from "./ledger";
import { pastWith, type Refusal, type Result, type Step, type Task } from "./task";

/** The resource has this update. */
export function done(ledger: Ledger, task: Task, update: StatusPageIncidentUpdate, nonce?: string): Step {
  const posted = recordOf(task, task.declared, update);
  const applied = nonce === undefined ? task.applied : [...task.applied, { nonce, id: update.id }];
  return finish(remembered(ledger, task, posted), { ...task, applied }, { kind: "done", posted });
}

/** The resource keeps what it has; the engine replaces it all the same. */
export function kept(ledger: Ledger, task: Task, recorded: Posted): Step {
  const posted = { ...recorded, declared: task.declared };
  return finish(remembered(ledger, task, posted), task, { kind: "done", posted });
}

/** @param keep What the state has to record all the same. */
export function failed(
  ledger: Ledger,
  task: Task,
  refusal: Refusal,
  keep: Recorded | undefined = task.settled ?? task.unsettled,
): Step {
  const after = keep === undefined ? ledger : remembered(ledger, task, keep);
  return finish(after, task, { kind: "failed", refusal, keep });
}

/** The unconfirmed update is settled, and the declaration belongs to another incident. */
export function settledElsewhere(ledger: Ledger, task: Task): Step {
  const { lineage, settled } = task;
  return finish(ledger, task, { kind: "settled", lineage, settled });
}

/** What the state records for a public update. */
export function recordOf(
  { lineage }: Task,
  declared: Posted["declared"],
  update: StatusPageIncidentUpdate,
): Posted {
  return {
    kind: "posted",
    id: update.id,
    declared,
    published: update,
    createdAt: update.created_at,
    missing: false,
    past: pastWith(lineage)
      .filter(({ id }) => id !== update.id)
      .filter(isFirst),
  };
}

function isFirst({ id }: PastUpdate, index: number, all: readonly PastUpdate[]): boolean {
  return all.findIndex((other) => other.id === id) === index;
}

function remembered(ledger: Ledger, { resource, declared }: Task, recorded: Recorded): Ledger {
  if (recorded.kind === "unconfirmed") {
    const plan = ledger.plans.get(resource);
    const isKnown = plan?.kind === "unsettled" && plan.recorded === recorded;
    return isKnown ? ledger : withPlan(ledger, resource, { kind: "unsettled", recorded });
  }
  const isGivenUp = declared.onChange === "post" && !isSameDeclaration(declared, recorded.declared);
  if (isGivenUp) return withPlan(ledger, resource, { kind: "replaces", recorded });
  return withPlan(withOwner(ledger, resource, recorded), resource, { kind: "keeps", recorded });
}

function finish(ledger: Ledger, task: Task, result: Result): Step {
  return { ledger, task, command: { do: "finish", result } };
}
