/**
 * Caches the reads of one account. Equal reads are one request during the lifetime of the connection: one run of a program,
 * or one phase of the engine. Failed reads are not cached.
 */
import { type ListQuery, pageSize } from "../api/listPage";
import type { Id } from "../api/path";
import type {
  AlertChannel,
  Incident,
  MonitoringClient,
  StatusPage,
  StatusPageIncident,
  StatusPageIncidentUpdate,
} from "../client";
import { nearestIncident } from "./nearestIncident";

export class Reads {
  readonly #client: MonitoringClient;
  readonly #alertChannels = new ReadCache<AlertChannel>();
  readonly #incidents = new ReadCache<Incident>();
  readonly #statusPageIncidents = new ReadCache<StatusPageIncident>();
  readonly #incidentUpdates = new ReadCache<StatusPageIncidentUpdate>();
  /** All status pages of the account. */
  readonly statusPages = cachedList((query) => this.#client.listStatusPages(query));

  constructor(client: MonitoringClient) {
    this.#client = client;
  }

  alertChannel(id: Id): Promise<AlertChannel> {
    return this.#alertChannels.get(String(id), () => this.#client.getAlertChannel(id));
  }

  incident(id: Id, includeAllIncidentUpdates?: boolean): Promise<Incident> {
    return this.#incidents.get(`${id}?${includeAllIncidentUpdates ?? false}`, () =>
      this.#client.getIncident(id, { includeAllIncidentUpdates }),
    );
  }

  statusPageIncident(id: Id): Promise<StatusPageIncident> {
    return this.#statusPageIncidents.get(String(id), () => this.#client.getStatusPageIncident(id));
  }

  incidentUpdate(incidentId: Id, incidentUpdateId: Id): Promise<StatusPageIncidentUpdate> {
    return this.#incidentUpdates.get(`${incidentId}/${incidentUpdateId}`, () =>
      this.#client.getIncidentUpdate(incidentId, incidentUpdateId),
    );
  }

  /** One status page, or undefined. Searches the list, because the API has no operation to read one page. */
  async statusPage(id: string): Promise<StatusPage | undefined> {
    const listing = this.statusPages.all();
    const found = (await listing).find((page) => page.id === id);
    if (found) return found;
    // Another provider of the same run may have created the page since the list was read.
    this.statusPages.forget(listing);
    return (await this.statusPages.all()).find((page) => page.id === id);
  }

  /** {@link nearestIncident} */
  nearestIncident(id: string): Promise<string> {
    return nearestIncident(this.#client, id);
  }

  /** Drops the cached reads that a post to the incident makes stale. */
  forgetIncident(id: string): void {
    this.#statusPageIncidents.forget(id);
    this.#incidentUpdates.clear();
    this.statusPages.clear();
  }
}

/** Caches a list of the client, with all its pages. */
function cachedList<Entry>(read: (query: ListQuery) => AsyncIterable<Entry>) {
  const reads = new ReadCache<readonly Entry[]>();
  return {
    /** All objects, in the service's order. @param limit Objects per request. */
    all: (limit: number = pageSize.most): Promise<readonly Entry[]> =>
      reads.get(String(limit), async () => {
        const entries: Entry[] = [];
        for await (const entry of read({ limit })) entries.push(entry);
        return entries;
      }),
    /** Only this read of the usual limit is dropped, not a newer one. */
    forget: (reading: Promise<readonly Entry[]>) => reads.forget(String(pageSize.most), reading),
    clear: () => reads.clear(),
  };
}

/** Caches reads by key. */
class ReadCache<T> {
  readonly #reads = new Map<string, Promise<T>>();

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#reads.get(key);
    if (known) return known;
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => this.forget(key, reading));
    return reading;
  }

  /** @param reading Only this read is dropped, not a newer one. */
  forget(key: string, reading: Promise<T> | undefined = this.#reads.get(key)): void {
    if (this.#reads.get(key) === reading) this.#reads.delete(key);
  }

  clear(): void {
    this.#reads.clear();
  }
}
