/** Tracks which resources of this process own which updates. Two resources must not own the same update. */
import { InvalidInputError } from "../client";
import { type Connection } from "../connection";
import { type Declaration, publicationKey } from "./updateContent";

/** Updates that a create or update posted or adopted in this run, and the resource. */
const claimed = new Map<string, string | undefined>();
/** Updates that a refresh found for a post without a response. The same resource may be created again later. */
const confirmed = new Set<string>();
/** Updates of resources that `diff` keeps, and the resource. The engine may replace it all the same. */
const tracked = new Map<string, string | undefined>();
/** Declarations that the state records as unconfirmed. */
const unconfirmed = new Set<string>();
/** Updates of resources that this run replaces. Another resource may adopt them. */
const released = new Set<string>();
/** The update that each declaration replaces in this run. */
const replacements = new Map<string, string>();

/**
 * A key for an object of one service. Excludes the account: two configured names may refer to one account, and only one
 * of them may state its id.
 */
export function serviceKey({ origin }: Connection, ...ids: string[]): string {
  return JSON.stringify([origin.host, origin.path, ...ids]);
}

function declarationKey(connection: Connection, declared: Declaration): string {
  return serviceKey(connection, declared.incidentId, publicationKey(declared));
}

/** Records a resource that posted, found or adopted the update. */
export function claim(
  connection: Connection,
  incidentId: string,
  incidentUpdateId: string,
  resource: string | undefined,
): void {
  claimed.set(serviceKey(connection, incidentId, incidentUpdateId), resource);
}

/** Records a resource that keeps its update. */
export function track(
  connection: Connection,
  incidentId: string,
  incidentUpdateId: string,
  resource: string | undefined,
): void {
  assertNotOwned(connection, incidentId, incidentUpdateId, resource);
  tracked.set(serviceKey(connection, incidentId, incidentUpdateId), resource);
}

/** @throws InvalidInputError when another resource of the stack owns the update. */
export function assertNotOwned(
  connection: Connection,
  incidentId: string,
  incidentUpdateId: string,
  resource: string | undefined,
): void {
  const update = serviceKey(connection, incidentId, incidentUpdateId);
  if (!isAnothers(claimed, update, resource) && !isAnothers(tracked, update, resource)) return;
  throw new InvalidInputError(`IncidentUpdate on incident ${incidentId}`, [
    {
      property: "occurrence",
      reason:
        `must differ from that of the other resource that declares an identical update (${incidentUpdateId}). Declare the ` +
        "update once; or, to publish it again, set the next free `occurrence` and `dependsOn`",
    },
  ]);
}

function isAnothers(
  owners: ReadonlyMap<string, string | undefined>,
  update: string,
  resource: string | undefined,
): boolean {
  return owners.has(update) && (resource === undefined || owners.get(update) !== resource);
}

/** Records an update that a refresh found. A resource that is created in the same run may claim it. */
export function confirm(connection: Connection, incidentId: string, incidentUpdateId: string): void {
  confirmed.add(serviceKey(connection, incidentId, incidentUpdateId));
}

/** Whether the update belongs to another resource, so that it cannot be the lost post of this one. */
export function isTaken(
  connection: Connection,
  incidentId: string,
  incidentUpdateId: string,
  resource: string | undefined,
): boolean {
  const update = serviceKey(connection, incidentId, incidentUpdateId);
  return isAnothers(claimed, update, resource) || confirmed.has(update);
}

export function isTracked(connection: Connection, incidentId: string, incidentUpdateId: string): boolean {
  return tracked.has(serviceKey(connection, incidentId, incidentUpdateId));
}

/** Prevents another resource with the same declaration from adopting the lost post. */
export function noteUnconfirmed(connection: Connection, declared: Declaration): void {
  unconfirmed.add(declarationKey(connection, declared));
}

export function forgetUnconfirmed(connection: Connection, declared: Declaration): void {
  unconfirmed.delete(declarationKey(connection, declared));
}

export function isUnconfirmed(connection: Connection, declared: Declaration): boolean {
  return unconfirmed.has(declarationKey(connection, declared));
}

/** Records a resource that is about to be replaced. */
export function release(connection: Connection, incidentId: string, incidentUpdateId: string): void {
  released.add(serviceKey(connection, incidentId, incidentUpdateId));
}

export function isReleased(connection: Connection, incidentId: string, incidentUpdateId: string): boolean {
  return released.has(serviceKey(connection, incidentId, incidentUpdateId));
}

/** Records a replacement: the engine does not tell `create` that it replaces a resource. */
export function noteReplacement(
  connection: Connection,
  declared: Declaration,
  incidentUpdateId: string,
): void {
  replacements.set(declarationKey(connection, declared), incidentUpdateId);
}

/** The id of the update that this declaration replaces, if any. */
export function replacedBy(connection: Connection, declared: Declaration): string | undefined {
  return replacements.get(declarationKey(connection, declared));
}
