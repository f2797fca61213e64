/** The history of an incident: finds updates that match a declaration, and updates that are new since a snapshot. */
import { type StatusPageIncidentUpdate } from "../client";
import { msOf, notBefore } from "../api/timestamps";
import { type Declaration, matches } from "./updateContent";

/** A history of this length may be truncated by the service. */
export const truncatedFrom = 100;

const clockSkewMs = 60_000;

/** The state of the history before a post. */
export interface HistorySnapshot {
  readonly ids: readonly string[];
  /** The latest `created_at`, by the service's clock; undefined when no update had one. */
  readonly newest?: string;
}

export function snapshotOf(history: readonly StatusPageIncidentUpdate[]): HistorySnapshot {
  const [newest] = oldestFirst(history).slice(-1);
  return {
    ids: history.map(({ id }) => id),
    ...(typeof newest?.created_at === "string" && { newest: newest.created_at }),
  };
}

/** The updates that match, oldest first. */
export function matchingUpdates(
  declared: Declaration,
  history: readonly StatusPageIncidentUpdate[],
): StatusPageIncidentUpdate[] {
  return oldestFirst(history.filter((update) => matches(declared, update)));
}

/**
 * The matching updates that a post after `seen` may have created, oldest first. A new id is sufficient proof, unless the
 * history was truncated: an old update may then have moved back into it. Only in that case the timestamp decides, with a
 * tolerance for the clocks of the service's nodes.
 */
export function newMatches(
  declared: Declaration,
  seen: HistorySnapshot,
  history: readonly StatusPageIncidentUpdate[],
): StatusPageIncidentUpdate[] {
  const found = matchingUpdates(declared, unseen(seen, history));
  if (seen.ids.length < truncatedFrom) return found;
  return found.filter((update) => notBefore(update.created_at, seen.newest, clockSkewMs));
}

/** An update newer than `seen` with the declared status and different content: the service may have changed it. */
export function lookalike(
  declared: Declaration,
  seen: HistorySnapshot,
  history: readonly StatusPageIncidentUpdate[],
): StatusPageIncidentUpdate | undefined {
  return unseen(seen, history).find(
    (update) => update.status === declared.status && !matches(declared, update),
  );
}

/** Whether one update precedes the other; false when the history lacks either. */
export function isOlder(id: string, other: string, history: readonly StatusPageIncidentUpdate[]): boolean {
  const ids = oldestFirst(history).map((update) => update.id);
  return ids.includes(id) && ids.indexOf(id) < ids.indexOf(other);
}

function unseen(
  seen: HistorySnapshot,
  history: readonly StatusPageIncidentUpdate[],
): StatusPageIncidentUpdate[] {
  const known = new Set(seen.ids);
  return history.filter(({ id }) => !known.has(id));
}

/** Sorts by timestamp. The service usually returns the newest first; equal timestamps keep its order, reversed. */
function oldestFirst(history: readonly StatusPageIncidentUpdate[]): StatusPageIncidentUpdate[] {
  return [...history].reverse().sort((a, b) => (msOf(a.created_at) ?? 0) - (msOf(b.created_at) ?? 0));
}
