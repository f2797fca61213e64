/** Holds the information of one run about one container: its updates, their owners, and the plan for each resource. */
import { historyLimit, sortOldestFirst } from "../api";
import {
  getOccurrence,
  isPredictedId,
  matches,
  type Declaration,
  type Identity,
  type ShownUpdate,
} from "./identity";
import {
  matchesOwned,
  type NotedPost,
  type OwnedUpdate,
  toOwnedUpdate,
  type PostedUpdate,
  type UnconfirmedPost,
} from "./records";

export type Resource = string;

export type ResourcePlan = Readonly<
  | { kind: "keeps"; recorded: PostedUpdate }
  /** The update is edited to match the declaration. */
  | { kind: "edits"; recorded: PostedUpdate }
  | { kind: "unsettled"; recorded: UnconfirmedPost }
  /** The engine may replace the resource without calling `diff`. `changed`: fields whose change must be rejected. */
  | { kind: "mayBeReplaced"; changed: readonly string[] }
>;

interface Owner extends OwnedUpdate {
  readonly by: Resource;
  /** The key that identifies it in its timeline ({@link computeEntryKey}). */
  readonly entry?: string | undefined;
  readonly createdAt?: string | null | undefined;
}

/** An incident that a resource of this run declares. */
export interface DeclaredIncident {
  readonly by: Resource;
  /** If this run opens the incident, its ID is predicted ({@link isPredictedId}). */
  readonly recorded: PostedUpdate;
}

export interface Ledger {
  /** The resource that declares the container, which is an incident, with its first update. */
  readonly opener?: { readonly by: Resource; readonly id: string } | undefined;
  /**
   * The updates of the container that this run has read. `complete`: true if these are all updates, not only the latest. `began`: the start
   * of the container, if its page rejects earlier dates.
   */
  readonly view: {
    readonly complete: boolean;
    readonly updates: readonly ShownUpdate[];
    readonly began?: number | undefined;
  };
  readonly owners: ReadonlyMap<string, Owner>;
  readonly plans: ReadonlyMap<Resource, ResourcePlan>;
  /** True if the engine had time to call `diff` for the other resources before anything was rejected or adopted. */
  readonly hasListened: boolean;
  /** Nonces of posts of earlier runs that this run has found, or that a resend code confirms as not public. */
  readonly settled: readonly string[];
}

export function createLedger(): Ledger {
  // Only a read of the history can make the view complete.
  const view = { complete: false, updates: [] };
  return { view, owners: new Map(), plans: new Map(), settled: [], hasListened: false };
}

/** Adds a read of the history. Keeps the updates of earlier reads, because a later read may return older data. */
export function withHistory(ledger: Ledger, shown: readonly ShownUpdate[], began?: number): Ledger {
  const latest = new Set(shown.map(({ id }) => id));
  const earlier = ledger.view.updates;
  const overlaps = earlier.some(({ id }) => latest.has(id));
  const complete = shown.length < historyLimit || (ledger.view.complete && overlaps);
  const updates = [...shown, ...earlier.filter(({ id }) => !latest.has(id))];
  return withFirstUpdate({ ...ledger, view: { complete, updates, began } });
}

/** Records that the resource that declares the incident owns its first update. */
function withFirstUpdate(ledger: Ledger): Ledger {
  const { opener: { by, id: containerId } = {}, view, owners } = ledger;
  const [first] = view.complete ? sortOldestFirst(view.updates) : [];
  if (by === undefined || containerId === undefined || !first || owners.has(first.id)) return ledger;
  const { id, contentKey, created_at: createdAt } = first;
  return { ...ledger, owners: new Map(owners).set(id, { id, contentKey, containerId, by, createdAt }) };
}

/**
 * Finds the incident on this page that an update belongs to, if only one can be meant.
 *
 * @param resources The resources that the incident's ID depends on. Undefined if the program doesn't tell. A preview then only lacks the
 * IDs of incidents that this run opens.
 * @param isPosted True if the update is public. Then it belongs to none of the incidents that this run opens.
 */
export function findDeclaredIncident(
  { plans }: Ledger,
  resources: readonly Resource[] | undefined,
  isPosted: boolean,
): DeclaredIncident | undefined {
  const found = [...plans].flatMap(([by, plan]) => {
    if (plan.kind !== "keeps" && plan.kind !== "edits") return [];
    const { recorded } = plan;
    const isMeant = resources ? resources.includes(by) : isPredictedId(recorded.id);
    return isMeant ? { by, recorded } : [];
  });
  const areOpened = found.every(({ recorded }) => isPredictedId(recorded.id));
  return found.length === 1 || (isPosted && areOpened) ? found[0] : undefined;
}

/** Adds one update. This can't make the view complete, because other new updates may exist. */
export function withUpdate(ledger: Ledger, update: ShownUpdate): Ledger {
  const others = ledger.view.updates.filter(({ id }) => id !== update.id);
  return { ...ledger, view: { ...ledger.view, updates: [update, ...others] } };
}

export function withPlan(ledger: Ledger, resource: Resource, plan: ResourcePlan): Ledger {
  return { ...ledger, plans: new Map(ledger.plans).set(resource, plan) };
}

export function withOwner(
  ledger: Ledger,
  by: Resource,
  posted: PostedUpdate,
  { entry }: Pick<Declaration, "entry">,
): Ledger {
  const owner = { ...toOwnedUpdate(posted), by, entry, createdAt: posted.createdAt };
  return { ...ledger, owners: new Map(ledger.owners).set(posted.id, owner) };
}

/** The owner of an update that the process of a different Provider posted in this run. The note doesn't contain the resource's name. */
export const otherProvider = "";

export function withOwnersFromNotes(
  ledger: Ledger,
  notes: readonly NotedPost[],
  containerId: string,
): Ledger {
  const owners = new Map(ledger.owners);
  for (const { id, contentKey, date, isFromOtherProvider } of notes)
    if (isFromOtherProvider && id !== undefined && !owners.has(id))
      owners.set(id, {
        id,
        contentKey,
        containerId,
        by: otherProvider,
        ...(date !== undefined && { date }),
      });
  return { ...ledger, owners };
}

export function listOtherOwners({ owners }: Ledger, resource: Resource): Owner[] {
  return [...owners.values()].filter(({ by }) => by !== resource);
}

export function findOtherOwner(
  ledger: Ledger,
  resource: Resource,
  id: string | undefined,
): Owner | undefined {
  const owner = ledger.owners.get(id ?? "");
  return owner && owner.by !== resource ? owner : undefined;
}

/** Finds another resource's update that the declaration describes. The entries of one timeline with the same content are distinct. */
export function findTwin(ledger: Ledger, resource: Resource, declared: Declaration): Owner | undefined {
  const occurrence = getOccurrence(declared);
  return listOtherOwners(ledger, resource).find(
    (owner) => matchesOwned(declared, owner) && getOccurrence(owner) === occurrence,
  );
}

/** Finds another resource that sent the declared content, and whose post has an unknown result. */
export function findUnsettledTwin(
  { plans, settled }: Ledger,
  resource: Resource,
  declared: Identity,
): Resource | undefined {
  const twin = [...plans].find(([other, plan]) => {
    if (other === resource || plan.kind !== "unsettled" || settled.includes(plan.recorded.nonce))
      return false;
    const { declared: sent } = plan.recorded;
    return sent.containerId === declared.containerId && matches(declared, sent);
  });
  return twin?.[0];
}

/** Tolerance for the difference between the clocks of the service's nodes. */
export const serviceClockMs = 60_000;
