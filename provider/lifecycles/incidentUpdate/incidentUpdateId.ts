/** Ids of `IncidentUpdate` resources: `<incidentId>/<incidentUpdateId>`, or a placeholder after a post without a response. */
import { digestOf } from "../../texts/digest";

export function joinId(incidentId: string, incidentUpdateId: string): string {
  return `${incidentId}/${incidentUpdateId}`;
}

/** The two parts, or undefined for another format. Incident ids contain no slash. */
export function splitId(id: string): { incidentId: string; incidentUpdateId: string } | undefined {
  const slash = id.indexOf("/");
  if (slash < 1 || slash === id.length - 1) return undefined;
  return { incidentId: id.slice(0, slash), incidentUpdateId: id.slice(slash + 1) };
}

/**
 * The id of an update that was sent, until a refresh gives it the one of the update. Of no text: the description may be a
 * secret, and ids are visible.
 */
export function sentId(incidentId: string, nonce: string): string {
  return joinId(incidentId, `update-${digestOf(nonce)}`);
}
