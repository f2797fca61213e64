/** How a declaration ends: what the state records, and what the run's ledger remembers of it. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Identity, isSameDeclaration } from "./identity";
import { type Ledger, type PastUpdate, type Posted, type Recorded, withOwner, withPlan } from "./ledger";
import { maxCodes } from "./question";
import { type Lineage, pastWith, type Refusal, type Result, type Step, type Task } from "./task";

/** The resource has this update. @param nonce The post that it is known to be of. */
export function done(
  ledger: Ledger,
  task: Task,
  update: StatusPageIncidentUpdate,
  lineage: Lineage,
  nonce?: string,
): Step {
  const posted = recordOf(lineage, task.declared, update);
  const applied = nonce === undefined ? task.applied : [...task.applied, { nonce, id: update.id }];
  return finish(remembered(ledger, task, posted), { ...task, applied }, { kind: "done", posted });
}

/** The resource keeps what it has; the engine replaces it all the same. */
export function unchanged(ledger: Ledger, task: Task, recorded: Posted): Step {
  const posted = { ...recorded, declared: task.declared };
  return finish(remembered(ledger, task, posted), task, { kind: "done", posted });
}

/** @param keep What the state has to record all the same. */
export function failed(
  ledger: Ledger,
  task: Task,
  refusal: Refusal,
  keep: Recorded | undefined = task.kept,
): Step {
  const after = keep === undefined ? ledger : remembered(ledger, task, keep);
  const codes = "codes" in refusal ? { codes: codesToSet(task.codes, refusal.codes) } : {};
  return finish(after, task, { kind: "failed", refusal: { ...refusal, ...codes }, keep });
}

/** `pulumi config set` replaces the codes that are set, and these may answer other questions of the run. All that are asked for, or none. */
function codesToSet(set: readonly string[], asked: readonly string[]): readonly string[] {
  if (asked.length === 0 || asked.length > maxCodes) return [];
  return [...new Set([...set.filter((code) => !asked.includes(code)), ...asked])].slice(-maxCodes);
}

/** What the state records for a public update. */
export function recordOf(lineage: Lineage, declared: Identity, update: StatusPageIncidentUpdate): Posted {
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
  if (recorded.kind === "sent") return withPlan(ledger, resource, { kind: "unsettled", recorded });
  const isGivenUp = declared.onChange === "post" && !isSameDeclaration(declared, recorded.declared);
  if (isGivenUp) return withPlan(ledger, resource, { kind: "replaces", recorded });
  return withPlan(withOwner(ledger, resource, recorded), resource, { kind: "keeps", recorded });
}

function finish(ledger: Ledger, task: Task, result: Result): Step {
  return { ledger, task, command: { do: "finish", result } };
}
