/** Every lifecycle, by the type of its resources. */
import { type ResourceType } from "./resourceTypes";
import { alertChannel } from "./observed/alertChannel";
import { incidentUpdate } from "./incidentUpdate/incidentUpdate";
import { type Lifecycle } from "./lifecycle";
import { statusPage } from "./observed/statusPage";

export const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {
  AlertChannel: alertChannel,
  IncidentUpdate: incidentUpdate,
  StatusPage: statusPage,
};
