/** Compares a declaration with the state, decides what happens to the resource, and records the plan for it in the run's ledger. */
import { isAnotherUpdate } from "./edit";
import {
  listChangedFields,
  type Declaration,
  type Identity,
  canEdit,
  isEditable,
  isOfLocation,
} from "./identity";
import { type Ledger, findOtherOwner, type Resource, withOwner, withPlan } from "./ledger";
import {
  getPublicContent,
  isShownAsDeclared,
  needsVerification,
  withDeclaredDate,
  type UpdateRecord,
} from "./records";
import { type Rejection } from "./task";

export interface Comparison {
  readonly resource: Resource;
  /** The record in the state or, in a `check`, the old inputs, because the engine may then replace the resource without calling `diff`. */
  readonly was: UpdateRecord | { readonly kind: "inputs"; readonly declared: Partial<Identity> };
  readonly declared: Partial<Declaration>;
  readonly unknown: ReadonlySet<string>;
}

export type Difference = Readonly<
  /** The same update is declared, as far as values are known. */
  | { kind: "same" }
  | { kind: "settle" }
  /** `fields`: the declared changes. Empty if only a change on the service, or an unknown result of an earlier edit, must be verified. */
  | { kind: "edit"; fields: readonly string[] }
  | { kind: "reject"; rejection: Extract<Rejection, { kind: "twin" | "changed" | "keyReused" }> }
>;

/** Returns the ID of the container whose ledger `diff` updates. An unconfirmed post remains in the container that it was sent to. */
export function getComparedContainerId({ was, declared }: Comparison): string | undefined {
  return was.kind === "sent" ? was.declared.containerId : declared.containerId;
}

/**
 * @param before The ledger of the compared container ({@link getComparedContainerId}). Undefined in a refresh, and while the account or the
 * container is unknown.
 */
export function diff(
  comparison: Comparison,
  before?: Ledger,
): { readonly difference: Difference; readonly ledger?: Ledger } {
  const { resource, declared, unknown, was: previous } = comparison;
  const changed = listChangedFields(previous.declared, declared, unknown);
  if (previous.kind === "inputs") {
    const plan = { kind: "mayBeReplaced", changed: omitUnknown(changed, unknown) } as const;
    return { difference: { kind: "same" }, ledger: before && withPlan(before, resource, plan) };
  }
  const complete = toCompleteDeclaration(comparison);
  const isStill =
    complete !== undefined && previous.kind === "posted" && isShownAsDeclared(previous, complete);
  const fields = isStill ? [] : changed;
  // Don't update the ledger while a later entry of the timeline is unknown. The engine calls `diff` again once it is known.
  const updatesLedger = before !== undefined && complete !== undefined && unknown.size === 0;
  const certain = omitUnknown(fields, unknown);
  const isUnsettled = previous.kind === "posted" && needsVerification(previous, declared);
  const isEdited = certain.length === 0 ? isUnsettled : canEdit(declared, certain, unknown);
  const isRejected = fields.length > 0 && !isEdited;
  const { ledger, twin }: ReturnType<typeof recordPlan> = updatesLedger
    ? recordPlan(before, comparison, previous, complete, { isEdited, isRejected })
    : {};
  const difference = (): Difference => {
    if (twin) return { kind: "reject", rejection: { kind: "twin", ...twin } };
    if (previous.kind === "sent") return { kind: "settle" };
    const published = getPublicContent(previous);
    const shown = published && withDeclaredDate(published, previous.declared);
    if (isEdited && isAnotherUpdate(previous.declared, declared))
      return { kind: "reject", rejection: { kind: "keyReused", shown } };
    if (isEdited) return { kind: "edit", fields: certain };
    // When the engine replaces a dependency, it calls `diff` with unknown values. If `diff` then returned a replacement, the engine would
    // replace this resource as well, without calling `diff` again once the values are known.
    if (certain.length === 0) return { kind: "same" };
    const rejected = isEditable(declared) ? certain.filter((name) => isOfLocation([name])) : certain;
    const { containerId: from } = previous.declared;
    return { kind: "reject", rejection: { kind: "changed", fields: rejected, shown, from } };
  };
  return { difference: difference(), ledger };
}

function recordPlan(
  before: Ledger,
  { resource }: Comparison,
  record: UpdateRecord,
  declared: Declaration,
  { isEdited, isRejected }: { readonly isEdited: boolean; readonly isRejected: boolean },
): { readonly ledger?: Ledger; readonly twin?: { readonly by: Resource; readonly id: string } } {
  if (record.kind === "sent")
    return { ledger: withPlan(before, resource, { kind: "unsettled", recorded: record }) };
  // After a rejected change, no resource declares the update.
  if (isRejected) return { ledger: withPlan(before, resource, { kind: "keeps", recorded: record }) };
  const owner = findOtherOwner(before, resource, record.id);
  if (owner) return { twin: { by: owner.by, id: owner.id } };
  // A program may declare the text that a user wrote on the service. That isn't a change of the update.
  const recorded = { ...record, declared };
  const owned = withOwner(before, resource, recorded, declared);
  const plan = isEdited
    ? ({ kind: "edits", recorded: record } as const)
    : ({ kind: "keeps", recorded } as const);
  return { ledger: withPlan(owned, resource, plan) };
}

function omitUnknown(fields: readonly string[], unknown: ReadonlySet<string>): string[] {
  return fields.filter((name) => !unknown.has(name));
}

/** Returns undefined while a value is unknown. `followedBy` isn't required, because it is unknown while the text of any entry is. */
function toCompleteDeclaration({ declared, unknown }: Comparison): Declaration | undefined {
  const { followedBy = unknown.has("followedBy") ? [] : undefined } = declared;
  const isKnown = [...unknown].every((name) => name === "followedBy");
  return isKnown && isComplete(declared) ? { ...declared, followedBy } : undefined;
}

const required = ["containerId", "status", "description", "notifySubscribers"] as const;

function isComplete(declared: Partial<Declaration>): declared is Declaration {
  return required.every((name) => declared[name] !== undefined);
}
