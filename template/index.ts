import * as pulumi from "@pulumi/pulumi";
import { getOpenIncidentsOutput } from "pulumi-monitoring-service";

// Incidents of status pages made since August 2026 (pages with components) need the ID of their page. Older pages (with cards) don't.
const statusPageId = new pulumi.Config().get("statusPageId");

// `pulumi up` publishes each declared update once. Emails can't be recalled, so read `pulumi preview` first. For example, with
// `IncidentTimeline` among the imports:
//
// new IncidentTimeline("checkout", {
//   statusPageId,
//   incidentId: "inc_checkout_latency",
//   // A key identifies its update. New information needs a new key. On a page with components, you can change the text under a key.
//   updates: [{ key: "start", status: "INVESTIGATING", description: "Checkout is slow. We are looking for the cause." }],
// });

// The arguments that an update on each open incident needs.
export const openIncidents = getOpenIncidentsOutput({ statusPage: statusPageId }).incidents.apply(
  (incidents) =>
    incidents.map((incident) => {
      const pages = "componentImpacts" in incident ? incident.statusPages : [];
      const ids = [...pages.map(({ id }) => `statusPageId ${id}`), `incidentId ${incident.id}`];
      return `${ids.join(", ")}: ${incident.name}`;
    }),
);
