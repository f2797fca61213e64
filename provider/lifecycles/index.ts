/** Every lifecycle, by the type of its resources. */
import { type ResourceType } from "../resourceTypes";
import { alertChannel } from "./observed/alertChannel";
import { incident } from "./observed/incident";
import { incidentUpdate } from "./incidentUpdate/incidentUpdate";
import { type Lifecycle } from "./lifecycle";
import { statusPage } from "./observed/statusPage";
import { statusPageIncident } from "./observed/statusPageIncident";

export const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {
  AlertChannel: alertChannel,
  Incident: incident,
  IncidentUpdate: incidentUpdate,
  StatusPage: statusPage,
  StatusPageIncident: statusPageIncident,
};
