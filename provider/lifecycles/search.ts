/** Searches the history of an incident for a post without a response. */
import {
  isMonitoringError,
  NotFoundError,
  ResponseShapeError,
  type StatusPageIncidentUpdate,
} from "../client";
import { type Connection } from "../connection";
import { Budget } from "./budget";
import { isTaken, isTracked } from "./claims";
import { newMatches, lookalike, type HistorySnapshot } from "./history";
import { type Context } from "./lifecycle";
import { pause } from "./pause";
import { type Declaration, sameText } from "./updateContent";

/**
 * Time limit for an update of a previous run: a search and a create together stay below one minute, the grace period of
 * many CI systems.
 */
const settleMs = 15_000;
/** Delays before each lookup: a service may show a write late. */
const lookupDelaysMs = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** The result of a search. */
export interface SearchResult {
  /** The published update. */
  readonly update?: StatusPageIncidentUpdate;
  /** A candidate: a new update with the same status and different content. */
  readonly lookalike?: StatusPageIncidentUpdate;
  /** Whether the incident no longer exists. */
  readonly incidentMissing?: boolean;
  /** Why reading the history failed. */
  readonly readError?: string;
}

/** Repeats the lookup until it finds the update or the time is up. Requires the turn of the incident. */
export async function search(
  declared: Declaration,
  seen: HistorySnapshot,
  connection: Connection,
  context: Context,
  budget = settlingBudget(connection),
): Promise<SearchResult> {
  let best: SearchResult | undefined;
  for (const ms of lookupDelaysMs) {
    if (ms >= budget.leftMs() || context.signal?.aborted) break;
    await pause(ms, context).catch(() => undefined);
    const found = await look(declared, seen, connection, context, budget);
    if (found.update) return found;
    // A failed lookup must not replace an earlier successful one.
    if (best === undefined || reliability(found) >= reliability(best)) best = found;
  }
  // Time always remains for the first lookup.
  return best ?? { readError: "the run was cancelled." };
}

function reliability({ incidentMissing, readError }: SearchResult): number {
  if (readError !== undefined) return 0;
  return incidentMissing ? 1 : 2;
}

/** Looks up the update once. Requires the turn of the incident. */
export async function look(
  declared: Declaration,
  seen: HistorySnapshot,
  connection: Connection,
  context: Context,
  budget = settlingBudget(connection),
): Promise<SearchResult> {
  const { incidentId } = declared;
  let history: StatusPageIncidentUpdate[];
  try {
    history = await readHistory(incidentId, connection, budget);
  } catch (error) {
    if (error instanceof NotFoundError) return { incidentMissing: true };
    if (isMonitoringError(error)) return { readError: error.message };
    throw error;
  }
  const free = history.filter(({ id }) => !isTaken(connection, incidentId, id, context.resource));
  const [update, ...more] = newMatches(declared, seen, free);
  if (!update) {
    const others = free.filter(({ id }) => !isTracked(connection, incidentId, id));
    return { lookalike: lookalike(declared, seen, others) };
  }
  if (more.length > 0) {
    context.notice(
      `IncidentUpdate: ${more.length + 1} new updates of incident ${incidentId} match; ` +
        `the oldest, ${update.id}, is assumed to be the one that was posted.`,
    );
  }
  return { update };
}

/** The message for a search that did not find the update. */
export function describe(
  declared: Declaration,
  { lookalike: other, incidentMissing, readError }: SearchResult,
): string {
  if (readError !== undefined) return `Reading the incident to search for it failed: ${readError}`;
  if (incidentMissing) return "The incident was not found on the service.";
  if (!other) return "Not found in the incident so far.";
  const differs = descriptionDiffers(declared, other)
    ? "a different description"
    : `a different public date (${other.publicIncidentUpdateDate ?? "none"})`;
  return `Not found in the incident, but the new update ${other.id} has the same status and ${differs}.`;
}

/** When false, only the public date differs. */
export function descriptionDiffers(
  declared: Declaration,
  { description }: StatusPageIncidentUpdate,
): boolean {
  return !sameText(declared.description, description);
}

/**
 * Reads the history without a cache.
 *
 * @throws ResponseShapeError when the response lacks the history, without which no update can be posted safely.
 */
export async function readHistory(
  incidentId: string,
  { client }: Connection,
  budget: Budget,
): Promise<StatusPageIncidentUpdate[]> {
  const incident = await client.getStatusPageIncident(incidentId, {
    shared: false,
    deadlineMs: budget.leftMs(),
  });
  if (incident.incidentUpdates) return incident.incidentUpdates;
  throw new ResponseShapeError(
    `getStatusPageIncident ${incidentId}: the response has no incidentUpdates, so it is unknown which ` +
      "updates exist. Nothing was posted. Try again later, or report it to the service.",
  );
}

function settlingBudget({ deadlineMs }: Connection): Budget {
  return new Budget(Math.min(settleMs, deadlineMs));
}
