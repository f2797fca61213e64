/** The state of an `IncidentUpdate`: what the protocol reads of it, and what it stores. */
import { type Origin } from "../../api/origin";
import { InvalidInputError, type StatusPageIncidentUpdate } from "../../client";
import { decode, encode, type Recorded } from "../../protocol";
import { type Properties } from "../lifecycle";

/**
 * Undefined for what no program declares: `IncidentUpdate.get` stores any update that the service shows.
 * @throws InvalidInputError when the state can't be read: what is missing may be why nothing is posted.
 */
export function recordedIn(id: string, { origin, ...state }: Properties): Recorded | undefined {
  const decoded = decode(state);
  switch (decoded.kind) {
    case "recorded":
      return decoded.recorded;
    case "read":
      return undefined;
    case "unreadable":
      throw new InvalidInputError(`IncidentUpdate ${id}`, [
        { property: decoded.field, reason: unreadableReason },
      ]);
  }
}

const unreadableReason =
  "can't be read from the state. Nothing was posted. If a newer version of pulumi-monitoring-service wrote it, install " +
  "that version. If the state was edited, restore it with `pulumi stack import`. Otherwise check the public page, then " +
  "remove the resource from the state with `pulumi state delete`: the next `pulumi up` adopts its update, or posts it if " +
  "the incident doesn't show it";

/** The outputs of a resource. */
export function outputsOf(recorded: Recorded, origin: Origin): Properties {
  const { __resource, entry, ...outputs } = encode(recorded);
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

/** Of an update that a program only reads. */
export function existingOutputs(
  old: Properties,
  incidentId: string,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const {
    id,
    status,
    description,
    notifySubscribers,
    publicIncidentUpdateDate,
    created_at: createdAt,
  } = update;
  return {
    ...old,
    incidentId,
    status,
    description,
    notifySubscribers: notifySubscribers ?? false,
    publicIncidentUpdateDate,
    incidentUpdateId: id,
    createdAt,
    published: publishedOf(update),
    missing: false,
    origin,
  };
}
