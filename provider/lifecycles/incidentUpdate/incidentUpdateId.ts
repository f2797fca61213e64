/** Ids of `IncidentUpdate` resources: `<incidentId>/<incidentUpdateId>`, or a placeholder while the update is unconfirmed. */
import { digestOf } from "../../api/digest";

export function joinId(incidentId: string, incidentUpdateId: string): string {
  return `${incidentId}/${incidentUpdateId}`;
}

/** The two parts, or undefined for another format. Incident ids contain no slash. */
export function splitId(id: string): { incidentId: string; incidentUpdateId: string } | undefined {
  const slash = id.indexOf("/");
  if (slash < 1 || slash === id.length - 1) return undefined;
  return { incidentId: id.slice(0, slash), incidentUpdateId: id.slice(slash + 1) };
}

/** The placeholder id of an update whose result is unknown. Of no text: the description may be a secret, and ids are visible. */
export function unconfirmedId(incidentId: string, nonce: string): string {
  return joinId(incidentId, `unconfirmed-${digestOf(nonce)}`);
}
