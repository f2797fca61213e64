/** The incident that a wrong id was probably meant to name. */
import { nearestOf } from "../texts/didYouMean";
import { pageSize } from "../api/listPage";
import { oneLine } from "../texts/printable";
import { type MonitoringClient, NotFoundError } from "../client";

/** The hint must not keep the user waiting for the error. */
const deadlineMs = 5_000;

/** A sentence about the incident with a similar id; empty when there is none, or the list can't be read. */
export async function nearestIncident(client: MonitoringClient, incidentId: string): Promise<string> {
  try {
    const { entries } = await client.listStatusPages({ limit: pageSize.most }, { deadlineMs });
    const ids = entries.flatMap(({ incidents }) => (incidents ?? []).map(({ id }) => oneLine(id)));
    // An incident that is listed was found: something else is wrong.
    const nearest = ids.includes(incidentId) ? undefined : nearestOf(incidentId, ids);
    return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  } catch {
    return "";
  }
}

/** The same read, with {@link nearestIncident} in the message when there is no such incident. */
export async function orNearest<T>(
  reading: Promise<T>,
  reads: { nearestIncident(id: string): Promise<string> },
  incidentId: string,
): Promise<T> {
  return reading.catch(async (error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    const near = await reads.nearestIncident(incidentId);
    throw near === "" ? error : new NotFoundError(error.message + near, error);
  });
}
