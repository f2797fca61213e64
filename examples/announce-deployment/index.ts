// Announces a fix on the status page, deploys it, and resolves the incident. Each update is posted once.
import * as pulumi from "@pulumi/pulumi";
import { IncidentUpdate } from "pulumi-monitoring-service";
import { Deployment } from "./deployment";

const config = new pulumi.Config();
// The incident is on a page with components. On a page with cards, it has `incidentId` alone.
const incident = { statusPageId: config.require("statusPageId"), incidentId: config.require("incidentId") };
const release = config.require("release");

// Each release has resources of its own, so that it posts its texts. A changed text of the same release is refused: nobody is emailed
// again. Where the resources have one name for all releases, a release is a change of them, which needs `onChange: "post"`.
const announced = new IncidentUpdate(`announced-${release}`, {
  ...incident,
  status: "IDENTIFIED",
  description: `We are deploying release ${release}, which reverts the change.`,
});

const deployment = new Deployment(
  "shop",
  { release, healthUrl: config.require("healthUrl") },
  { dependsOn: announced },
);

const resolved = new IncidentUpdate(
  `resolved-${release}`,
  {
    ...incident,
    status: "RESOLVED",
    description: `Release ${release} is live: orders can be placed again.`,
    notifySubscribers: true,
  },
  { dependsOn: deployment },
);

export const announcedAt = announced.createdAt;
export const resolvedAt = resolved.createdAt;
