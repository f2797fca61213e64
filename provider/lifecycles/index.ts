/** Every lifecycle, by the type of its resources. */
import { type ResourceType } from "../resourceTypes";
import { alertChannel } from "./alertChannel";
import { incident } from "./incident";
import { incidentUpdate } from "./incidentUpdate";
import { type Lifecycle } from "./lifecycle";
import { statusPage } from "./statusPage";
import { statusPageIncident } from "./statusPageIncident";

export const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {
  AlertChannel: alertChannel,
  Incident: incident,
  IncidentUpdate: incidentUpdate,
  StatusPage: statusPage,
  StatusPageIncident: statusPageIncident,
};
