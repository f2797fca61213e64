/** What a lookup or a gate says. Without zod: every program loads it. */
import { didYouMean, oneLine } from "../texts";
import { type StatusPage, type Id } from "../api";
import { type ReadConnections } from "../connection";
import { InvalidInputError, MonitoringError } from "../client/errors";

// The match of a lookup, and what it says when there is none or there are several.

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

// The names of alert channels in the configuration.

/** The ids of the channels with these names; without names, of all named channels. */
export function idsByName(
  lookupName: string,
  names: readonly string[] | undefined,
  { alertChannels, alertChannelsSetting, howToSetAlertChannels }: ReadConnections,
): Id[] {
  const existing = Object.keys(alertChannels);
  if (existing.length === 0) {
    const notSet = `because ${alertChannelsSetting} is not set: ${howToSetAlertChannels}`;
    const problem =
      names === undefined
        ? { property: "ids or names", reason: `must be given, ${notSet}` }
        : {
            property: lookupName === "getAlertChannels" ? "names" : "name",
            reason: `can't be found, ${notSet}`,
          };
    throw new InvalidInputError(lookupName, [problem]);
  }
  const missing = names?.filter((name) => !existing.includes(name)) ?? [];
  if (missing.length > 0) {
    const named = missing.map((name) => `"${name}"`).join(", ");
    const near = missing.map((name) => didYouMean(name, existing)).find((each) => each !== "");
    throw new NoMatchError(`${lookupName} with name ${named} in ${alertChannelsSetting}`, existing, near);
  }
  return (names ?? existing).flatMap((name) => alertChannels[name] ?? []);
}

// What an `OpenIncidentGate` says. Without zod, because every program loads it.

interface OpenIncident {
  readonly id: string;
  readonly name: string;
  readonly severity?: string | null;
  readonly statusPages: readonly { readonly name: string }[];
}

export function openIncidentsMessage(gate: string, incidents: readonly OpenIncident[]): string {
  const list = incidents.map(({ id, name, severity, statusPages }) =>
    oneLine(
      `${severity ?? "UNKNOWN"} "${name}" (${id}, on ${statusPages.map((page) => page.name).join(", ")})`,
    ),
  );
  return (
    `OpenIncidentGate "${gate}": ${list.length} open ${list.length === 1 ? "incident" : "incidents"}: ${list.join("; ")}. ` +
    "No resource that depends on the gate was changed. Run again after they are resolved."
  );
}
