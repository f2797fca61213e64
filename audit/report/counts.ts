import type { AuditReport, Counts } from "./report";

/** Counts what a report has. */
export function countsOf({
  channels,
  rules,
  findings,
  waived,
  baselined,
  notEvaluable,
}: Pick<AuditReport, "channels" | "rules" | "findings" | "waived" | "baselined" | "notEvaluable">): Counts {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return {
    channels: channels.length,
    rules: rules.length,
    errors,
    warnings: findings.length - errors,
    waived: waived.length,
    baselined: baselined.length,
    notEvaluable: notEvaluable.length,
    blocking: notEvaluable.filter(({ blocks }) => blocks).length,
  };
}
