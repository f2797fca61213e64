/** Lists the lifecycles of the resource types, which both adapters run with plain values. */
import { type ResourceType } from "../engine";
import { incidentUpdate } from "./incidentUpdate";
import { type Lifecycle } from "./lifecycle";
import { alertChannel, statusPage } from "./observed";

export {
  type IncidentUpdateInputs,
  type IncidentUpdateOutputs,
  type PublishedIncidentUpdate,
} from "./incidentUpdateFields";
export { type Context, type Lifecycle, PartialFailureError, type Properties } from "./lifecycle";
export { messageOf, PlainLifecycle, withoutValue } from "./plainLifecycle";

/** Every lifecycle, by the type of its resources. */
export const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {
  AlertChannel: alertChannel,
  IncidentUpdate: incidentUpdate,
  StatusPage: statusPage,
};
