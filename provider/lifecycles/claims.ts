/** Which resources of this process stand for which updates. No two resources may stand for one update. */
import { InvalidInputError } from "../client";
import { type Connection } from "../connection";
import { type Declaration, publicationKey } from "./updateContent";

/** Updates that a create or update of this run posted or adopted. */
const claimed = new Set<string>();
/** Updates that a refresh found for a post whose response was lost. The same resource may be created anew later. */
const confirmed = new Set<string>();
/** Updates of the resources that stay as they are in this run. */
const tracked = new Set<string>();
/** Declarations that the stack remembers as unconfirmed. */
const unconfirmed = new Set<string>();
/** Updates of resources that are replaced in this run: another resource may take them over. */
const released = new Set<string>();
/** The update that a declaration replaces in this run. */
const replacements = new Map<string, string>();

/** Names something of one service. Not by the account: of two names for one account, only one may say its id. */
export function placeOf({ origin }: Connection, ...ids: string[]): string {
  return JSON.stringify([origin.host, origin.path, ...ids]);
}

function declarationKey(connection: Connection, declared: Declaration): string {
  return placeOf(connection, declared.incidentId, publicationKey(declared));
}

/** For a resource that posted the update, found it or adopts it. */
export function claim(connection: Connection, incidentId: string, incidentUpdateId: string): void {
  claimed.add(placeOf(connection, incidentId, incidentUpdateId));
}

/** For a resource that already has the update, and keeps it. Call it once for each resource in a run. */
export function track(connection: Connection, incidentId: string, incidentUpdateId: string): void {
  refuseDuplicate(connection, incidentId, incidentUpdateId);
  tracked.add(placeOf(connection, incidentId, incidentUpdateId));
}

/** @throws InvalidInputError when another resource of the stack stands for the update. */
export function refuseDuplicate(connection: Connection, incidentId: string, incidentUpdateId: string): void {
  const update = placeOf(connection, incidentId, incidentUpdateId);
  if (!claimed.has(update) && !tracked.has(update)) return;
  throw new InvalidInputError(`IncidentUpdate on incident ${incidentId}`, [
    {
      property: "occurrence",
      reason:
        `must tell it from the other resource that declares an identical update (${incidentUpdateId}). Declare the ` +
        "update once; or, to publish an identical one again, set `occurrence: 2` and dependsOn",
    },
  ]);
}

/** For a refresh that found the update; a resource that is created in the same run may claim it. */
export function confirm(connection: Connection, incidentId: string, incidentUpdateId: string): void {
  confirmed.add(placeOf(connection, incidentId, incidentUpdateId));
}

/** Whether this update can't be what became of the lost post of another resource. */
export function isTaken(connection: Connection, incidentId: string, incidentUpdateId: string): boolean {
  const update = placeOf(connection, incidentId, incidentUpdateId);
  return claimed.has(update) || confirmed.has(update);
}

export function isTracked(connection: Connection, incidentId: string, incidentUpdateId: string): boolean {
  return tracked.has(placeOf(connection, incidentId, incidentUpdateId));
}

/** Another resource that declares the same must not adopt what became of the lost post. */
export function noteUnconfirmed(connection: Connection, declared: Declaration): void {
  unconfirmed.add(declarationKey(connection, declared));
}

export function forgetUnconfirmed(connection: Connection, declared: Declaration): void {
  unconfirmed.delete(declarationKey(connection, declared));
}

export function isUnconfirmed(connection: Connection, declared: Declaration): boolean {
  return unconfirmed.has(declarationKey(connection, declared));
}

/** For a resource that is about to stand for another update. */
export function release(connection: Connection, incidentId: string, incidentUpdateId: string): void {
  released.add(placeOf(connection, incidentId, incidentUpdateId));
}

export function isReleased(connection: Connection, incidentId: string, incidentUpdateId: string): boolean {
  return released.has(placeOf(connection, incidentId, incidentUpdateId));
}

/** The engine creates what replaces an update without saying that it does. */
export function noteReplacement(
  connection: Connection,
  declared: Declaration,
  incidentUpdateId: string,
): void {
  replacements.set(declarationKey(connection, declared), incidentUpdateId);
}

/** The id of the update that this declaration replaces, if it does. */
export function replacedBy(connection: Connection, declared: Declaration): string | undefined {
  return replacements.get(declarationKey(connection, declared));
}
