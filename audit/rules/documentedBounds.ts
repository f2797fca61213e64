import { sslExpiryThresholdBounds } from "../../provider/api/alertChannel";
import { defineRule } from "../rule";

const { least, most } = sslExpiryThresholdBounds;

export const documentedBounds = defineRule({
  id: "documented-bounds",
  title: "Values are within the service's documented bounds",
  why: "What the service does with a value that it no longer accepts is anyone's guess; mostly nothing.",
  fix: "Save the channel with a value within the bounds.",
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
