/** Writes and reads the ids of an `IncidentUpdate`: of its resource, and of what the service has for it. */
import { InvalidInputError } from "../client";
import { type Posted, type Recorded } from "../protocol";
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
