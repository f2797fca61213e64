// Posts an update once, and emails every subscriber.
import { IncidentUpdate } from "pulumi-monitoring-service";

const update = new IncidentUpdate("rollback", {
  incidentId: "inc_checkout_latency",
  status: "MONITORING",
  description: "We rolled the release back. Checkout is fast again; we keep watching it.",
  notifySubscribers: true,
});

export const updateId = update.incidentUpdateId;
export const postedAt = update.createdAt;
