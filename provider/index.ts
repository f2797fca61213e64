/** The providers that the state of a stack references (`dynamic/serializedProvider.ts`): one per resource type. */
import { Configuration } from "./dynamic/configuration";
import { endWithEngine } from "./engine/engineProcess";
import { DynamicProvider } from "./dynamic/provider";
import { alertChannel } from "./lifecycles/alertChannel";
import { incident } from "./lifecycles/incident";
import { incidentUpdate } from "./lifecycles/incidentUpdate";
import { statusPage } from "./lifecycles/statusPage";
import { statusPageIncident } from "./lifecycles/statusPageIncident";

endWithEngine();

const configuration = new Configuration();

export const AlertChannel = new DynamicProvider(alertChannel, configuration);
export const Incident = new DynamicProvider(incident, configuration);
export const IncidentUpdate = new DynamicProvider(incidentUpdate, configuration);
export const StatusPage = new DynamicProvider(statusPage, configuration);
export const StatusPageIncident = new DynamicProvider(statusPageIncident, configuration);
