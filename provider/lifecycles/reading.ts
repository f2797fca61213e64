/** Refreshing many updates: those of one incident are answered from one read of it. */
import { NotFoundError, type StatusPageIncident, type StatusPageIncidentUpdate } from "../client";
import { type Connection } from "../connection";

/** One process serves one phase of the engine, so what was read stays good enough for the rest of its refresh. */
const incidents = new WeakMap<Connection, Map<string, Promise<StatusPageIncident | undefined>>>();

/** The update as the service shows it, or undefined when it, or its incident, is gone. */
export async function readUpdate(
  connection: Connection,
  incidentId: string,
  incidentUpdateId: string,
): Promise<StatusPageIncidentUpdate | undefined> {
  const incident = await readIncidentOnce(connection, incidentId);
  if (!incident) return undefined;
  const found = incident.incidentUpdates.find(({ id }) => id === incidentUpdateId);
  // A long history may hold only its latest updates.
  return found ?? undefinedIfAbsent(connection.client.getIncidentUpdate(incidentId, incidentUpdateId));
}

/** After a post, what was read before is out of date. */
export function forgetIncident(connection: Connection, incidentId: string): void {
  incidents.get(connection)?.delete(incidentId);
}

async function readIncidentOnce(
  connection: Connection,
  incidentId: string,
): Promise<StatusPageIncident | undefined> {
  const known = incidents.get(connection) ?? new Map<string, Promise<StatusPageIncident | undefined>>();
  incidents.set(connection, known);
  const reading =
    known.get(incidentId) ?? undefinedIfAbsent(connection.client.getStatusPageIncident(incidentId));
  known.set(incidentId, reading);
  reading.catch(() => known.delete(incidentId));
  return reading;
}

async function undefinedIfAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}
