/** The match of a lookup, and what it says when there is none or there are several. */
import { didYouMean } from "../texts/didYouMean";
import { oneLine } from "../texts/printable";
import type { StatusPage } from "../api";
import { MonitoringError } from "../client/errors";

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

type Selector = "id" | "name" | "url" | "customDomain";

/**
 * @param lookup What was looked for, for errors.
 * @param by The fields that were compared with the value.
 * @throws NoMatchError when no status page matches, AmbiguousMatchError when several do.
 */
export function onlyMatch(
  lookup: string,
  by: readonly Selector[],
  value: string | number,
  matches: readonly StatusPage[],
  all: readonly StatusPage[],
): StatusPage {
  const [match] = matches;
  const wanted = `${lookup} "${value}"`;
  if (!match) {
    const similar = all.flatMap((page) => by.map((field) => oneLine(page[field] ?? "")));
    throw new NoMatchError(wanted, all.map(asCandidate), didYouMean(String(value), similar));
  }
  if (matches.length > 1) throw new AmbiguousMatchError(wanted, matches.map(asCandidate));
  return match;
}

function asCandidate({ id, name, url }: StatusPage): string {
  return oneLine(`${name} (id ${id}, url ${url})`);
}
