// Holds a deployment back while anything grave is open on what it touches.
import { IncidentUpdate, OpenIncidentGate } from "pulumi-monitoring-service";

new OpenIncidentGate("deployments", { atLeast: "MAJOR", services: ["Search", "Suggestions"] });

// Declared after the gate, so it waits for its verdict. Resources of other packages wait with `dependsOn`.
const announcement = new IncidentUpdate("deployed", {
  incidentId: "inc_webhook_delays",
  status: "MONITORING",
  description: "More senders are at work. The queue is down to two minutes.",
});

export const announced = announcement.incidentUpdateId;
