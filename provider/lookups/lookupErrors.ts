/** Defines the errors of lookups and of the gate for open incidents. Every program loads this file, so it needs neither zod nor axios. */
import { listLastingImpacts } from "../api/enums";
import { MonitoringError } from "../client/errors";
import { formatCount, formatList, formatSuggestion, toOneLine } from "../texts";

/** A lookup that found no match. */
export class NoMatchError extends MonitoringError {
  /** The existing candidates, in the service's order. */
  readonly candidates: readonly string[];

  /** @param near A suggestion for the wrong name, in the format of `formatSuggestion`. */
  constructor(wanted: string, candidates: readonly string[], near = "") {
    super(`${wanted}: not found${near}. Available: ${joinLimited(candidates)}.`);
    this.candidates = candidates;
  }
}

/** Returns the error for names that don't exist. */
export function createNoMatchError(
  wanted: string,
  missing: readonly string[],
  { existing, candidates = existing, where = "" }: ExistingNames,
): NoMatchError {
  const quoted = missing.map((name) => `"${name}"`).join(", ");
  const near = missing.map((name) => formatSuggestion(name, existing)).find((each) => each !== "");
  return new NoMatchError(`${wanted} ${quoted}${where}`, candidates, near);
}

interface ExistingNames {
  readonly existing: readonly string[];
  /** The existing names as the message shows them. Default: unchanged. */
  readonly candidates?: readonly string[];
  /** The part of the message that names the setting with these names. */
  readonly where?: string;
}

/** A lookup that found several matches. */
export class AmbiguousMatchError extends MonitoringError {
  /** The matches, in the service's order. */
  readonly candidates: readonly string[];

  constructor(wanted: string, candidates: readonly string[]) {
    super(`${wanted}: ${candidates.length} matches. Select one by ID: ${joinLimited(candidates)}.`);
    this.candidates = candidates;
  }
}

export function formatOpenIncidents(gate: string, incidents: readonly OpenIncident[]): string {
  const list = incidents.map(({ id, name, severity, componentImpacts, statusPages }) => {
    const worst = severity ?? listLastingImpacts(componentImpacts)[0]?.status ?? "UNKNOWN";
    return toOneLine(`${worst} "${name}" (${id}, on ${statusPages.map((page) => page.name).join(", ")})`);
  });
  const subject = `OpenIncidentGate "${gate}": ${formatCount(list.length, "open incident")}`;
  return (
    `${formatList(subject, list)}${list.length === 1 ? " " : "\n"}No resource that depends on the gate was changed. Run again after these incidents are ` +
    "resolved."
  );
}

interface OpenIncident {
  readonly id: string;
  readonly name: string;
  readonly severity?: string | null;
  readonly componentImpacts?: Parameters<typeof listLastingImpacts>[0];
  readonly statusPages: readonly { readonly name: string }[];
}

const maxShown = 10;

function joinLimited(candidates: readonly string[]): string {
  const more = candidates.length - maxShown;
  return (candidates.slice(0, maxShown).join(", ") || "none") + (more > 0 ? `, and ${more} more` : "");
}
