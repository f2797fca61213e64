import { z } from "zod";
import { notReturned } from "../definition/notEvaluable";
import { defineRule } from "../definition/rule";
import { strict } from "../definition/schemas";
import { checkFlag } from "../checks/flag";

const field = "sslExpiry";

/** The option of the rules on certificates. */
export const each = z
  .boolean({ error: "must be true or false" })
  .default(false)
  .describe("Whether each channel must report them. Default: false, one channel of all is enough.");

export const sslExpiry = defineRule({
  id: "ssl-expiry",
  title: "A channel reports expiring certificates",
  why: "An expired certificate takes a site down, on a date that was known in advance.",
  fix: "Turn on alerts for expiring SSL certificates in one channel, best in one that a team reads every day.",
  asCode: "Set `sslExpiry: true` and `sslExpiryThreshold: 30` on one channel.",
  offWhen:
    "Turn it off if another tool watches your certificates, or if they renew themselves and you watch that.",
  options: strict({ each }),
  check:
    ({ each }) =>
    (channel) =>
      each ? checkFlag(channel, field, true) : undefined,
  checkFleet: ({ each }, { channels, partial }) => {
    if (each || channels.length === 0) return undefined;
    if (channels.some(({ sslExpiry }) => sslExpiry === true)) return [];
    if (channels.some(({ sslExpiry }) => typeof sslExpiry !== "boolean"))
      return [{ field, reason: notReturned }];
    if (partial !== undefined) return [{ field, reason: partial }];
    return [{ field, actual: "false in every channel", expected: "true in one" }];
  },
});
