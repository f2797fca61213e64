/** What became of a post whose response was lost: the history of its incident is read until the update is found. */
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

/** To settle what an earlier run left: with a create after it, it stays within the minute that a CI job may have to end. */
const settleMs = 15_000;
/** A service may show a write late. */
const waitsBeforeLooking = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** What the history shows of a post whose response was lost. */
export interface SearchResult {
  /** It was published. */
  readonly update?: StatusPageIncidentUpdate;
  /** One that may be it: the same status, other content. */
  readonly lookalike?: StatusPageIncidentUpdate;
  /** The incident is gone. */
  readonly gone?: boolean;
  /** Why the history could not be read. */
  readonly unread?: string;
}

/** Looks until it is found or time is up. Call it in turn. */
export async function search(
  declared: Declaration,
  seen: HistorySnapshot,
  connection: Connection,
  context: Context,
  budget = settlingBudget(connection),
): Promise<SearchResult> {
  let best: SearchResult | undefined;
  for (const ms of waitsBeforeLooking) {
    if (ms >= budget.leftMs() || context.signal?.aborted) break;
    await pause(ms, context).catch(() => undefined);
    const found = await look(declared, seen, connection, context, budget);
    if (found.update) return found;
    // A look that failed tells less than one before it that succeeded.
    if (best === undefined || certainty(found) >= certainty(best)) best = found;
  }
  return best ?? {};
}

function certainty({ gone, unread }: SearchResult): number {
  if (unread !== undefined) return 0;
  return gone ? 1 : 2;
}

/** Looks once. Call it in turn. */
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
    if (error instanceof NotFoundError) return { gone: true };
    if (isMonitoringError(error)) return { unread: error.message };
    throw error;
  }
  const free = history.filter(({ id }) => !isTaken(connection, incidentId, id));
  const [update, ...more] = newMatches(declared, seen, free);
  if (!update) {
    const others = free.filter(({ id }) => !isTracked(connection, incidentId, id));
    return { lookalike: lookalike(declared, seen, others) };
  }
  if (more.length > 0) {
    context.notice(
      `IncidentUpdate: ${more.length + 1} new updates of incident ${incidentId} match; ` +
        `the oldest, ${update.id}, is taken for the one that was posted.`,
    );
  }
  return { update };
}

/** What a search that didn't find the update tells the user. */
export function describe(declared: Declaration, { lookalike: other, gone, unread }: SearchResult): string {
  if (unread !== undefined) return `The incident could not be read to look for it: ${unread}`;
  if (gone) return "The incident itself is not found on the service any more.";
  if (!other) return "Not found in the incident so far.";
  const differs = hasOtherText(declared, other)
    ? "another text"
    : `another public date (${other.publicIncidentUpdateDate ?? "none"})`;
  return `Not found in the incident, but update ${other.id} is new there with the same status and ${differs}.`;
}

/** Otherwise it is the public date alone that tells it from what is declared. */
export function hasOtherText(declared: Declaration, { description }: StatusPageIncidentUpdate): boolean {
  return !sameText(declared.description, description);
}

/**
 * Read for this alone, and from no cache.
 *
 * @throws ResponseShapeError when the service leaves the history out: an update that may be in it can't be posted.
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
    `getStatusPageIncident ${incidentId}: the service responded without incidentUpdates, so it can't be told which ` +
      "updates exist, and nothing is posted without that. Try again later, or report it to the service.",
  );
}

function settlingBudget({ deadlineMs }: Connection): Budget {
  return new Budget(Math.min(settleMs, deadlineMs));
}
