/** The outputs of an `IncidentUpdate`. */
import { type StatusPageIncidentUpdate } from "../client";
import { type Origin } from "../connection";
import { type Inputs } from "./incidentUpdateFields";
import { type Properties } from "./lifecycle";

export function outputsOf(
  declared: Properties,
  update: StatusPageIncidentUpdate,
  origin: Omit<Origin, "path"> & Partial<Origin>,
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

/** The inputs that the outputs repeat. */
export function declaredOutputs({ followedBy, ...declared }: Inputs): Properties {
  return declared;
}
