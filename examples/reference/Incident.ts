import { Incident, IncidentUpdate } from "pulumi-monitoring-service";

const upgrade = new Incident("db-upgrade", {
  statusPageId: "page_shop",
  name: "Database upgrade",
  impacts: [{ component: "Checkout", status: "UNDER_MAINTENANCE" }],
  status: "MONITORING",
  description: "Orders are slower until 03:00 UTC.",
  notifySubscribers: true,
});

new IncidentUpdate("db-upgrade-done", {
  statusPageId: "page_shop",
  incidentId: upgrade.incidentId,
  status: "RESOLVED",
  description: "The upgrade is done.",
});

export const incidentId = upgrade.incidentId;
