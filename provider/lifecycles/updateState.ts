/**
 * Reads and writes an update in the state: its id and its outputs. The protocol's record is encoded in the outputs, beside the
 * account and service that it belongs to.
 */
import { type Origin, type StatusPageIncidentUpdate } from "../api";
import { InvalidInputError } from "../client";
import { decode, encode, type Posted, type Recorded } from "../protocol";
import { digestOf } from "../texts";
import { type Properties } from "./lifecycle";

export function idsIn(id: string, operation: string): NonNullable<ReturnType<typeof splitId>> {
  const ids = splitId(id);
  if (ids) return ids;
  throw new InvalidInputError(operation, [
    { property: "id", reason: "must be <incidentId>/<incidentUpdateId>" },
  ]);
}

/** Names an update in messages. The service knows none by the id of a resource whose post was unconfirmed. */
export function nameInState(id: string, old: Properties): string {
  const { incidentId, incidentUpdateId } = old;
  if (typeof incidentId !== "string") return `IncidentUpdate ${id}`;
  if (typeof incidentUpdateId === "string") return `IncidentUpdate ${joinId(incidentId, incidentUpdateId)}`;
  return "unconfirmed" in old ? `IncidentUpdate on incident ${incidentId}` : `IncidentUpdate ${id}`;
}

export function idOfUpdate({ declared: { incidentId }, id }: Posted): string {
  return joinId(incidentId, id);
}

export function joinId(incidentId: string, incidentUpdateId: string): string {
  return `${incidentId}/${incidentUpdateId}`;
}

/** The two parts, or undefined for another format. Incident ids contain no slash. */
export function splitId(id: string): { incidentId: string; incidentUpdateId: string } | undefined {
  const slash = id.indexOf("/");
  if (slash < 1 || slash === id.length - 1) return undefined;
  return { incidentId: id.slice(0, slash), incidentUpdateId: id.slice(slash + 1) };
}

/**
 * The id of an update that was sent, until a refresh gives it the one of the update. Not derived from a text: the description
 * may be a secret, and ids are visible.
 */
export function sentId(incidentId: string, nonce: string): string {
  return joinId(incidentId, `update-${digestOf(nonce)}`);
}

/**
 * Undefined for what no program declares: `IncidentUpdate.get` stores any update that the service shows.
 * @throws InvalidInputError when the state can't be read: a value that is missing may be why nothing is posted.
 */
export function recordedIn(id: string, { origin, ...state }: Properties): Recorded | undefined {
  const decoded = decode(state);
  switch (decoded.kind) {
    case "recorded":
      return decoded.recorded;
    case "read":
      return undefined;
    case "unreadable":
      throw unreadable(id, decoded.field);
  }
}

/** Reads the record of an update that a program declares. A state that lacks `past` would pass for one that is only read. */
export function declaredIn(id: string, state: Properties): Recorded {
  const recorded = recordedIn(id, state);
  if (recorded) return recorded;
  throw unreadable(id, "past");
}

const unreadable = (id: string, property: string): InvalidInputError =>
  new InvalidInputError(`IncidentUpdate ${id}`, [{ property, reason: unreadableReason }]);

const unreadableReason =
  "can't be read from the state. Nothing was posted. If a newer version of pulumi-monitoring-service wrote it, install " +
  "that version. If the state was edited, restore it with `pulumi stack import`. Otherwise check the public page, then " +
  "remove the resource from the state with `pulumi state delete`: the next `pulumi up` adopts its update, or posts it if " +
  "the incident doesn't show it";

/** The outputs of a resource. */
export function outputsOf(recorded: Recorded, origin: Origin): Properties {
  const { __resource, position, ...outputs } = encode(recorded);
  return { ...outputs, origin };
}

/** The update as the service shows it. */
export function publishedOf({
  status,
  description,
  publicIncidentUpdateDate,
  notifySubscribers,
}: Partial<StatusPageIncidentUpdate>): Properties {
  return { status, description, publicIncidentUpdateDate, notifySubscribers };
}

/** The outputs of an update that a program only reads. */
export function existingOutputs(
  old: Properties,
  incidentId: string,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const published = publishedOf(update);
  return {
    ...old,
    incidentId,
    ...published,
    notifySubscribers: update.notifySubscribers ?? false,
    incidentUpdateId: update.id,
    createdAt: update.created_at,
    published,
    missing: false,
    origin,
  };
}
