/** The order of an incident's updates. */
import { type StatusPageIncidentUpdate } from "./objects";
import { parseMs } from "./timestamps";

/** Sorts by timestamp. The service usually returns the newest update first, so updates with equal timestamps are reversed. */
export function sortOldestFirst<Update extends StatusPageIncidentUpdate>(
  history: readonly Update[],
): readonly Update[] {
  return [...history].reverse().sort((a, b) => (parseMs(a.created_at) ?? 0) - (parseMs(b.created_at) ?? 0));
}

/** Sorts as the page does, by public date and then by creation time. */
export function sortByPublicDate(
  history: readonly StatusPageIncidentUpdate[],
): readonly StatusPageIncidentUpdate[] {
  const getDateMs = ({ publicIncidentUpdateDate: date, created_at }: StatusPageIncidentUpdate) =>
    parseMs(date) ?? parseMs(created_at) ?? 0;
  return [...sortOldestFirst(history)].sort((a, b) => getDateMs(a) - getDateMs(b));
}
