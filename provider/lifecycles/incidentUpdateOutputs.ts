/** The outputs of an `IncidentUpdate`. */
import { type StatusPageIncidentUpdate } from "../client";
import { type Origin, type StoredOrigin } from "../api/origin";
import { type Inputs } from "./incidentUpdateFields";
import { type Properties } from "./lifecycle";

export function outputsOf(
  declared: Properties,
  update: StatusPageIncidentUpdate,
  origin: StoredOrigin,
): Properties {
  return {
    ...declared,
    incidentUpdateId: update.id,
    createdAt: update.created_at,
    published: publishedOf(update),
    missing: false,
    origin,
  };
}

/** The update as the service shows it. */
export function publishedOf(update: StatusPageIncidentUpdate): Properties {
  const { status, description, publicIncidentUpdateDate, notifySubscribers } = update;
  return { status, description, publicIncidentUpdateDate, notifySubscribers };
}

/** Of an update that a program only reads. */
export function existingOutputs(
  old: Properties,
  incidentId: string,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const { status, description, notifySubscribers, publicIncidentUpdateDate } = update;
  const declared = {
    ...old,
    incidentId,
    status,
    description,
    notifySubscribers: notifySubscribers ?? false,
    publicIncidentUpdateDate,
  };
  return outputsOf(declared, update, withoutRootPath(origin));
}

/** Omits the path "/", which release 0.1.0 did not store: each run reads the origin again, and must not show it as changed. */
function withoutRootPath({ path, ...origin }: Origin): StoredOrigin {
  return path === "/" ? origin : { ...origin, path };
}

/** The inputs that the outputs repeat. */
export function declaredOutputs({ followedBy, __resource, ...declared }: Inputs): Properties {
  return declared;
}
