/** Compares a declaration with the state: what becomes of a resource of the stack, and what the run learns from it. */
import { changedIdentity, type Declaration, type Identity, isOwnId, likelyAttempts } from "./content";
import {
  differenceOf,
  isPublic,
  type Ledger,
  otherOwner,
  type Plan,
  type Posted,
  type Recorded,
  type Resource,
  type Twin,
  withOwner,
  withPlan,
} from "./ledger";
import { type Refusal } from "./task";

export interface Comparison {
  readonly resource: Resource;
  /** What the state records. While the engine only checks, the old inputs: it may then replace the resource without asking. */
  readonly was: Recorded | { readonly kind: "inputs"; readonly declared: Partial<Identity> };
  /** What the program declares, as far as it is known. */
  readonly declared: Partial<Declaration>;
  /** The names of the values that aren't known yet. */
  readonly unknown: ReadonlySet<string>;
}

/** What the run knows about the incident that is declared and, where that is another, about the one before. */
export interface Ledgers {
  readonly now: Ledger;
  readonly before?: Ledger | undefined;
}

export type Difference =
  /** No other update is declared. */
  | { readonly kind: "same" }
  /** The unconfirmed update is searched for first. */
  | { readonly kind: "settle" }
  /** Another update is declared. `uncertain`: only if a value that isn't known yet changes. */
  | { readonly kind: "replace" | "uncertain"; readonly fields: readonly string[] }
  | { readonly kind: "refuse"; readonly refusal: Extract<Refusal, { why: "twin" | "changed" }> };

/** @param ledgers Undefined where nothing is learned: in a refresh, or while the account or the incident isn't known. */
export function diff(
  comparison: Comparison,
  ledgers?: Ledgers,
): { readonly difference: Difference; readonly ledgers?: Ledgers | undefined } {
  const { resource, was, declared, unknown } = comparison;
  const changed = changedIdentity(was.declared, declared, unknown);
  const isRefused = declared.onChange === "refuse";
  if (was.kind === "inputs") {
    const plan = { kind: "checked", changed: certainOf(changed, unknown) } as const;
    const learned = ledgers && isRefused ? withPlans(ledgers, resource, plan) : ledgers;
    return { difference: { kind: "same" }, ledgers: learned };
  }
  const complete = completeOf(comparison);
  const isStill = complete !== undefined && was.kind === "posted" && isPublic(was, complete);
  const fields = isStill ? [] : changed;
  // With a later entry of the timeline unknown, the engine may only ask, and then compare again.
  const learns = ledgers !== undefined && complete !== undefined && unknown.size === 0;
  const { after, twin }: Learning = learns
    ? learn(ledgers, { resource, was, declared: complete, isReplaced: fields.length > 0 })
    : { after: ledgers };
  const certain = certainOf(fields, unknown);
  const difference = (): Difference => {
    if (twin) return { kind: "refuse", refusal: { why: "twin", ...twin } };
    if (was.kind === "unconfirmed") return { kind: "settle" };
    if (fields.length === 0) return { kind: "same" };
    if (certain.length === 0) return { kind: "uncertain", fields };
    if (isRefused) return { kind: "refuse", refusal: { why: "changed", fields: certain } };
    return { kind: "replace", fields };
  };
  return { difference: difference(), ledgers: after };
}

interface Learning {
  readonly after?: Ledgers | undefined;
  readonly twin?: Twin;
}

interface Learned {
  readonly resource: Resource;
  readonly was: Recorded;
  readonly declared: Declaration;
  readonly isReplaced: boolean;
}

function learn(ledgers: Ledgers, { resource, was, declared, isReplaced }: Learned): Learning {
  if (was.kind === "unconfirmed") {
    return { after: withPlans(ledgers, resource, { kind: "unsettled", recorded: was }) };
  }
  const { now, before } = ledgers;
  const known = withIds(before ?? now, was);
  const learned = (ledger: Ledger): Ledgers => (before ? { now, before: ledger } : { now: ledger });
  if (isReplaced) {
    return { after: withPlans(learned(known), resource, { kind: "replaces", recorded: was }) };
  }
  const by = otherOwner(known, resource, was.id);
  if (by !== undefined) {
    const differs = differenceOf(was.declared, known.owners.get(was.id));
    return { after: learned(known), twin: { by, id: was.id, hasOwn: true, differs } };
  }
  // Without a change, the program may declare what its update was edited to.
  const kept = withOwner(known, resource, { ...was, declared });
  return { after: withPlans(learned(kept), resource, { kind: "keeps", recorded: was }) };
}

/** The resource may move to another incident: the plan is known on both. */
function withPlans({ now, before }: Ledgers, resource: Resource, plan: Plan): Ledgers {
  const planned = withPlan(now, resource, plan);
  return before ? { now: planned, before: withPlan(before, resource, plan) } : { now: planned };
}

/** A service that gave an update the id that we sent honours ids. */
function withIds(ledger: Ledger, { id, declared }: Posted): Ledger {
  const isProof = ledger.ids === "unknown" && isOwnId(declared, likelyAttempts, id);
  return isProof ? { ...ledger, ids: "honoured" } : ledger;
}

function certainOf(fields: readonly string[], unknown: ReadonlySet<string>): string[] {
  return fields.filter((name) => !unknown.has(name));
}

/** Undefined while a value isn't known, other than the entries after it. */
function completeOf({ declared, unknown }: Comparison): Declaration | undefined {
  const { incidentId, status, description, notifySubscribers, occurrence, onChange, onUnconfirmed } =
    declared;
  if ([...unknown].some((name) => name !== "followedBy")) return undefined;
  if (incidentId === undefined || status === undefined || description === undefined) return undefined;
  if (notifySubscribers === undefined || occurrence === undefined) return undefined;
  if (onChange === undefined || onUnconfirmed === undefined) return undefined;
  const { publicIncidentUpdateDate, followedBy = unknown.has("followedBy") ? [] : undefined } = declared;
  const content = { incidentId, status, description, publicIncidentUpdateDate, occurrence };
  return { ...content, notifySubscribers, onChange, onUnconfirmed, followedBy };
}
