// Reads a status-page incident with its updates.
import { getStatusPageIncidentOutput } from "pulumi-monitoring-service";

const incident = getStatusPageIncidentOutput({ incidentId: "inc_login_loop" });

export const status = incident.lastUpdateStatus;
export const history = incident.incidentUpdates.apply((updates) => updates.map(({ status }) => status));
