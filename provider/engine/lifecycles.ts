/** Every lifecycle, by the type of its resources. Written by `npm run update`. */
import { type ResourceType } from "./resourceTypes";
import { type Lifecycle } from "../lifecycles/lifecycle";
import { alertChannel } from "../lifecycles/observed/alertChannel";
import { incidentUpdate } from "../lifecycles/incidentUpdate/incidentUpdate";
import { statusPage } from "../lifecycles/observed/statusPage";

export const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {
  AlertChannel: alertChannel,
  IncidentUpdate: incidentUpdate,
  StatusPage: statusPage,
};
