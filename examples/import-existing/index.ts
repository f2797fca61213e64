// Declares imported objects (see objects.json) and the next update of the incident.
import { AlertChannel, IncidentUpdate } from "pulumi-monitoring-service/native";

const onCall = new AlertChannel("on-call", { channelId: 4101 });
const dutySms = new AlertChannel("duty-sms", { channelId: 4109 });

// The imported updates are public, so a changed description is rejected.
new IncidentUpdate("rebuilding", {
  incidentId: "inc_search_lag",
  status: "IDENTIFIED",
  description: "The search index is being rebuilt more slowly than usual.",
});
new IncidentUpdate("caught-up", {
  incidentId: "inc_search_lag",
  status: "MONITORING",
  description: "The index has caught up. We keep an eye on it.",
});
new IncidentUpdate("resolved", {
  incidentId: "inc_search_lag",
  status: "RESOLVED",
  description: "New listings appear in search within a minute again.",
});

export const alertsReach = [onCall.type, dutySms.type];
