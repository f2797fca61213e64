/** Holds what one run knows about one incident: its updates, which resource has which of them, and what becomes of each resource. */
import { historyLimit, type StatusPageIncidentUpdate, sameSecond } from "../api";
import { canonicalId } from "../texts";
import {
  type Content,
  contentKey,
  type Declaration,
  type Identity,
  isSameDeclaration,
  matches,
} from "./identity";

/** Identifies a resource within the run. */
export type Resource = string;

/** An update that a resource had before, recognizable also when the service doesn't show it. */
export interface PastUpdate {
  readonly id: string;
  /** The {@link contentKey}. */
  readonly key: string;
  readonly occurrence: number;
  readonly date?: string | undefined;
  readonly incident: string;
  readonly isByWords?: boolean | undefined;
}

/** A resource whose update is public. */
export interface Posted {
  readonly kind: "posted";
  readonly id: string;
  readonly declared: Identity;
  /** The update as the service showed it last. */
  readonly published?: Content | undefined;
  readonly createdAt?: string | null | undefined;
  /** True if the last refresh didn't find it. */
  readonly missing: boolean;
  /** True if only its words say that it is the declared one: it may have been posted with another date, or with other characters. */
  readonly isByWords?: boolean | undefined;
  readonly past: readonly PastUpdate[];
}

/** The history before a post. */
export interface Snapshot {
  readonly ids: readonly string[];
  /** The latest `created_at`, by the service's clock; undefined when no update had one. */
  readonly newest?: string | undefined;
}

/** A resource whose update was sent, and whose result is unknown. */
export interface Sent {
  readonly kind: "sent";
  readonly declared: Identity;
  readonly seen: Snapshot;
  /** Identifies the note of the post, and the question about it. */
  readonly nonce: string;
  /** The time of the post, in milliseconds since 1970. */
  readonly at: number;
  /**
   * The ids of our own under which it was sent, and last the one under which it is sent again: recorded, because another
   * version may compute others.
   */
  readonly ownIds: readonly string[];
  /** The other object with which the service responded. */
  readonly answered?: string | undefined;
  /** True if the text may have been a secret at the time of the post. */
  readonly isTextSecret: boolean;
  readonly past: readonly PastUpdate[];
}

export type Recorded = Posted | Sent;

/** Another resource that has the update. */
export interface Twin {
  readonly by: Resource;
  readonly id: string;
  /** True if the asking resource has an update of its own: then a higher occurrence is no advice. */
  readonly isPosted: boolean;
  /** The difference of the other declaration: it adopted the wrong occurrence after a lost state, or an update that was edited. */
  readonly differs?: "occurrence" | "content" | undefined;
}

/** The plan for a resource in this run. */
type Plan =
  | { readonly kind: "keeps" | "replaces"; readonly recorded: Posted }
  | { readonly kind: "unsettled"; readonly recorded: Sent }
  /** The engine can replace a resource of the stack without asking `diff`. `changed`: fields that may not change, or none. */
  | { readonly kind: "mayBeReplaced"; readonly changed: readonly string[] };

interface Owner extends PastUpdate {
  readonly by: Resource;
  /** The key that its timeline gave it. */
  readonly entry?: string | undefined;
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

/** The update under the id by which the protocol knows it. */
export function canonical(update: StatusPageIncidentUpdate): StatusPageIncidentUpdate {
  const id = canonicalId(update.id);
  return id === update.id ? update : { ...update, id };
}

export function withPlan(ledger: Ledger, resource: Resource, plan: Plan): Ledger {
  return { ...ledger, plans: new Map(ledger.plans).set(resource, plan) };
}

/** Records that the resource has this update. */
export function withOwner(
  ledger: Ledger,
  { resource: by, declared: { entry } }: { readonly resource: Resource; readonly declared: Declaration },
  posted: Posted,
): Ledger {
  return { ...ledger, owners: new Map(ledger.owners).set(posted.id, { ...pastOf(posted), by, entry }) };
}

export function pastOf({ id, declared, published, isByWords }: Posted): PastUpdate {
  // The service may have changed it.
  const date = declared.publicIncidentUpdateDate ?? published?.publicIncidentUpdateDate;
  const { occurrence, incidentId: incident } = declared;
  const past = { id, key: contentKey(declared), occurrence, incident, ...(date != null && { date }) };
  return isByWords ? { ...past, isByWords } : past;
}

/** The record of an update that another declaration keeps. */
export function redeclared(recorded: Posted, declared: Identity): Posted {
  const [before, after] = [recorded.declared, declared].map((each) => each.publicIncidentUpdateDate);
  const isSameDate = before === after || sameSecond(before, after);
  return { ...recorded, declared, ...(!isSameDate && { isByWords: true }) };
}

/** The content on the public page, as far as the state knows; undefined if a refresh didn't find the update. */
export function publicContent({ missing, published, declared }: Posted): Content | undefined {
  return missing ? undefined : (published ?? declared);
}

/** True if the declaration is one of this update, by the declaration that the program had for it. */
export function declaresPast(declared: Identity, past: Omit<PastUpdate, "id">): boolean {
  const { publicIncidentUpdateDate: date, incidentId } = declared;
  if (past.incident !== incidentId || past.key !== contentKey(declared)) return false;
  return date === undefined || sameSecond(past.date, date);
}

/** Compares the declaration with the one that another resource has for this update. */
export function differenceOf(declared: Identity, past: Omit<PastUpdate, "id">): Twin["differs"] {
  if (!declaresPast(declared, past)) return "content";
  return past.occurrence === declared.occurrence ? undefined : "occurrence";
}

/** The updates that other resources have. */
export function ownersBut({ owners }: Ledger, resource: Resource): Owner[] {
  return [...owners.values()].filter(({ by }) => by !== resource);
}

/** The other resource that has the update. */
export function otherOwner(ledger: Ledger, resource: Resource, id: string | undefined): Owner | undefined {
  const owner = ledger.owners.get(id ?? "");
  return owner && owner.by !== resource ? owner : undefined;
}

/** True if the public update already matches the declaration, although the declaration changed. */
export function isShownAsDeclared(
  { published, missing, declared: recorded }: Posted,
  declared: Declaration,
): boolean {
  if (missing || !published) return false;
  // A timeline counts the occurrences of its entries by itself.
  const isEntry = declared.followedBy !== undefined;
  const before = isEntry ? { ...recorded, occurrence: declared.occurrence } : recorded;
  if (isSameDeclaration(before, declared)) return true;
  const isSamePlace = before.incidentId === declared.incidentId && before.occurrence === declared.occurrence;
  return isSamePlace && matches(declared, published);
}
