/** Ids of `IncidentUpdate` resources: `<incidentId>/<incidentUpdateId>`, or what stands for it while unconfirmed. */
import { randomBytes } from "node:crypto";

export function joinId(incidentId: string, incidentUpdateId: string): string {
  return `${incidentId}/${incidentUpdateId}`;
}

/** The two parts, or undefined when there aren't two. No incident id contains a slash. */
export function splitId(id: string): { incidentId: string; incidentUpdateId: string } | undefined {
  const slash = id.indexOf("/");
  if (slash < 1 || slash === id.length - 1) return undefined;
  return { incidentId: id.slice(0, slash), incidentUpdateId: id.slice(slash + 1) };
}

/** The id of an update that may or may not have been published. Random: the text may be a secret, and ids are shown. */
export function unconfirmedId(incidentId: string): string {
  return joinId(incidentId, `unconfirmed-${randomBytes(8).toString("hex")}`);
}
