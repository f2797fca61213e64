// Reads a dashboard incident, with all its updates.
import { getIncidentOutput } from "pulumi-monitoring-service";

const incident = getIncidentOutput({
  id: "0c9f7b52-6d1e-4a83-b5f0-2e8d7c6b5a49",
  includeAllIncidentUpdates: true,
});

export const name = incident.name;
export const isOver = incident.apply(({ stoppedAt }) => typeof stoppedAt === "string");
export const updateCount = incident.incidentUpdates.length;
