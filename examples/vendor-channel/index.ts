// Creates an alert channel with the vendor's package, and audits it in the same update.
import * as checkly from "@checkly/pulumi";
import * as pulumi from "@pulumi/pulumi";
import { AlertChannelAudit } from "pulumi-monitoring-service";

const tickets = new checkly.AlertChannel("tickets", {
  webhook: {
    name: "tickets",
    // Otherwise, the preview shows it, and the state has it in plain text.
    url: new pulumi.Config().requireSecret("ticketsUrl"),
  },
  sendFailure: true,
  sendRecovery: true,
});

// Waits for the channel. An error fails the update before what depends on the audit.
const audit = new AlertChannelAudit("alerting", {
  channels: [tickets.id],
  rules: { rules: { "https-hook": "error", "send-failure": "error" } },
});

// Subscribes only a channel that has passed.
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
