// Creates an alert channel with the vendor's package, and audits it in the same update.
import * as checkly from "@checkly/pulumi";
import * as pulumi from "@pulumi/pulumi";
import { AlertChannelAudit } from "pulumi-monitoring-service";

const tickets = new checkly.AlertChannel("tickets", {
  webhook: {
    name: "tickets",
    // A secret, because the preview would show a plain URL, and the state would contain it in plain text.
    url: new pulumi.Config().requireSecret("ticketsUrl"),
  },
  sendFailure: true,
  sendRecovery: true,
});

// Waits for the channel. If the audit finds an error, the resources that depend on it aren't created.
const audit = new AlertChannelAudit("alerting", {
  channels: [tickets.id],
  rules: { rules: { "https-hook": "error", "send-failure": "error" } },
});

// Subscribes the group only after the channel has passed the audit.
new checkly.CheckGroup(
  "shop",
  {
    activated: true,
    concurrency: 1,
    locations: ["eu-west-1"],
    alertChannelSubscriptions: [{ channelId: tickets.id.apply(Number), activated: true }],
  },
  { dependsOn: audit },
);
