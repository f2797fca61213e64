/** Reads the objects of one account: each object once, and many objects with limited concurrency. */
import { type AlertChannel, type Id, type Incident, Mismatch, pageSize, type StatusPage } from "../api";
import { defaults, type MonitoringClient, NotFoundError } from "../client";
import { WorkQueue } from "../workQueue";

/**
 * Caches the reads of one account. Equal reads are one request during the lifetime of the connection: one run of a program, or one
 * phase of the engine. Failed reads are not cached.
 */
export class Reads {
  readonly #client: MonitoringClient;
  readonly #alertChannels = new ReadCache<AlertChannel>();
  readonly #incidents = new ReadCache<Incident>();
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

  /** Drops the cached lists that a post to an incident makes stale. */
  forgetIncidents(): void {
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

/** Resolves to the object that is read; undefined if the service says that it doesn't exist. */
export async function undefinedIfAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

/** Caches reads by key. */
export class ReadCache<T> {
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
