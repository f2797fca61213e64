// Reads from a monitoring account, and declares an update on one of its status-page incidents.
import * as pulumi from "@pulumi/pulumi";
import {
  getAlertChannelOutput,
  getOpenIncidentsOutput,
  getStatusPagesOutput,
  IncidentUpdate,
} from "pulumi-monitoring-service";

const onCall = getAlertChannelOutput({ name: "on-call" });
const { statusPages } = getStatusPagesOutput();
const { incidents } = getOpenIncidentsOutput({ atLeast: "MAJOR" });

// The incident has a fixed id. A lookup may return a different incident tomorrow, and the update would be public there.
const update = new IncidentUpdate("rollback", {
  incidentId: "inc_checkout_latency",
  status: "MONITORING",
  description: "We rolled the release back. Checkout is fast again; we keep watching it.",
  notifySubscribers: true,
});

export const alertsReach = pulumi.interpolate`${onCall.type} channel ${onCall.id}`;
export const statusPageCount = statusPages.length;
export const openIncidents = incidents.apply((open) => open.map(({ name }) => name));
export const postedUpdate = update.incidentUpdateId;
export const postedAt = update.createdAt;
