// Reads one update of a status-page incident: the first one.
import { getIncidentUpdateOutput, getStatusPageIncidentOutput } from "pulumi-monitoring-service";

const incidentId = "inc_search_lag";
const { incidentUpdates } = getStatusPageIncidentOutput({ incidentId });

const first = getIncidentUpdateOutput({
  incidentId,
  incidentUpdateId: incidentUpdates.apply((updates) => updates.at(-1)?.id ?? ""),
});

export const status = first.status;
export const description = first.description;
