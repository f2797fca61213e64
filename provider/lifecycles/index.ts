/** Lists the lifecycles of the resource types, which both adapters run with plain values. */
import { type ResourceType } from "../engine";
import { incident } from "./incident";
import { incidentUpdate } from "./incidentUpdate";
import { type Lifecycle } from "./lifecycle";
import { observedAlertChannel, observedStatusPage } from "./observed";

export {
  checkIncident,
  type IncidentImpact,
  type IncidentInputs,
  type IncidentOutputs,
  type PublishedIncident,
} from "./incident";
export {
  type IncidentUpdateInputs,
  type IncidentUpdateOutputs,
  type PublishedIncidentUpdate,
  checkUpdate,
} from "./incidentUpdate";
export {
  type Context,
  toDeclaredInputs,
  type Lifecycle,
  omitAdapterProperties,
  PartialFailureError,
  type Properties,
  type ResourceState,
  hideProperty,
} from "./lifecycle";

export const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {
  AlertChannel: observedAlertChannel,
  Incident: incident,
  IncidentUpdate: incidentUpdate,
  StatusPage: observedStatusPage,
};
