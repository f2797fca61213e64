// Opens an incident on the status page, deploys, and resolves the incident. Each is public once, and subscribers are emailed once.
import * as pulumi from "@pulumi/pulumi";
import { Incident, IncidentUpdate } from "pulumi-monitoring-service";
import { Deployment } from "./deployment";

const config = new pulumi.Config();
const statusPageId = config.require("statusPageId");
const release = config.require("release");

// The name contains the release, because a run fails if an identical incident is already resolved.
const maintenance = new Incident(`maintenance-${release}`, {
  statusPageId,
  name: `Maintenance for release ${release}`,
  impacts: [{ component: "Checkout", status: "UNDER_MAINTENANCE" }],
  status: "MONITORING",
  description: `We are deploying release ${release}. Orders may take a minute longer.`,
  notifySubscribers: true,
});

const deployment = new Deployment(
  "shop",
  { release, healthUrl: config.require("healthUrl") },
  { dependsOn: maintenance },
);

// If the deployment fails, the incident stays open. Fix the deployment and run `pulumi up` again.
new IncidentUpdate(
  `maintenance-${release}-done`,
  {
    statusPageId,
    incidentId: maintenance.incidentId,
    status: "RESOLVED",
    description: `Release ${release} is live.`,
  },
  { dependsOn: deployment },
);

export const incidentId = maintenance.incidentId;
