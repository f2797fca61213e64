import type { AuditReport } from "./report";

/** The totals of an audit. */
export interface Counts {
  /**
   * Channels that were audited.
   * @integer
   */
  readonly channels: number;
  /**
   * Rules that were enabled.
   * @integer
   */
  readonly rules: number;
  /**
   * Findings that fail the audit.
   * @integer
   */
  readonly errors: number;
  /**
   * Findings that are only reported.
   * @integer
   */
  readonly warnings: number;
  /**
   * Findings that a waiver covers.
   * @integer
   */
  readonly waived: number;
  /**
   * Findings that a baseline lists as known.
   * @integer
   */
  readonly baselined: number;
  /**
   * Results that aren't evaluable.
   * @integer
   */
  readonly notEvaluable: number;
  /**
   * Those of them that fail the audit.
   * @integer
   */
  readonly blocking: number;
}

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
