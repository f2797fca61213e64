// Reads and posts in several accounts of the service, with a provider for each account.
import * as pulumi from "@pulumi/pulumi";
import { getStatusPageIncidentOutput, IncidentUpdate, Provider } from "pulumi-monitoring-service/native";

const config = new pulumi.Config();

const shop = new Provider("shop", {
  apiKey: config.requireSecret("shopKey"),
  accountId: "6f1c2a7e-0d3b-4c58-9e41-5a7b8c9d0e1f",
});
const labs = new Provider("labs", {
  apiKey: config.requireSecret("labsKey"),
  accountId: "b27d94c0-58ae-4f13-8c6d-3e2f1a0b9c8d",
});

const checkout = getStatusPageIncidentOutput({ incidentId: "inc_checkout_latency" }, { provider: shop });
const update = new IncidentUpdate(
  "previews",
  {
    incidentId: "inc_labs_preview",
    status: "MONITORING",
    description: "New previews are built again. We keep an eye on the queue.",
  },
  { provider: labs },
);

export const shopIncident = pulumi.interpolate`${checkout.severity}: ${checkout.name}`;
export const postedUpdate = update.incidentUpdateId;
