/** The history of an incident: what stands in it, and what is new since it was last looked at. */
import { type StatusPageIncidentUpdate } from "../client";
import { msOf, notBefore } from "../api/timestamps";
import { type Declaration, matches } from "./updateContent";

/** From this length on a service may have cut the history. */
export const cutFrom = 100;

const clockSkewMs = 60_000;

/** What was in the history before something was posted to it. */
export interface HistorySnapshot {
  readonly ids: readonly string[];
  /** The latest `created_at`, by the service's clock; missing when there was none. */
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
 * The updates that match and can have come from a post after `seen`, oldest first. An id that wasn't there before is
 * proof enough, unless the history was cut: then it may be an old one that moved up. Only there the clock counts, and
 * the nodes of a service may differ by seconds.
 */
export function newMatches(
  declared: Declaration,
  seen: HistorySnapshot,
  history: readonly StatusPageIncidentUpdate[],
): StatusPageIncidentUpdate[] {
  const found = matchingUpdates(declared, unseen(seen, history));
  if (seen.ids.length < cutFrom) return found;
  return found.filter((update) => notBefore(update.created_at, seen.newest, clockSkewMs));
}

/** An update since `seen` with the declared status and other content: the service may have changed the text. */
export function lookalike(
  declared: Declaration,
  seen: HistorySnapshot,
  history: readonly StatusPageIncidentUpdate[],
): StatusPageIncidentUpdate | undefined {
  return unseen(seen, history).find(
    (update) => update.status === declared.status && !matches(declared, update),
  );
}

/** Whether one comes before the other; false where either isn't shown. */
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

/** The service usually gives the newest first; among equal moments its order decides. */
function oldestFirst(history: readonly StatusPageIncidentUpdate[]): StatusPageIncidentUpdate[] {
  return [...history].reverse().sort((a, b) => (msOf(a.created_at) ?? 0) - (msOf(b.created_at) ?? 0));
}
