/** Every lifecycle, by the type of its resources. Written by `npm run update`. */
import { type ResourceType } from "./resourceTypes";
import { type Lifecycle } from "./lifecycle";
import { alertChannel } from "./observed/alertChannel";
import { incidentUpdate } from "./incidentUpdate/incidentUpdate";
import { statusPage } from "./observed/statusPage";

export const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {
  AlertChannel: alertChannel,
  IncidentUpdate: incidentUpdate,
  StatusPage: statusPage,
};
