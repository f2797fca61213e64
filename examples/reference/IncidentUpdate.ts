// Posts an update once, and emails every subscriber.
import { IncidentUpdate } from "pulumi-monitoring-service";

const update = new IncidentUpdate("rollback", {
  statusPageId: "page_shop",
  incidentId: "inc_checkout_outage",
  status: "MONITORING",
  description: "We rolled the release back. Orders go through again; we keep watching.",
  notifySubscribers: true,
});

export const updateId = update.incidentUpdateId;
export const postedAt = update.createdAt;
