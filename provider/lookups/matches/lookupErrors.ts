import { MonitoringError } from "../../client/errors";

const maxShown = 10;

/** A lookup that found no match. */
export class NoMatchError extends MonitoringError {
  /** The existing candidates, in the service's order. */
  readonly candidates: readonly string[];

  /** @param near The name that was probably meant, as `didYouMean` says it. */
  constructor(wanted: string, candidates: readonly string[], near = "") {
    super(`${wanted}: not found${near}. Available: ${listed(candidates)}.`);
    this.candidates = candidates;
  }
}

/** A lookup that found several matches. */
export class AmbiguousMatchError extends MonitoringError {
  /** The matches, in the service's order. */
  readonly candidates: readonly string[];

  constructor(wanted: string, candidates: readonly string[]) {
    super(`${wanted}: ${candidates.length} match. Select one by id: ${listed(candidates)}.`);
    this.candidates = candidates;
  }
}

function listed(candidates: readonly string[]): string {
  const more = candidates.length - maxShown;
  return (candidates.slice(0, maxShown).join(", ") || "none") + (more > 0 ? `, and ${more} more` : "");
}
