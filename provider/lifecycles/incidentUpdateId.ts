/** Ids of `IncidentUpdate` resources: `<incidentId>/<incidentUpdateId>`, or what stands for it while unconfirmed. */
import { createHash } from "node:crypto";
import { asRead, type Declaration } from "./words";

export function joinId(incidentId: string, incidentUpdateId: string): string {
  return `${incidentId}/${incidentUpdateId}`;
}

/** The two parts, or undefined when there aren't two. No incident id contains a slash. */
export function splitId(id: string): { incidentId: string; incidentUpdateId: string } | undefined {
  const slash = id.indexOf("/");
  if (slash < 1 || slash === id.length - 1) return undefined;
  return { incidentId: id.slice(0, slash), incidentUpdateId: id.slice(slash + 1) };
}

/** The id of an update that may or may not have been published. Equal for equal declarations. */
export function unconfirmedId(declared: Declaration): string {
  const { incidentId, status, description, publicIncidentUpdateDate = "", occurrence } = declared;
  const words = JSON.stringify([status, asRead(description), publicIncidentUpdateDate, occurrence]);
  return joinId(incidentId, `unconfirmed-${createHash("sha256").update(words).digest("hex").slice(0, 16)}`);
}
