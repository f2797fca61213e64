// Reads the latest update of a status-page incident.
import { getIncidentUpdateOutput, getStatusPageIncidentOutput } from "pulumi-monitoring-service";

const incidentId = "inc_search_lag";
const incident = getStatusPageIncidentOutput({ incidentId });
const latest = getIncidentUpdateOutput({
  incidentId,
  incidentUpdateId: incident.incidentUpdates[0].id,
});

export const status = latest.status;
export const description = latest.description;
