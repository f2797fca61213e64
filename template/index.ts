import * as pulumi from "@pulumi/pulumi";
import { getOpenIncidentsOutput } from "pulumi-monitoring-service";

// Incidents of a page with components have its id; those of a page with cards have none.
const statusPageId = new pulumi.Config().get("statusPageId");

// `pulumi up` publishes what is declared here, once. Emails can't be recalled, and a mistake in a public text is seen before it is
// corrected: read `pulumi preview` first. For example, with `IncidentTimeline` among the imports:
//
// new IncidentTimeline("checkout", {
//   statusPageId,
//   incidentId: "inc_checkout_latency",
//   // A changed text under a key edits its update, on a page with components. What is new needs a key of its own.
//   updates: [{ key: "start", status: "INVESTIGATING", description: "Checkout is slow. We are looking for the cause." }],
// });

// As the arguments of an update: an incident of a page with components needs the page.
export const openIncidents = getOpenIncidentsOutput({ statusPage: statusPageId }).incidents.apply(
  (incidents) =>
    incidents.map((incident) => {
      const pages = "componentImpacts" in incident ? incident.statusPages : [];
      const ids = [...pages.map(({ id }) => `statusPageId ${id}`), `incidentId ${incident.id}`];
      return `${ids.join(", ")}: ${incident.name}`;
    }),
);
