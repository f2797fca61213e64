// Observes a status-page incident: a refresh shows the updates that others post or change.
import { StatusPageIncident } from "pulumi-monitoring-service";

const incident = new StatusPageIncident("search-lag", {
  incidentId: "inc_search_lag",
  expect: { severity: { oneOf: ["MEDIUM", "MINOR"] } },
});

export const name = incident.name;
export const status = incident.lastUpdateStatus;
export const affected = incident.services.apply((services) => services.map(({ name }) => name));
