/** Failures in the words that the engine shows to the user. */
import { isMonitoringError, type Problem } from "../client";
import { type Lifecycle, PartialFailureError, type Properties } from "../lifecycles/lifecycle";

/** A mistake in what is declared. Without a property, the reason names it. */
export type CheckFailure = Problem;

export function messageOf(error: unknown): string {
  if (isMonitoringError(error) || error instanceof PartialFailureError) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}

const longestShown = 200;

/**
 * The engine shows the value of the property that a failure names, a secret in clear text and a megabyte at length.
 * In these cases, and for an unknown property, which may be any other one misspelt, only the reason names it.
 */
export function checkFailure(
  problem: Problem,
  { [problem.property]: value }: Properties,
  { fields, secrets }: Pick<Lifecycle, "fields" | "secrets">,
): CheckFailure {
  const isPlain = fields.has(problem.property) && !secrets.has(problem.property);
  const longest = isPlain ? longestShown : 0;
  const mayBeShown =
    typeof value === "string" ? value.trim().length <= longest : typeof value !== "object" || value === null;
  return mayBeShown ? problem : withoutValue(problem);
}

export function withoutValue({ property, reason }: Problem): CheckFailure {
  return { property: "", reason: `${property} ${reason}` };
}
