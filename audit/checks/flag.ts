import { z } from "zod";
import type { AuditedChannel } from "../channels/channel";
import { notReturned } from "../definition/notEvaluable";
import { defineRule, type Rule, type RuleText, type Verdict } from "../definition/rule";
import type { Severity } from "../definition/severity";
import { strict } from "../definition/schemas";

type Flag = "sendFailure" | "sendRecovery" | "sendDegraded" | "sslExpiry";

export function checkFlag(channel: AuditedChannel, field: Flag, expected: boolean): Verdict {
  const value = channel[field];
  if (value === expected) return [];
  if (value === undefined || value === null) return [{ field, reason: notReturned }];
  return [{ field, actual: String(value), expected: String(expected) }];
}

export function valueOption(field: Flag) {
  return strict({
    value: z
      .boolean({ error: "must be true or false" })
      .default(true)
      .describe(`Required value of ${field}. Default: true.`),
  });
}

/** A rule that requires a flag to be on or, by its option, off. */
export function flagRule(field: Flag, text: RuleText & { severity?: Severity }): Rule {
  return defineRule({
    ...text,
    options: valueOption(field),
    check:
      ({ value }) =>
      (channel) =>
        checkFlag(channel, field, value),
  });
}
