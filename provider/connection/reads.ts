/** Reads many objects, a limited number of them at a time. */
import {
  type AlertChannel,
  type Incident,
  type MonitoringClient,
  NotFoundError,
  type StatusPage,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../client";
import { nearestOf, oneLine } from "../texts";
import { type ListQuery, pageSize, type Id } from "../api";
import { defaults } from "../client/options";
import { WorkQueue } from "../client/workQueue";

// * Caches the reads of one account. Equal reads are one request during the lifetime of the connection: one run of a program, or one phase of the engine. Failed reads are not cached.

/** What is read; undefined when the service says that it doesn't exist. */
export async function undefinedIfAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

// The incident that a wrong id was probably meant to name.

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

/** More than are sent at a time, and not so many that a read spends its deadline in the queue. */
const concurrentReads = 2 * defaults.maxConcurrency;

/** The results are in the order of the items. */
export function readEach<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const queue = new WorkQueue(concurrentReads);
  return Promise.all(items.map((item) => queue.run(() => read(item))));
}
