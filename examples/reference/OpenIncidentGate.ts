// Blocks a deployment while one of its services has an open incident with severity MAJOR or worse, or a major outage.
import { IncidentUpdate, OpenIncidentGate } from "pulumi-monitoring-service";

new OpenIncidentGate("deployments", {
  atLeast: "MAJOR",
  atLeastImpact: "MAJOR_OUTAGE",
  services: ["Search", "Suggestions"],
});

// Declared after the gate, so it waits for the result. Resources of other packages wait with `dependsOn`.
const announcement = new IncidentUpdate("deployed", {
  incidentId: "inc_webhook_delays",
  status: "MONITORING",
  description: "More senders are at work. The queue is down to two minutes.",
});

export const announced = announcement.incidentUpdateId;
