/** Writes and reads what the state has of an `IncidentUpdate`: its ids, the record of the protocol, and what the service showed. */
import { type Origin, type StatusPageIncidentUpdate } from "../api";
import { InvalidInputError } from "../client";
import { decode, encode, type Posted, type Recorded } from "../protocol";
import { digestOf } from "../texts";
import { type Properties } from "./lifecycle";

export interface Ids {
  readonly statusPageId: string | undefined;
  readonly incidentId: string;
  readonly incidentUpdateId: string;
}

/** @param properties Those of the state, or the inputs. */
export function idsOf(
  { declared: { incidentId }, id: incidentUpdateId }: Posted,
  properties: Properties,
): Ids {
  return { statusPageId: pageOf(properties), incidentId, incidentUpdateId };
}

function pageOf({ statusPageId }: Properties): string | undefined {
  return typeof statusPageId === "string" ? statusPageId : undefined;
}

/** Splits an id. Ids of the service contain no slash. @throws InvalidInputError */
export function idsIn(id: string, operation: string): Ids {
  const parts = id.split("/");
  const [incidentUpdateId = "", incidentId = "", statusPageId] = parts.toReversed();
  if (parts.length <= 3 && parts.length >= 2 && !parts.includes(""))
    return { statusPageId, incidentId, incidentUpdateId };
  const reason =
    "must be <incidentId>/<incidentUpdateId> or, on a page with components, <statusPageId>/<incidentId>/<incidentUpdateId>";
  throw new InvalidInputError(operation, [{ property: "id", reason }]);
}

/** Names an update in messages. It omits the id of an unconfirmed one, which the service doesn't know. */
export function nameInState(id: string, old: Properties): string {
  const { incidentId, incidentUpdateId } = old;
  if (typeof incidentId !== "string") return `IncidentUpdate ${id}`;
  if (typeof incidentUpdateId === "string")
    return `IncidentUpdate ${joined(pageOf(old), incidentId, incidentUpdateId)}`;
  return "unconfirmed" in old ? `IncidentUpdate on incident ${incidentId}` : `IncidentUpdate ${id}`;
}

/**
 * Returns the id of a resource. Ids are visible and a text may be a secret, so the id of an unconfirmed update isn't derived from its
 * text. It stays until a refresh.
 */
export function idInState(
  { declared: { incidentId }, ...recorded }: Recorded,
  properties: Properties,
): string {
  const last = recorded.kind === "posted" ? recorded.id : `update-${digestOf(recorded.nonce)}`;
  return joined(pageOf(properties), incidentId, last);
}

function joined(...ids: readonly (string | undefined)[]): string {
  return ids.filter((each) => each !== undefined).join("/");
}

/**
 * Returns undefined for the state of `IncidentUpdate.get`, which stores any update that the service shows.
 * @throws InvalidInputError when the state can't be read: a value that is missing may be why nothing is posted.
 */
export function recordedIn(id: string, { origin, ...state }: Properties): Recorded | undefined {
  const decoded = decode(state);
  if (decoded?.kind === "unreadable") throw unreadable(id, decoded.field);
  return decoded;
}

/** Reads the record of an update that a program declares. A state that lacks `past` would pass for one that is only read. */
export function recordIn(id: string, state: Properties): Recorded {
  const recorded = recordedIn(id, state);
  if (recorded) return recorded;
  throw unreadable(id, "past");
}

function unreadable(id: string, property: string): InvalidInputError {
  const reason =
    "can't be read from the state. Nothing was posted. If a newer version of pulumi-monitoring-service wrote it, install " +
    "that version. If the state was edited, restore it with `pulumi stack import`. Otherwise check the public page, then " +
    "remove the resource from the state with `pulumi state delete`: the next `pulumi up` adopts its update, or posts it if " +
    "the incident doesn't show it";
  return new InvalidInputError(`IncidentUpdate ${id}`, [{ property, reason }]);
}

export function outputsOf(recorded: Recorded, origin: Origin): Properties {
  return { ...encode(recorded), origin };
}

/** The update as the service shows it. */
export function publishedOf({
  status,
  description,
  publicIncidentUpdateDate,
  notifySubscribers,
}: StatusPageIncidentUpdate): Properties {
  return { status, description, publicIncidentUpdateDate, notifySubscribers };
}

/** The outputs of an update that a program only reads. */
export function existingOutputs(
  old: Properties,
  { statusPageId, incidentId }: Ids,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const published = publishedOf(update);
  const { id: incidentUpdateId, created_at: createdAt, notifySubscribers } = update;
  const own = { statusPageId, incidentId, ...published, notifySubscribers: notifySubscribers ?? false };
  return { ...old, ...own, incidentUpdateId, createdAt, published, missing: false, origin };
}
