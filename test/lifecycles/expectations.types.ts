/** Compiled, not run: valid and invalid expectations. */
import type * as pulumi from "@pulumi/pulumi";
import type { AlertChannelExpectations, StatusPageExpectations } from "../../sdk";

declare const fingerprint: pulumi.Output<string>;

export const channel: AlertChannelExpectations = {
  type: { oneOf: ["EMAIL", "SLACK_APP"] },
  sendFailure: true,
  sendDegraded: { not: null },
  sslExpiryThreshold: { atLeast: 14, atMost: 30 },
  subscriptions: { contains: { checkId: "check", activated: true } },
  config: {
    address: { matches: "@acme\\.example$" },
    slackChannels: { contains: "#incidents" },
    webhookSecret: { not: null },
    url: { fingerprint, scheme: "https", hostClass: { oneOf: ["private", "public"] } },
  },
};

export const page: StatusPageExpectations = {
  customDomain: null,
  incidents: { not: { contains: { lastUpdateStatus: { not: "RESOLVED" } } } },
  cards: [{ name: "API" }, {}],
};

type Refused<Expected, Given> = Given extends Expected ? false : true;
type Prove<All extends true[]> = All;

export type Proven = Prove<
  [
    Refused<AlertChannelExpectations, { sslExpiryThreshold: "14" }>,
    Refused<AlertChannelExpectations, { sslExpiryThreshold: { atLeast: "14" } }>,
    Refused<AlertChannelExpectations, { sendFailure: { not: "false" } }>,
    Refused<AlertChannelExpectations, { config: { url: { isReference: "yes" } } }>,
    Refused<StatusPageExpectations, { incidents: { contains: { severity: 1 } } }>,
  ]
>;
