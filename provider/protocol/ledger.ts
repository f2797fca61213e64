/** Holds what one run knows about one container: its updates, which resource has which of them, and what happens to each resource. */
import { historyLimit, isNotBefore, sameSecond } from "../api";
import { type Declaration, sortOldestFirst, type NormalizedContent, type ShownUpdate } from "./identity";
import {
  type NotedPost,
  type PastUpdate,
  toPastUpdate,
  type PostedUpdate,
  type UnconfirmedPost,
} from "./records";

export type Resource = string;

/** Another resource that has the update. */
export interface Twin {
  readonly by: Resource;
  readonly id: string;
  /** True if the asking resource has an update of its own: then a higher occurrence is no advice. */
  readonly isPosted: boolean;
  /** How the other declaration differs: its resource adopted the wrong occurrence after a lost state, or an update that was edited. */
  readonly differs?: "occurrence" | "content";
}

/** `isMoved`: the state has the update at another address of the container. */
export type ResourcePlan = Readonly<
  | { kind: "keeps"; recorded: PostedUpdate }
  | { kind: "replaces"; recorded: PostedUpdate; isMoved?: boolean }
  /** The same update is declared at another address. */
  | { kind: "moves"; recorded: PostedUpdate }
  /** The update is edited to what is declared. */
  | { kind: "edits"; recorded: PostedUpdate; isMoved: boolean }
  | { kind: "unsettled"; recorded: UnconfirmedPost; isMoved?: boolean }
  /** The engine may replace the resource without calling `diff`. `changed`: fields that changed, although they must not. */
  | { kind: "mayBeReplaced"; changed: readonly string[] }
>;

interface Owner extends PastUpdate {
  readonly by: Resource;
  /** What its timeline identifies it by. */
  readonly entry?: string;
  readonly createdAt?: string | null | undefined;
}

export interface Ledger {
  /**
   * Updates of the container that this run has read. `complete`: these are all, not only the latest. `began`: the container, on a page that
   * rejects what is of before.
   */
  readonly view: {
    readonly complete: boolean;
    readonly updates: readonly ShownUpdate[];
    readonly began?: number | undefined;
  };
  /** What edits of this run have made of updates, or would: no read of a preview shows that, and one of an `up` may be late. */
  readonly edited: readonly ShownUpdate[];
  /** The words that edits of this run take away, by those words, and the resource that says something else then. */
  readonly taken: ReadonlyMap<string, Resource>;
  /** The words of resources without an update, which the engine creates, and of those that an edit changes, by those words. */
  readonly wanted: ReadonlyMap<string, Resource>;
  readonly owners: ReadonlyMap<string, Owner>;
  readonly plans: ReadonlyMap<Resource, ResourcePlan>;
  /** True if the engine had time to ask about the other resources before anything was refused or adopted. */
  readonly hasListened: boolean;
  /** Nonces of posts of earlier runs that this run has found, or that the user denies. */
  readonly settled: readonly string[];
}

export function createLedger(): Ledger {
  // Nothing is known before the first read, which alone can make the view complete.
  const view = { complete: false, updates: [] };
  return {
    view,
    edited: [],
    taken: new Map(),
    wanted: new Map(),
    owners: new Map(),
    plans: new Map(),
    settled: [],
    hasListened: false,
  };
}

/** Adds a read of the history. Keeps what an earlier read showed, because reads may go back in time. */
export function withHistory(ledger: Ledger, shown: readonly ShownUpdate[], began?: number): Ledger {
  const latest = new Map(shown.map((update) => [update.id, applyOwnEdit(ledger, update)]));
  const earlier = ledger.view.updates;
  const overlaps = earlier.some(({ id }) => latest.has(id));
  const complete = shown.length < historyLimit || (ledger.view.complete && overlaps);
  const updates = [...latest.values(), ...earlier.filter(({ id }) => !latest.has(id))];
  return { ...ledger, view: { complete, updates, began } };
}

/** Adds one update. Other new ones may exist. */
export function withUpdate(ledger: Ledger, shown: ShownUpdate): Ledger {
  const update = applyOwnEdit(ledger, shown);
  const others = ledger.view.updates.filter(({ id }) => id !== update.id);
  return { ...ledger, view: { ...ledger.view, updates: [update, ...others] } };
}

function applyOwnEdit({ edited }: Ledger, shown: ShownUpdate): ShownUpdate {
  return edited.find(({ id }) => id === shown.id) ?? shown;
}

/** An edit makes the update say this. */
export function withEdited(ledger: Ledger, update: ShownUpdate): Ledger {
  const edited = [...ledger.edited.filter(({ id }) => id !== update.id), update];
  return withUpdate({ ...ledger, edited }, update);
}

/** The engine creates a resource: another one may be about to take these words away. */
export function withWanted(ledger: Ledger, by: Resource, { contentKey }: NormalizedContent): Ledger {
  return { ...ledger, wanted: new Map(ledger.wanted).set(contentKey, by) };
}

/** Without keys, a list may have shifted: this edit may want the words that another one takes away. */
export function withTaken(
  ledger: Ledger,
  by: Resource,
  before: NormalizedContent,
  after: Declaration,
): Ledger {
  if (before.contentKey === after.contentKey) return ledger;
  const taking = { ...ledger, taken: new Map(ledger.taken).set(before.contentKey, by) };
  return after.key === undefined ? withWanted(taking, by, after) : taking;
}

export function withPlan(ledger: Ledger, resource: Resource, plan: ResourcePlan): Ledger {
  return { ...ledger, plans: new Map(ledger.plans).set(resource, plan) };
}

export function withOwner(
  ledger: Ledger,
  { resource: by, declared: { entry } }: { readonly resource: Resource; readonly declared: Declaration },
  posted: PostedUpdate,
): Ledger {
  const owner = { ...toPastUpdate(posted), by, entry, createdAt: posted.createdAt };
  return { ...ledger, owners: new Map(ledger.owners).set(posted.id, owner) };
}

/** The resource of an update that the process of another Provider has posted in this run, which only its note tells. */
export const otherProvider = "";

export function withNoted(ledger: Ledger, noted: readonly NotedPost[], container: string): Ledger {
  const owners = new Map(ledger.owners);
  for (const { id, words, occurrence, date, isFromOtherProvider, isReworded } of noted)
    if (isFromOtherProvider && !isReworded && id !== undefined && !owners.has(id))
      owners.set(id, {
        id,
        words,
        occurrence,
        container,
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

/** A tolerance for the clocks of the service's nodes. */
export const serviceClockMs = 60_000;

/**
 * The same update in the history, perhaps with another id: by its words and its date or, if several or none have that, by the time of
 * its creation or its place among those with equal words.
 *
 * @param createdAt When it was created, if that is known. A migration may have created it later, and not earlier.
 */
export function findShownUpdate(
  { view }: Ledger,
  { id, words, date, occurrence }: PastUpdate,
  createdAt?: string | null,
): ShownUpdate | undefined {
  const shown = sortOldestFirst(view.updates);
  const alike = shown.filter((update) => update.contentKey === words);
  const possible = alike.filter((update) => isNotBefore(update.created_at, createdAt, serviceClockMs));
  const dated = possible.filter((update) => sameSecond(update.publicIncidentUpdateDate, date));
  const created = possible.filter((update) => sameSecond(update.created_at, createdAt));
  const [only] = [dated, created].find((each) => each.length === 1) ?? [];
  const byPlace = view.complete ? possible.find((update) => update === alike[occurrence - 1]) : undefined;
  return shown.find((update) => update.id === id) ?? only ?? byPlace;
}

/** The updates that a resource had, with their ids at the new address as far as the history shows them. */
export function remapIds(ledger: Ledger, past: readonly PastUpdate[]): readonly PastUpdate[] {
  return past.map((each) => ({ ...each, id: findShownUpdate(ledger, each)?.id ?? each.id }));
}
