// Observes a dashboard incident, with all its updates.
import { Incident } from "pulumi-monitoring-service";

const incident = new Incident("database-upgrade", {
  incidentId: "3e5a1d84-97c2-4b60-8f1d-6a5b4c3d2e1f",
  includeAllIncidentUpdates: true,
  expect: { impact: "MAINTENANCE" },
});

export const name = incident.name;
export const latest = incident.incidentUpdates.apply((updates) => updates.map(({ status }) => status));
