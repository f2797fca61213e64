/** Holds what one run knows about one incident: its updates, which resource has which of them, and what becomes of each resource. */
import { historyLimit, type StatusPageIncidentUpdate } from "../api";
import { canonicalId } from "../texts";
import { type Declaration } from "./identity";
import { type PastUpdate, pastOf, type Posted, type Sent } from "./records";

export type Resource = string;

/** Another resource that has the update. */
export interface Twin {
  readonly by: Resource;
  readonly id: string;
  /** True if the asking resource has an update of its own: then a higher occurrence is no advice. */
  readonly isPosted: boolean;
  /** The difference of the other declaration: it adopted the wrong occurrence after a lost state, or an update that was edited. */
  readonly differs?: "occurrence" | "content";
}

type Plan = Readonly<
  | { kind: "keeps" | "replaces"; recorded: Posted }
  | { kind: "unsettled"; recorded: Sent }
  /** The engine can replace a resource of the stack without asking `diff`. `changed`: fields that may not change, or none. */
  | { kind: "mayBeReplaced"; changed: readonly string[] }
>;

interface Owner extends PastUpdate {
  readonly by: Resource;
  /** The key that its timeline gave it. */
  readonly entry?: string;
}

export interface Ledger {
  /** The service uses the ids of our own, as far as this run knows, or gives its own. `off`: none is sent. */
  readonly ids: "used" | "ignored" | "off";
  /** The updates of the incident that this run has read. `complete`: it has every one, not only the latest. */
  readonly view: { readonly complete: boolean; readonly updates: readonly StatusPageIncidentUpdate[] };
  readonly owners: ReadonlyMap<string, Owner>;
  readonly plans: ReadonlyMap<Resource, Plan>;
  /** The nonces of the posts of earlier runs that this run has settled: found, or not public as the user says. */
  readonly settled: readonly string[];
}

export function newLedger(ids: Ledger["ids"]): Ledger {
  // Nothing is known before the first read, which alone can make the view complete.
  const view = { complete: false, updates: [] };
  return { ids, view, owners: new Map(), plans: new Map(), settled: [] };
}

/** Adds a read of the history. What an earlier read showed still exists: reads may go back in time. */
export function withHistory(ledger: Ledger, shown: readonly StatusPageIncidentUpdate[]): Ledger {
  const latest = new Map(shown.map(canonical).map((update) => [update.id, update]));
  const earlier = ledger.view.updates;
  const overlaps = earlier.some(({ id }) => latest.has(id));
  const complete = shown.length < historyLimit || (ledger.view.complete && overlaps);
  const updates = [...latest.values(), ...earlier.filter(({ id }) => !latest.has(id))];
  return { ...ledger, view: { complete, updates } };
}

/** Adds one update, without a claim that nothing else is new. */
export function withUpdate(ledger: Ledger, shown: StatusPageIncidentUpdate): Ledger {
  const update = canonical(shown);
  const others = ledger.view.updates.filter(({ id }) => id !== update.id);
  return { ...ledger, view: { ...ledger.view, updates: [update, ...others] } };
}

export function canonical(update: StatusPageIncidentUpdate): StatusPageIncidentUpdate {
  const id = canonicalId(update.id);
  return id === update.id ? update : { ...update, id };
}

export function withPlan(ledger: Ledger, resource: Resource, plan: Plan): Ledger {
  return { ...ledger, plans: new Map(ledger.plans).set(resource, plan) };
}

export function withOwner(
  ledger: Ledger,
  { resource: by, declared: { entry } }: { readonly resource: Resource; readonly declared: Declaration },
  posted: Posted,
): Ledger {
  return { ...ledger, owners: new Map(ledger.owners).set(posted.id, { ...pastOf(posted), by, entry }) };
}

export function ownersBut({ owners }: Ledger, resource: Resource): Owner[] {
  return [...owners.values()].filter(({ by }) => by !== resource);
}

export function otherOwner(ledger: Ledger, resource: Resource, id: string | undefined): Owner | undefined {
  const owner = ledger.owners.get(id ?? "");
  return owner && owner.by !== resource ? owner : undefined;
}
