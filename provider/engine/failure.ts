/** Failures of `check` that the engine shows to the user. */
import { type Problem } from "../client";
import { type Lifecycle, type Properties } from "../lifecycles/lifecycle";

/** A problem of a declaration. Without a property, the reason names it. */
export type CheckFailure = Problem;

const maxShownLength = 200;

/**
 * The engine prints the value of the property that a failure names, including secrets and long values. For these, and for
 * unknown properties, which may be misspelt secrets, only the reason names the property.
 */
export function checkFailure(
  problem: Problem,
  { [problem.property]: value }: Properties,
  { fields, secrets }: Pick<Lifecycle, "fields" | "secrets">,
): CheckFailure {
  const isPlain = fields.has(problem.property) && !secrets.has(problem.property);
  const maxLength = isPlain ? maxShownLength : 0;
  const mayBeShown =
    typeof value === "string"
      ? value.trim().length <= maxLength
      : typeof value !== "object" || value === null;
  return mayBeShown ? problem : withoutValue(problem);
}

export function withoutValue({ property, reason }: Problem): CheckFailure {
  return { property: "", reason: `${property} ${reason}` };
}
