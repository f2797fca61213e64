// Watches an incident on the status pages: a refresh shows what others post or change there.
import { StatusPageIncident } from "pulumi-monitoring-service";

const incident = new StatusPageIncident("search-lag", {
  incidentId: "inc_search_lag",
  expect: { severity: { oneOf: ["MEDIUM", "MINOR"] } },
});

export const name = incident.name;
export const status = incident.lastUpdateStatus;
export const affected = incident.services.apply((services) => services.map(({ name }) => name));
