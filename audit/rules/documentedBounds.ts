import { sslExpiryThresholdBounds } from "../../provider/api/alertChannel";
import { defineRule } from "../rule";

const { least, most } = sslExpiryThresholdBounds;

export const documentedBounds = defineRule({
  id: "documented-bounds",
  title: "Values are within the service's documented range",
  why: "The behavior for values outside the documented range is undefined; usually the service doesn't alert.",
  fix: "Save the channel with a value within the range.",
  severity: "error",
  check:
    () =>
    ({ sslExpiryThreshold: days }) => {
      if (days === undefined || days === null) return undefined;
      if (Number.isInteger(days) && days >= least && days <= most) return [];
      return [
        {
          field: "sslExpiryThreshold",
          actual: String(days),
          expected: `a whole number from ${least} to ${most}`,
        },
      ];
    },
});
