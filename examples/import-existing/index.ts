// Declares objects that were made by hand and imported with objects.json, and the next update of the incident.
import { AlertChannel, IncidentUpdate } from "pulumi-monitoring-service/native";

const onCall = new AlertChannel("on-call", { channelId: 4101 });
const dutySms = new AlertChannel("duty-sms", { channelId: 4109 });

// Words that change here are refused: the imported updates are public.
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
