/** Opens incidents on a page with components, and reads the incidents that may be the declared one. */
import { setTimeout as wait } from "node:timers/promises";
import {
  type ComponentPageIncident,
  type Id,
  type NewComponentImpact,
  type NewIncidentUpdate,
  pageSize,
  type StatusPageIncidentUpdate,
} from "../api";
import { type MonitoringClient, MonitoringError, type ReadOptions, type WriteOptions } from "../client";
import {
  addPageHint,
  type AnyIncident,
  type Containers,
  type Entry,
  ignoreNotFound,
  readEach,
  toEntry,
} from "../connection";
import { canBeNamed, isCreatedBy } from "../protocol";
import { toOneLine } from "../texts";

/**
 * Returns a page with components as the container of its incidents, for a declared incident with this name and these impacts. The container
 * lists the incidents that were updated last. Of these, it reads the open ones with this name, the last resolved one, and those that a
 * killed run may have opened, because a list doesn't contain the first update of an incident.
 */
export function getOpenings(
  client: MonitoringClient,
  page: string,
  name: string,
  componentImpacts: readonly NewComponentImpact[],
): Containers {
  return {
    statusPageId: page,
    // `read` adds the hint, because an `up` needs it even without a preview.
    addLocationHint: (_, reading) => reading,
    uncached: {
      async read(id: Id, options?: ReadOptions, sentAt: readonly number[] = []): Promise<AnyIncident> {
        const reading = client.getComponentPage(id, options);
        const { name: pageName, created_at } = await addPageHint(client, String(id), reading);
        const { entries } = await client.listComponentPageIncidents(id, { limit: pageSize.most }, options);
        const isNamed = (each: ComponentPageIncident) => canBeNamed(name, each.name);
        // Somebody may have renamed or resolved the incident that a killed run opened.
        const isSent = (each: ComponentPageIncident) => sentAt.some((at) => isCreatedBy({ at }, each));
        const isOpen = ({ lastUpdateStatus }: ComponentPageIncident) => lastUpdateStatus !== "RESOLVED";
        const resolved = entries.find((each) => !isOpen(each) && isNamed(each));
        const candidates = entries.filter(
          (each) => isSent(each) || each === resolved || (isOpen(each) && isNamed(each)),
        );
        const incidentUpdates = await readEach(candidates, (each) => readListed(client, id, each, options));
        return { id: String(id), name: pageName, created_at, incidentUpdates };
      },
      readUpdate: async (id: Id, incidentId: Id, options?: ReadOptions) =>
        toEntry(await client.getComponentPageIncident(id, incidentId, options)),
      async post(id: Id, entry: NewIncidentUpdate, options?: WriteOptions) {
        const { id: _, created_at: __, ...first } = entry;
        const incident = { name, incidentUpdates: [first], componentImpacts: [...componentImpacts] };
        const opened = await client.openComponentPageIncident(id, incident, options);
        return toEntry(withUpdates(opened, [{ ...first, id: opened.id }]));
      },
      edit: () => Promise.reject(new Error("An incident is only edited in the dashboard.")),
    },
  };
}

/** Pauses before the reads of an incident that the list already shows. */
const delaysMs = [0, 500, 1_000, 2_000, 4_000];

/**
 * Reads an incident of the list with its first update, which reads may show later than the list.
 *
 * @throws MonitoringError if the first update isn't shown in time, because the incident may be the declared one.
 */
async function readListed(
  client: MonitoringClient,
  page: Id,
  { id, name }: ComponentPageIncident,
  options?: ReadOptions,
): Promise<Entry> {
  for (const ms of delaysMs) {
    await wait(ms);
    const incident = await ignoreNotFound(client.getComponentPageIncident(page, id, options));
    if (incident?.incidentUpdates?.length) return toEntry(incident);
  }
  throw new MonitoringError(
    `The page lists the incident ${JSON.stringify(toOneLine(name))} (${id}), but the service doesn't return its first update yet. Nothing was opened. Run ` +
      "`pulumi up` again in a few minutes.",
  );
}

/** Adds the updates that were sent if the service responds without any, because an entry is recorded with the text of its first update. */
function withUpdates(incident: ComponentPageIncident, sent: StatusPageIncidentUpdate[]) {
  const { incidentUpdates: shown } = incident;
  return { ...incident, incidentUpdates: shown?.length ? shown : sent };
}
