/**
 * The reads of one account. Equal reads are one request for as long as the connection lives: one run of a program, or
 * one phase of the engine. A read that fails is not kept.
 */
import { statusPagesPerPage } from "./api";
import type { Id } from "./api/path";
import type {
  AlertChannel,
  Incident,
  MonitoringClient,
  StatusPage,
  StatusPageIncident,
  StatusPageIncidentUpdate,
} from "./client";

/** How many status pages were read so far. */
type Progress = (count: number) => void | Promise<void>;

export class Reads {
  readonly #client: MonitoringClient;
  readonly #alertChannels = new Kept<AlertChannel>();
  readonly #incidents = new Kept<Incident>();
  readonly #statusPageIncidents = new Kept<StatusPageIncident>();
  readonly #incidentUpdates = new Kept<StatusPageIncidentUpdate>();
  readonly #statusPages = new Kept<readonly StatusPage[]>();

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

  /** All status pages of the account, in the service's order. */
  statusPages(limit: number = statusPagesPerPage.most, progress?: Progress): Promise<readonly StatusPage[]> {
    return this.#statusPages.get(String(limit), async () => {
      const pages: StatusPage[] = [];
      for await (const page of this.#client.listStatusPages({ limit })) {
        pages.push(page);
        await progress?.(pages.length);
      }
      return pages;
    });
  }

  /** One status page, found in the list because the API has no operation for it; undefined when it is absent. */
  async statusPage(id: string): Promise<StatusPage | undefined> {
    const walk = this.statusPages();
    const found = (await walk).find((page) => page.id === id);
    if (found) return found;
    // Another provider of the same run may have created it since that walk began.
    this.#statusPages.forget(String(statusPagesPerPage.most), walk);
    return (await this.statusPages()).find((page) => page.id === id);
  }

  /** After a post, what was read of the incident is out of date. */
  forgetIncident(id: string): void {
    this.#statusPageIncidents.forget(id);
    this.#incidentUpdates.clear();
    this.#statusPages.clear();
  }
}

/** Results of reads, by key. */
class Kept<T> {
  readonly #reads = new Map<string, Promise<T>>();

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#reads.get(key);
    if (known) return known;
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => this.forget(key, reading));
    return reading;
  }

  /** @param reading Forget only this read: a newer one stays. */
  forget(key: string, reading: Promise<T> | undefined = this.#reads.get(key)): void {
    if (this.#reads.get(key) === reading) this.#reads.delete(key);
  }

  clear(): void {
    this.#reads.clear();
  }
}
