/**
 * Reads and writes an update in the state: its id and its outputs. The protocol's record is encoded in the outputs, beside the
 * account and service that it belongs to.
 */
import { type Origin, type StatusPageIncidentUpdate } from "../api";
import { InvalidInputError } from "../client";
import { decode, encode, type Recorded } from "../protocol";
import { digestOf } from "../texts";
import { type Properties } from "./lifecycle";

/** Splits an id. Incident ids contain no slash. @throws InvalidInputError */
export function idsIn(id: string, operation: string): { incidentId: string; incidentUpdateId: string } {
  const slash = id.indexOf("/");
  if (slash < 1 || slash === id.length - 1)
    throw new InvalidInputError(operation, [
      { property: "id", reason: "must be <incidentId>/<incidentUpdateId>" },
    ]);
  return { incidentId: id.slice(0, slash), incidentUpdateId: id.slice(slash + 1) };
}

/** Names an update in messages. The service knows none by the id of a resource whose post was unconfirmed. */
export function nameInState(id: string, old: Properties): string {
  const { incidentId, incidentUpdateId } = old;
  if (typeof incidentId !== "string") return `IncidentUpdate ${id}`;
  if (typeof incidentUpdateId === "string") return `IncidentUpdate ${incidentId}/${incidentUpdateId}`;
  return "unconfirmed" in old ? `IncidentUpdate on incident ${incidentId}` : `IncidentUpdate ${id}`;
}

/**
 * The id of a resource. That of an unconfirmed one isn't derived from its text, which may be a secret, where ids are visible. It
 * stays until a refresh.
 */
export function idInState({ declared: { incidentId }, ...recorded }: Recorded): string {
  return `${incidentId}/${recorded.kind === "posted" ? recorded.id : `update-${digestOf(recorded.nonce)}`}`;
}

/**
 * Undefined for what no program declares: `IncidentUpdate.get` stores any update that the service shows.
 * @throws InvalidInputError when the state can't be read: a value that is missing may be why nothing is posted.
 */
export function recordedIn(id: string, { origin, ...state }: Properties): Recorded | undefined {
  const decoded = decode(state);
  if (decoded.kind === "unreadable") throw unreadable(id, decoded.field);
  return decoded.kind === "recorded" ? decoded.recorded : undefined;
}

/** Reads the record of an update that a program declares. A state that lacks `past` would pass for one that is only read. */
export function declaredIn(id: string, state: Properties): Recorded {
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
  const { __resource, position, ...outputs } = encode(recorded);
  return { ...outputs, origin };
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
  incidentId: string,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const published = publishedOf(update);
  const { id: incidentUpdateId, created_at: createdAt, notifySubscribers } = update;
  const own = { incidentId, ...published, notifySubscribers: notifySubscribers ?? false };
  return { ...old, ...own, incidentUpdateId, createdAt, published, missing: false, origin };
}
