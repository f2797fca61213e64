// Announces a fix on the status page, deploys it, and resolves the incident. Each update is posted once.
import * as pulumi from "@pulumi/pulumi";
import { IncidentUpdate } from "pulumi-monitoring-service";
import { Deployment } from "./deployment";

const config = new pulumi.Config();
const incidentId = config.require("incidentId");
const release = config.require("release");

const announced = new IncidentUpdate("announced", {
  incidentId,
  status: "IDENTIFIED",
  description: `We have found the cause, and are deploying release ${release}.`,
});

const deployment = new Deployment(
  "webhook-senders",
  { release, healthUrl: config.require("healthUrl") },
  { dependsOn: announced },
);

const resolved = new IncidentUpdate(
  "resolved",
  {
    incidentId,
    status: "RESOLVED",
    description: `Release ${release} is live: webhooks arrive on time again.`,
    notifySubscribers: true,
  },
  { dependsOn: deployment },
);

export const announcedAt = announced.createdAt;
export const resolvedAt = resolved.createdAt;
