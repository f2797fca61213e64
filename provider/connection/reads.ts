/** Reads the objects of one account: each object once, and many objects with limited concurrency. */
import {
  type AlertChannel,
  type Id,
  type Incident,
  Mismatch,
  pageSize,
  type StatusPage,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../api";
import { defaults, type MonitoringClient, NotFoundError } from "../client";
import { WorkQueue } from "../workQueue";
import { nearestOf, oneLine } from "../texts";

/**
 * Caches the reads of one account. Equal reads are one request during the lifetime of the connection: one run of a program, or one
 * phase of the engine. Failed reads are not cached.
 */
export class Reads {
  readonly #client: MonitoringClient;
  readonly #alertChannels = new ReadCache<AlertChannel>();
  readonly #incidents = new ReadCache<Incident>();
  readonly #statusPageIncidents = new ReadCache<StatusPageIncident>();
  readonly #incidentUpdates = new ReadCache<StatusPageIncidentUpdate>();
  readonly #statusPages = new ReadCache<readonly StatusPage[]>();
  readonly #channelList = new ReadCache<readonly (AlertChannel | Mismatch)[]>();

  constructor(client: MonitoringClient) {
    this.#client = client;
  }

  alertChannel(id: Id): Promise<AlertChannel> {
    return this.#alertChannels.get(String(id), () => this.#client.getAlertChannel(id));
  }

  /** Reads all alert channels of the account, with the entries of the list that don't match the API. */
  alertChannels(): Promise<readonly (AlertChannel | Mismatch)[]> {
    return this.#channelList.get("", () => collected(listedChannels(this.#client)));
  }

  incident(id: Id, includeAllIncidentUpdates?: boolean): Promise<Incident> {
    return this.#incidents.get(`${id}?${includeAllIncidentUpdates ?? false}`, () =>
      this.#client.getIncident(id, { includeAllIncidentUpdates }),
    );
  }

  /** @throws NotFoundError that names the incident with a similar id, when there is no such incident. */
  async statusPageIncident(id: Id): Promise<StatusPageIncident> {
    try {
      return await this.#statusPageIncident(id);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new NotFoundError(error.message + (await this.nearestIncident(String(id))), error);
    }
  }

  findStatusPageIncident(id: Id): Promise<StatusPageIncident | undefined> {
    return undefinedIfAbsent(this.#statusPageIncident(id));
  }

  #statusPageIncident(id: Id): Promise<StatusPageIncident> {
    return this.#statusPageIncidents.get(String(id), () => this.#client.getStatusPageIncident(id));
  }

  /** Suggests the incident with a similar id; empty if there is none, or if the list can't be read. */
  async nearestIncident(incidentId: string): Promise<string> {
    try {
      const { entries } = await this.#client.listStatusPages(
        { limit: pageSize.most },
        { deadlineMs: hintMs },
      );
      const ids = entries.flatMap(({ incidents }) => (incidents ?? []).map(({ id }) => oneLine(id)));
      // If the list has the incident, its id isn't the mistake.
      const nearest = ids.includes(incidentId) ? undefined : nearestOf(incidentId, ids);
      return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    } catch {
      return "";
    }
  }

  incidentUpdate(incidentId: Id, incidentUpdateId: Id): Promise<StatusPageIncidentUpdate> {
    return this.#incidentUpdates.get(`${incidentId}/${incidentUpdateId}`, () =>
      this.#client.getIncidentUpdate(incidentId, incidentUpdateId),
    );
  }

  /** All status pages of the account, in the service's order. @param limit Objects per request. */
  statusPages(limit: number = pageSize.most): Promise<readonly StatusPage[]> {
    return this.#statusPages.get(String(limit), () => collected(this.#client.listStatusPages({ limit })));
  }

  /** Returns one status page, or undefined. Searches the list, because the API has no operation to read one page. */
  async statusPage(id: string): Promise<StatusPage | undefined> {
    const listing = this.statusPages();
    const listed = (await listing).find((page) => page.id === id);
    if (listed) return listed;
    // Another provider of the same run may have created the page since the list was read.
    this.#statusPages.forget(String(pageSize.most), listing);
    return (await this.statusPages()).find((page) => page.id === id);
  }

  /** Drops the cached reads that a post to the incident makes stale. */
  forgetIncident(id: string): void {
    this.#statusPageIncidents.forget(id);
    this.#incidentUpdates.clear();
    this.#statusPages.clear();
  }
}

/** Yields each channel that the service lists, and each entry of the list that doesn't match the API. */
export async function* listedChannels(
  client: Pick<MonitoringClient, "listAlertChannels">,
): AsyncGenerator<AlertChannel | Mismatch> {
  const mismatches: Mismatch[] = [];
  const onMismatch = (mismatch: Mismatch) => mismatches.push(mismatch);
  try {
    yield* client.listAlertChannels({ limit: pageSize.most }, { onMismatch });
  } finally {
    yield* mismatches;
  }
}

/** Returns the id of an entry that lacks its settings alone, as in a list of summaries; undefined for any other entry. */
export function idOfSummary(entry: AlertChannel | Mismatch): number | undefined {
  return entry instanceof Mismatch && entry.fields.join() === "config" ? entry.id : undefined;
}

async function collected<Entry>(list: AsyncIterable<Entry>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of list) entries.push(entry);
  return entries;
}

/** The hint about a similar id must not keep the user waiting for the error. */
const hintMs = 5_000;

/** Resolves to the object that is read; undefined if the service says that it doesn't exist. */
export async function undefinedIfAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

/** Caches reads by key. */
class ReadCache<T> {
  readonly #reads = new Map<string, Promise<T>>();

  get(key: string, read: () => Promise<T>): Promise<T> {
    const cached = this.#reads.get(key);
    if (cached) return cached;
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => this.forget(key, reading));
    return reading;
  }

  /** @param reading The read to drop; a newer one stays. */
  forget(key: string, reading: Promise<T> | undefined = this.#reads.get(key)): void {
    if (this.#reads.get(key) === reading) this.#reads.delete(key);
  }

  clear(): void {
    this.#reads.clear();
  }
}

/** This is more than the client sends at a time, but not so many that a read spends its deadline in the queue. */
const concurrentReads = 2 * defaults.maxConcurrency;

/** Resolves to the results in the order of the items. */
export function readEach<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const queue = new WorkQueue(concurrentReads);
  return Promise.all(items.map((item) => queue.run(() => read(item))));
}
