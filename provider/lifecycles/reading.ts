/** Reading status-page incidents and their updates: all updates of one incident are answered from one read of it. */
import { type StatusPageIncident, type StatusPageIncidentUpdate } from "../client";
import { type Connection } from "../connection";
import { SharedReads, undefinedIfAbsent } from "./sharedReads";
import { forgetStatusPages } from "./statusPageWalk";

const incidents = new SharedReads<StatusPageIncident>();

/** The update as the service shows it, or undefined when it, or its incident, is gone. */
export async function readUpdate(
  connection: Connection,
  incidentId: string,
  incidentUpdateId: string,
): Promise<StatusPageIncidentUpdate | undefined> {
  const incident = await readIncident(connection, incidentId);
  if (!incident) return undefined;
  const found = incident.incidentUpdates?.find(({ id }) => id === incidentUpdateId);
  // A long history may hold only its latest updates.
  return found ?? undefinedIfAbsent(connection.client.getIncidentUpdate(incidentId, incidentUpdateId));
}

/** The incident as the service shows it, or undefined when it is gone. */
export async function readIncident(
  connection: Connection,
  incidentId: string,
): Promise<StatusPageIncident | undefined> {
  return incidents.get(connection, incidentId, () => connection.client.getStatusPageIncident(incidentId));
}

/** After a post, what was read before is out of date. */
export function forgetIncident(incidentId: string): void {
  incidents.forget(incidentId);
  forgetStatusPages();
}
