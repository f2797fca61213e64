/** Reads the objects of one account: each object once, and many objects with limited concurrency. */
import {
  type AlertChannel,
  type AnyPage,
  type Component,
  type ComponentPage,
  type ComponentPageIncident,
  type Id,
  type Incident,
  Mismatch,
  pageSize,
  type StatusPage,
} from "../api";
import { defaults, type MonitoringClient, NotFoundError } from "../client";
import { WorkQueue } from "../workQueue";

/**
 * Caches the reads of one account. Equal reads share one request during the lifetime of the connection: one run of a program, or one phase
 * of the engine. Failed reads are not cached.
 */
export class Reads {
  readonly #client: MonitoringClient;
  readonly #alertChannels = new ReadCache<AlertChannel>();
  readonly #incidents = new ReadCache<Incident>();
  readonly #statusPages = new ReadCache<readonly AnyPage[]>();
  readonly #pagesWithCards = new OptionalList<StatusPage>();
  readonly #pagesWithComponents = new OptionalList<ComponentPage>();
  readonly #components = new ReadCache<readonly Component[]>();
  readonly #pageIncidents = new ReadCache<readonly ComponentPageIncident[]>();
  readonly #channelList = new ReadCache<readonly (AlertChannel | Mismatch)[]>();

  constructor(client: MonitoringClient) {
    this.#client = client;
  }

  getAlertChannel(id: Id): Promise<AlertChannel> {
    return this.#alertChannels.get(String(id), () => this.#client.getAlertChannel(id));
  }

  /** Reads all alert channels of the account, with the entries of the list that don't match the API. */
  getAlertChannels(): Promise<readonly (AlertChannel | Mismatch)[]> {
    return this.#channelList.get("", async () => {
      const entries: (AlertChannel | Mismatch)[] = [];
      for await (const entry of this.listAlertChannels()) entries.push(entry);
      return entries;
    });
  }

  /** Yields each channel as it arrives, without a cache, and then each entry of the list that doesn't match the API. */
  async *listAlertChannels(): AsyncGenerator<AlertChannel | Mismatch> {
    const mismatches: Mismatch[] = [];
    const onMismatch = (mismatch: Mismatch) => mismatches.push(mismatch);
    try {
      yield* this.#client.listAlertChannels(all, { onMismatch });
    } finally {
      yield* mismatches;
    }
  }

  getIncident(id: Id, includeAllIncidentUpdates?: boolean): Promise<Incident> {
    return this.#incidents.get(`${id}?${includeAllIncidentUpdates ?? false}`, () =>
      this.#client.getIncident(id, { includeAllIncidentUpdates }),
    );
  }

  /**
   * All status pages of the account, each once. Pages with cards come before pages with components, in the service's order.
   *
   * @param limit Objects per request.
   * @throws NotFoundError when the service has neither list, because the base URL is wrong.
   */
  getStatusPages(limit: number = pageSize.most): Promise<readonly AnyPage[]> {
    return this.#statusPages.get(String(limit), () => this.#readPages(limit));
  }

  async #readPages(limit: number): Promise<AnyPage[]> {
    // Read the lists one after the other, so that a wrong API key causes only one request and always the same error.
    const withCards = await this.#pagesWithCards.read(this.#client.listStatusPages({ limit }));
    const withComponents = await this.#pagesWithComponents.read(this.#client.listComponentPages({ limit }));
    const { absence } = this.#pagesWithCards;
    if (absence && this.#pagesWithComponents.absence) throw absence;
    const before = new Map(withCards.map((page) => [page.id, page]));
    const migrated = new Set(withComponents.map(({ id }) => id));
    return [
      ...withCards.filter(({ id }) => !migrated.has(id)).map((page) => ({ ...page, version: 2 as const })),
      ...withComponents.map((page) => ({
        ...page,
        version: 3 as const,
        migratedFrom: before.get(page.id),
      })),
    ];
  }

  /** All components of a status page with components, in the order of the page. */
  getComponents(statusPageId: string): Promise<readonly Component[]> {
    return this.#components.get(statusPageId, () => this.#client.listComponents(statusPageId, all).settled());
  }

  /** All incidents of a status page with components, without their updates. */
  getPageIncidents(statusPageId: string): Promise<readonly ComponentPageIncident[]> {
    return this.#pageIncidents.get(statusPageId, () =>
      this.#client.listComponentPageIncidents(statusPageId, all).settled(),
    );
  }

  /** Returns one status page, or undefined. Searches the lists, because the API has no operation to read one page with cards. */
  async getStatusPage(id: string): Promise<AnyPage | undefined> {
    const listing = this.getStatusPages();
    const listed = (await listing).find((page) => page.id === id);
    if (listed) return listed;
    // Another provider of the same run may have created the page after the list was read.
    this.#statusPages.forget(String(pageSize.most), listing);
    return (await this.getStatusPages()).find((page) => page.id === id);
  }

  /** Drops the cached lists that a post on an incident makes stale. */
  forgetIncidents(): void {
    this.#statusPages.clear();
    this.#pageIncidents.clear();
  }
}

/** Returns the ID of an entry that lacks only its settings, as in a list of summaries; undefined for any other entry. */
export function getSummaryId(entry: AlertChannel | Mismatch): number | undefined {
  return entry instanceof Mismatch && entry.fields.join() === "config" ? entry.id : undefined;
}

/** The largest pages need the fewest requests. */
const all = { limit: pageSize.most };

/** A list that some services don't have. */
class OptionalList<Entry> {
  /** The response that reports that the list doesn't exist. Kept, so that the list isn't requested again. */
  absence: NotFoundError | undefined;

  /** Reads the list; empty if the service doesn't have it. */
  async read(list: { settled(): Promise<Entry[]> }): Promise<readonly Entry[]> {
    if (this.absence) return [];
    return list.settled().catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      this.absence = error;
      return [];
    });
  }
}

/** Resolves to the object that is read; undefined if the service responds that it doesn't exist. */
export async function ignoreNotFound<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

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

  /** @param reading The read to drop. A newer read stays cached. */
  forget(key: string, reading: Promise<T> | undefined = this.#reads.get(key)): void {
    if (this.#reads.get(key) === reading) this.#reads.delete(key);
  }

  clear(): void {
    this.#reads.clear();
  }
}

/** More reads than the client sends at a time, but not so many that a read spends its deadline in the queue. */
const concurrentReads = 2 * defaults.maxConcurrency;

/** Resolves to the results in the order of the items. */
export function readEach<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const queue = new WorkQueue(concurrentReads);
  return Promise.all(items.map((item) => queue.run(() => read(item))));
}
