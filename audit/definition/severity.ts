/** How much a finding weighs, the most first. */
export const findingSeverities = ["error", "warning"] as const;
/** Severity of a finding: an error fails the audit, a warning is only reported. */
export type Severity = (typeof findingSeverities)[number];
