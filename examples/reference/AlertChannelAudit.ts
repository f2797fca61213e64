// Blocks all resources that are declared after it while an alert channel is misconfigured.
import { AlertChannelAudit } from "pulumi-monitoring-service";

const audit = new AlertChannelAudit("on-call", {
  channels: [4101, 4103],
  rules: {
    extends: "recommended",
    rules: { "ssl-expiry-threshold": { severity: "error", options: { atLeast: 21 } } },
  },
});

export const counts = audit.counts;
export const found = audit.findings.apply((findings) =>
  findings.map(({ rule, field }) => `${rule}: ${field}`),
);
