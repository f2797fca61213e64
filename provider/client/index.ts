/** The client of the monitoring service's public HTTP API. It speaks the API's own field names. */
import { Calls } from "./calls";
import {
  type CallOptions,
  type ClientOptions,
  type ReadOptions,
  settingsOf,
  type WriteOptions,
} from "./options";
import { type PagePromise } from "./paging";
import {
  type AlertChannel,
  type Incident,
  type ListQuery,
  type NewIncidentUpdate,
  type StatusPage,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
  type Id,
  operations,
} from "../api";

/**
 * A client for the operations of the service, with authentication, paging and retries. A write is retried only if it
 * certainly wasn't applied. After a 429, all calls of the client wait as long as the service asks.
 * Errors are {@link MonitoringError}s and contain no credentials.
 *
 * @throws ConfigurationError from the constructor, with every problem of the options.
 */
export class MonitoringClient {
  readonly #calls: Calls;

  /** @param baseUrlSetting The setting that has the base URL, for messages. */
  constructor(options: ClientOptions, baseUrlSetting = "baseUrl") {
    this.#calls = new Calls(settingsOf(options), baseUrlSetting);
  }

  /**
   * Creates an update on a status-page incident (operation `createIncidentUpdate`). It is public
   * immediately, may email every subscriber and can't be deleted. A second call creates a second update.
   *
   * @throws OutcomeUnknownError when the request was sent and its result is unknown.
   * @throws NotFoundError when the account has no such incident.
   */
  async createIncidentUpdate(
    incidentId: Id,
    update: NewIncidentUpdate,
    options?: WriteOptions,
  ): Promise<StatusPageIncidentUpdate> {
    const { notifySubscribers = false, ...rest } = { ...update };
    const body = { ...rest, notifySubscribers };
    return this.#calls.call(operations.createIncidentUpdate, { ids: { incidentId }, body }, options);
  }

  /**
   * Reads one update of a status-page incident (operation `getIncidentUpdate`).
   *
   * @throws NotFoundError when the account has no such incident, or the incident no such update.
   */
  async getIncidentUpdate(
    incidentId: Id,
    incidentUpdateId: Id,
    options?: ReadOptions,
  ): Promise<StatusPageIncidentUpdate> {
    const ids = { incidentId, incidentUpdateId };
    const update = await this.#calls.read(operations.getIncidentUpdate, { ids }, options);
    return { ...update, id: update.id ?? String(incidentUpdateId) };
  }

  /**
   * Reads a status-page incident with its history, which may contain only the latest 100 updates (operation
   * `getStatusPageIncident`).
   *
   * @throws NotFoundError when the account has no such incident.
   */
  async getStatusPageIncident(incidentId: Id, options?: ReadOptions): Promise<StatusPageIncident> {
    return this.#calls.read(operations.getStatusPageIncident, { ids: { incidentId } }, options);
  }

  /**
   * Reads a dashboard incident (operation `getIncident`), with only its first update, or with all.
   *
   * @throws NotFoundError when the account has no such incident.
   */
  async getIncident(
    id: Id,
    query: { includeAllIncidentUpdates?: boolean } = {},
    options?: ReadOptions,
  ): Promise<Incident> {
    return this.#calls.read(operations.getIncident, { ids: { id }, query: { ...query } }, options);
  }

  /**
   * Reads an alert channel (operation `getAlertChannel`). Its `config` contains credentials in plain text.
   *
   * @throws NotFoundError when the account has no such channel.
   */
  async getAlertChannel(id: Id, options?: ReadOptions): Promise<AlertChannel> {
    return this.#calls.read(operations.getAlertChannel, { ids: { id } }, options);
  }

  /**
   * Lists status pages (operation `listStatusPages`). `await` returns one page; `for await` iterates over all status
   * pages from there on. Each page is a call with a deadline of its own.
   *
   * @example
   * for await (const statusPage of client.listStatusPages({ limit: 100 })) console.log(statusPage.name);
   *
   * @throws PagingError from the iteration, when the list doesn't end.
   * @throws ResponseShapeError when a page is too large.
   */
  listStatusPages(query: ListQuery = {}, options?: CallOptions): PagePromise<StatusPage> {
    // A copy: the caller may change the object between two pages.
    return this.#calls.list(operations.listStatusPages, { ids: {}, query: { ...query } }, options);
  }
}

export * from "./errors";
export type { RequestEvent } from "./attempts";
export type { CallOptions, ClientOptions, ReadOptions, WriteOptions } from "./options";
export type { Page, PagePromise } from "./paging";
export type {
  AlertChannel,
  AlertChannelSubscription,
  AlertChannelType,
  DashboardIncidentUpdate,
  Id,
  Impact,
  Incident,
  ListQuery,
  NewIncidentUpdate,
  Open,
  ProjectBindings,
  ProjectOwner,
  Severity,
  StatusPage,
  StatusPageCard,
  StatusPageIncident,
  StatusPageIncidentUpdate,
  StatusPageList,
  StatusPageService,
  StatusPageThemeColors,
  Timestamp,
  UpdateStatus,
} from "../api";
