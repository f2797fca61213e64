import { MonitoringError } from "../client/errors";

const mostShown = 10;

/** What was looked for isn't there. */
export class NoMatchError extends MonitoringError {
  /** What there is instead, in the service's order. */
  readonly candidates: readonly string[];

  override get name(): string {
    return "NoMatchError";
  }

  constructor(wanted: string, candidates: readonly string[]) {
    super(`${wanted}: not found. Available: ${listed(candidates)}.`);
    this.candidates = candidates;
  }
}

/** What was looked for is there several times. */
export class AmbiguousMatchError extends MonitoringError {
  /** All that match, in the service's order. */
  readonly candidates: readonly string[];

  override get name(): string {
    return "AmbiguousMatchError";
  }

  constructor(wanted: string, candidates: readonly string[]) {
    super(`${wanted}: ${candidates.length} match. Select one by id: ${listed(candidates)}.`);
    this.candidates = candidates;
  }
}

function listed(candidates: readonly string[]): string {
  const more = candidates.length - mostShown;
  return (candidates.slice(0, mostShown).join(", ") || "none") + (more > 0 ? `, and ${more} more` : "");
}
