/** Reads status-page incidents and their updates. One read of an incident serves all its updates. */
import { type StatusPageIncident, type StatusPageIncidentUpdate } from "../../client";
import { type Connection } from "../../connection/connections";
import { undefinedIfAbsent } from "../../connection/undefinedIfAbsent";
import { canonicalId } from "../../texts/digest";

/** Reads an update; undefined when it or its incident doesn't exist. */
export async function readUpdate(
  connection: Connection,
  incidentId: string,
  incidentUpdateId: string,
): Promise<StatusPageIncidentUpdate | undefined> {
  const incident = await readIncident(connection, incidentId);
  if (!incident) return undefined;
  const known = canonicalId(incidentUpdateId);
  const found = incident.incidentUpdates?.find(({ id }) => canonicalId(id) === known);
  // A long history may contain only its latest updates.
  return found ?? undefinedIfAbsent(connection.reads.incidentUpdate(incidentId, incidentUpdateId));
}

/** Reads an incident; undefined when it doesn't exist. */
export async function readIncident(
  { reads }: Connection,
  incidentId: string,
): Promise<StatusPageIncident | undefined> {
  return undefinedIfAbsent(reads.statusPageIncident(incidentId));
}
