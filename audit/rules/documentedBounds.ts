import { sslExpiryThresholdBounds } from "../../provider/api/alertChannel";
import { defineRule } from "../definition/rule";

const { least, most } = sslExpiryThresholdBounds;
const field = "sslExpiryThreshold";

/** The bounds of `AlertChannel.sslExpiryThreshold` in docs/openapi.yaml. It documents none for other settings of a channel. */
export const documentedBounds = defineRule({
  id: "documented-bounds",
  title: "Settings are within the bounds that the service documents",
  why: "Nothing says when a value out of bounds is reported. The operation `getAlertChannel` documents the bounds of `sslExpiryThreshold`: at least 1 and at most 30 days (`AlertChannel.sslExpiryThreshold` in its contract).",
  fix: "Save the channel with a number of days within the bounds.",
  asCode: "Set `sslExpiryThreshold` to 1 to 30 days; 30 leaves the most time.",
  offWhen: "Don't turn it off; waive a value that your deployment of the service documents in addition.",
  severity: "error",
  check:
    () =>
    ({ sslExpiryThreshold: days }) => {
      if (days === undefined || days === null) return undefined;
      if (Number.isInteger(days) && days >= least && days <= most) return [];
      return [{ field, actual: String(days), expected: `a whole number from ${least} to ${most}` }];
    },
});
