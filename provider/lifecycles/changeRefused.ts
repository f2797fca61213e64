import { InvalidInputError } from "../client";

/** The error for changed content with `onChange: "refuse"`. */
export function changeRefused(operation: string, changed: readonly string[]): InvalidInputError {
  const reason =
    'must not change: the update is public and onChange is "refuse". Restore the value, and declare the change as a new ' +
    "update (in an IncidentTimeline: as the last entry)";
  return new InvalidInputError(
    operation,
    changed.map((property) => ({ property, reason })),
  );
}
