/** Contains valid and invalid expectations. It is compiled but not run. */
import type * as pulumi from "@pulumi/pulumi";
import type { AlertChannelExpectations, StatusPageExpectations } from "../../sdk";

declare const fingerprint: pulumi.Output<string>;

// The examples contain other expectations.
export const channel: AlertChannelExpectations = {
  sendDegraded: { not: null },
  config: { webhookSecret: { not: null }, url: { fingerprint, hostClass: { oneOf: ["private", "public"] } } },
};

type IsRejected<Expected, Given> = Given extends Expected ? false : true;
type Prove<All extends true[]> = All;

export type Proven = Prove<
  [
    IsRejected<AlertChannelExpectations, { sslExpiryThreshold: "14" }>,
    IsRejected<AlertChannelExpectations, { sslExpiryThreshold: { atLeast: "14" } }>,
    IsRejected<AlertChannelExpectations, { sendFailure: { not: "false" } }>,
    IsRejected<AlertChannelExpectations, { config: { url: { isReference: "yes" } } }>,
    IsRejected<StatusPageExpectations, { incidents: { contains: { severity: 1 } } }>,
  ]
>;
