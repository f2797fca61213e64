import { z } from "zod";
import type { AuditedChannel } from "../channel";
import { defineRule, type Rule, type RuleText, type Severity, type Verdict } from "../rule";
import { strict } from "../schemas";

type Flag = "sendFailure" | "sendRecovery" | "sendDegraded" | "sslExpiry";

/** What a flag that must have this value says. A flag that the service leaves out can't be judged. */
function judgeFlag(channel: AuditedChannel, field: Flag, wanted: boolean): Verdict {
  const value = channel[field];
  if (value === wanted) return [];
  if (value === undefined || value === null) return [{ field, reason: "the service doesn't say" }];
  return [{ field, actual: String(value), expected: String(wanted) }];
}

/** A rule that wants a flag to be on or, where that is wished, off. */
export function flagRule(field: Flag, text: RuleText & { severity?: Severity }): Rule {
  return defineRule({
    ...text,
    options: strict({
      value: z
        .boolean({ error: "must be true or false" })
        .default(true)
        .describe(`What ${field} must be. Default: true.`),
    }),
    check:
      ({ value }) =>
      (channel) =>
        judgeFlag(channel, field, value),
  });
}
