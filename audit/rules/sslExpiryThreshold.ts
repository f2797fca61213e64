import { sslExpiryThresholdBounds } from "../../provider/api/alertChannel";
import { defineRule } from "../rule";
import { strict, wholeNumber } from "../schemas";
import { notReturned } from "./flag";

const { least, most } = sslExpiryThresholdBounds;

const field = "sslExpiryThreshold";

export const sslExpiryThreshold = defineRule({
  id: "ssl-expiry-threshold",
  title: "Expiring certificates are reported early enough",
  why: "Renewing a certificate takes days where people have to approve it.",
  fix: "Raise the number of days before expiry at which the channel alerts.",
  options: strict({
    atLeast: wholeNumber(least, most)
      .default(14)
      .describe(`Days before expiry, ${least} to ${most}. Default: 14.`),
  }),
  check:
    ({ atLeast }) =>
    ({ sslExpiry, sslExpiryThreshold: days }) => {
      if (sslExpiry === false) return undefined;
      if (days === undefined || days === null) return [{ field, reason: notReturned }];
      return days >= atLeast ? [] : [{ field, actual: `${days} days`, expected: `${atLeast} days or more` }];
    },
});
