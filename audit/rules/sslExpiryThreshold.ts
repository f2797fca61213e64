import { sslExpiryThresholdBounds } from "../../provider/api/alertChannel";
import type { AuditedChannel } from "../channels/channel";
import { notReturned } from "../definition/notEvaluable";
import { defineRule } from "../definition/rule";
import { strict, wholeNumber } from "../definition/schemas";
import { each } from "./sslExpiry";

const { least, most } = sslExpiryThresholdBounds;

const field = "sslExpiryThreshold";

export const sslExpiryThreshold = defineRule({
  id: "ssl-expiry-threshold",
  title: "Expiring certificates are reported early enough",
  why: "Renewing a certificate takes days where people have to approve it.",
  fix: "Raise the number of days before expiry at which the channel alerts.",
  asCode: "Set `sslExpiryThreshold: 30`, or the number of days that a renewal takes you.",
  offWhen: "Turn it off if all your certificates renew themselves within hours.",
  options: strict({
    atLeast: wholeNumber(least, most)
      .default(14)
      .describe(`Days before expiry, ${least} to ${most}. Default: 14; 7 in the preset recommended.`),
    each,
  }),
  check: ({ atLeast, each }, { channels }) => {
    const isEarly = ({ sslExpiry, sslExpiryThreshold: days }: AuditedChannel) =>
      sslExpiry === true && typeof days === "number" && days >= atLeast && days <= most;
    const isCovered = !each && channels.some(isEarly);
    return ({ sslExpiry, sslExpiryThreshold: days }) => {
      if (sslExpiry !== true) return undefined;
      if (isCovered) return [];
      if (days === undefined || days === null) return [{ field, reason: notReturned }];
      // The rule documented-bounds reports the others.
      if (days < least || days > most) return undefined;
      return days >= atLeast ? [] : [{ field, actual: `${days} days`, expected: `${atLeast} days or more` }];
    };
  },
});
