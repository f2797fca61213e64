/** Calls the monitoring service's public HTTP API. The client speaks the API's own field names. */
import {
  type AlertChannel,
  type Component,
  type ComponentPage,
  type ComponentPageIncident,
  type EditedComponentPageIncident,
  type EditedComponentPageUpdate,
  type Id,
  type Incident,
  type ListQuery,
  type NewComponentPageIncident,
  type NewComponentPageUpdate,
  type NewIncidentUpdate,
  operations,
  type StatusPage,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../api";
import { Calls } from "./calls";
import {
  type CallOptions,
  type ClientOptions,
  type ListOptions,
  type ReadOptions,
  parseClientOptions,
  type WriteOptions,
} from "./options";
import { readNumberedPages, type PagePromise } from "./paging";

export { createRequester } from "./codeHost";
export * from "./errors";
export {
  accountOptions,
  type ClientOptions,
  clientVariables,
  defaults,
  type ReadOptions,
  type RequestEvent,
  type WriteOptions,
} from "./options";
export { createMismatchError, searchAdvice } from "./outcome";
export { findProxy } from "./proxy";
export { SecretMasker } from "./secretMasker";

/**
 * A client for the operations of the service, with authentication, paging and retries. A write is retried only if it certainly wasn't
 * applied. After a 429, all calls of the client wait, as long as their time allows, and then continue more slowly. Errors are {@link
 * MonitoringError}s and contain no credentials.
 *
 * @throws ConfigurationError from the constructor, with every problem of the options.
 */
export class MonitoringClient {
  readonly #calls: Calls;

  /**
   * @param baseUrlSetting Name of the setting that contains the base URL, for messages.
   * @param print Prints the log of requests. Default: on standard error.
   */
  constructor(options: ClientOptions, baseUrlSetting = "baseUrl", print?: (line: string) => void) {
    this.#calls = new Calls(parseClientOptions(options), baseUrlSetting, print);
  }

  /**
   * Creates an update on a status-page incident (operation `createIncidentUpdate`). It is public immediately, may email every subscriber
   * and can't be deleted. Each call posts again.
   *
   * @throws OutcomeUnknownError when the request was sent and received no usable response, or 408 or 5xx. With any other error, check its
   * property `applied`: the update may also be public.
   * @throws NotFoundError when the account has no such incident.
   */
  async createIncidentUpdate(
    incidentId: Id,
    update: NewIncidentUpdate,
    options?: WriteOptions,
  ): Promise<StatusPageIncidentUpdate> {
    const body = withNotification(update);
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
   * Reads a status-page incident with its history, which may contain only the latest 100 updates (operation `getStatusPageIncident`).
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
   * Lists status pages (operation `listStatusPages`). `await` returns one page; `for await` iterates over all status pages from there. Each
   * page is a separate call with its own deadline.
   *
   * @example
   * for await (const statusPage of client.listStatusPages({ limit: 100 })) console.log(statusPage.name);
   *
   * @throws PagingError from the iteration, when the list doesn't end, or is too large.
   * @throws ResponseShapeError when a page is too large.
   */
  listStatusPages(query?: ListQuery, options?: CallOptions): PagePromise<StatusPage> {
    return this.#calls.list<StatusPage>(operations.listStatusPages, {}, query, options);
  }

  /**
   * Lists status pages with components (operation `listComponentPages`), as `listStatusPages` lists the others.
   *
   * @throws NotFoundError when the service has no such pages.
   * @throws PagingError from the iteration, when the list doesn't end, or is too large.
   */
  listComponentPages(query?: ListQuery, options?: CallOptions): PagePromise<ComponentPage> {
    return this.#calls.list<ComponentPage>(operations.listComponentPages, {}, query, options);
  }

  /**
   * Reads a status page with components (operation `getComponentPage`).
   *
   * @throws NotFoundError when the account has no such page, or the page has cards.
   */
  async getComponentPage(statusPageId: Id, options?: ReadOptions): Promise<ComponentPage> {
    return this.#calls.read(operations.getComponentPage, { ids: { statusPageId } }, options);
  }

  /**
   * Lists the components of a status page, in the order of the page (operation `listComponents`).
   *
   * @throws NotFoundError when the account has no such page, or the page has cards.
   */
  listComponents(statusPageId: Id, query?: ListQuery, options?: CallOptions): PagePromise<Component> {
    return this.#calls.list<Component>(operations.listComponents, { statusPageId }, query, options);
  }

  /**
   * Lists the incidents of a status page with components, without their updates (operation `listComponentPageIncidents`). `await` returns
   * one page, the most recently updated incidents first; `for await` iterates over all of them, each once. An incident that is updated
   * during the iteration moves to the first page and may be missed.
   *
   * @throws NotFoundError when the account has no such page, or the page has cards.
   * @throws PagingError from the iteration, when the list doesn't end, or is too large.
   */
  listComponentPageIncidents(
    statusPageId: Id,
    query?: ListQuery,
    options?: CallOptions,
  ): PagePromise<ComponentPageIncident> {
    return this.#calls.list<ComponentPageIncident>(
      operations.listComponentPageIncidents,
      { statusPageId },
      query,
      options,
    );
  }

  /**
   * Opens an incident on a status page with components, with its first update (operation `openComponentPageIncident`). It is public
   * immediately, and may email every subscriber. Each call opens another one.
   *
   * @throws OutcomeUnknownError as `createIncidentUpdate` does.
   * @throws NotFoundError when the account has no such page, or it is one with cards.
   */
  async openComponentPageIncident(
    statusPageId: Id,
    incident: NewComponentPageIncident,
    options?: WriteOptions,
  ): Promise<ComponentPageIncident> {
    const body = { ...incident };
    // Invalid input is passed on, so that it gets the same error as in every other call.
    if (Array.isArray(body.incidentUpdates))
      body.incidentUpdates = body.incidentUpdates.map(withNotification);
    return this.#calls.call(operations.openComponentPageIncident, { ids: { statusPageId }, body }, options);
  }

  /**
   * Reads an incident of a status page with components, with its latest 100 updates (operation `getComponentPageIncident`).
   *
   * @throws NotFoundError when the incident isn't on this page.
   */
  async getComponentPageIncident(
    statusPageId: Id,
    incidentId: Id,
    options?: ReadOptions,
  ): Promise<ComponentPageIncident> {
    const ids = { statusPageId, incidentId };
    return this.#calls.read(operations.getComponentPageIncident, { ids }, options);
  }

  /**
   * Reads one update of an incident of a status page with components (operation `getComponentPageIncidentUpdate`).
   *
   * @throws NotFoundError when the incident isn't on this page, or the update isn't on this incident.
   */
  async getComponentPageIncidentUpdate(
    statusPageId: Id,
    incidentId: Id,
    incidentUpdateId: Id,
    options?: ReadOptions,
  ): Promise<StatusPageIncidentUpdate> {
    const ids = { statusPageId, incidentId, incidentUpdateId };
    const update = await this.#calls.read(operations.getComponentPageIncidentUpdate, { ids }, options);
    return { ...update, id: update.id ?? String(incidentUpdateId) };
  }

  /**
   * Creates an update on an incident of a status page with components (operation `createComponentPageIncidentUpdate`). It is public
   * immediately and may email every subscriber. Each call posts again.
   *
   * @throws OutcomeUnknownError as `createIncidentUpdate` does.
   * @throws NotFoundError when the incident isn't on this page.
   */
  async createComponentPageIncidentUpdate(
    statusPageId: Id,
    incidentId: Id,
    update: NewComponentPageUpdate,
    options?: WriteOptions,
  ): Promise<StatusPageIncidentUpdate> {
    const ids = { statusPageId, incidentId };
    const body = withNotification(update);
    return this.#calls.call(operations.createComponentPageIncidentUpdate, { ids, body }, options);
  }

  /**
   * Edits the name of an incident of a status page with components, and the states of all its components (operation
   * `editComponentPageIncident`). Components that aren't named become operational. No email is sent. Each call has the same effect.
   *
   * @throws OutcomeUnknownError as `createIncidentUpdate` does.
   * @throws NotFoundError when the page has no such incident.
   */
  async editComponentPageIncident(
    statusPageId: Id,
    incidentId: Id,
    incident: EditedComponentPageIncident,
    options?: WriteOptions,
  ): Promise<ComponentPageIncident> {
    const input = { ids: { statusPageId, incidentId }, body: { ...incident } };
    return this.#calls.call(operations.editComponentPageIncident, input, options);
  }

  /**
   * Replaces the content of an update on an incident of a status page with components (operation `editComponentPageIncidentUpdate`). No
   * email is sent. Overwrites any change made on the service in the meantime. Each call has the same effect.
   *
   * @throws OutcomeUnknownError as `createIncidentUpdate` does.
   * @throws NotFoundError when the incident isn't on this page, or the update isn't on this incident.
   */
  async editComponentPageIncidentUpdate(
    statusPageId: Id,
    incidentId: Id,
    incidentUpdateId: Id,
    update: EditedComponentPageUpdate,
    options?: WriteOptions,
  ): Promise<StatusPageIncidentUpdate> {
    const input = { ids: { statusPageId, incidentId, incidentUpdateId }, body: { ...update } };
    const edited = await this.#calls.call(operations.editComponentPageIncidentUpdate, input, options);
    return { ...edited, id: edited.id ?? String(incidentUpdateId) };
  }

  /**
   * Lists alert channels (operation `listAlertChannels`), whose `config` contains credentials in plain text. `await` returns the first
   * page; `for await` iterates over all channels, each once. A channel that is created or deleted during the iteration may be included or
   * not.
   *
   * @param query Size of a page, 1 to 100. Default: 10.
   * @throws NotFoundError when the service doesn't list alert channels. This operation is optional for a deployment.
   * @throws PagingError from the iteration, when the list kept changing while it was read three times, or is too large.
   */
  listAlertChannels(query?: Pick<ListQuery, "limit">, options?: ListOptions): PagePromise<AlertChannel> {
    return this.#calls.list<AlertChannel>(
      operations.listAlertChannels,
      {},
      query,
      options,
      readNumberedPages,
    );
  }
}

/** Returns the body of a post. The flag is always sent, because the API doesn't document its default on every page. */
function withNotification<Update extends NewComponentPageUpdate>(update: Update) {
  const { notifySubscribers = false, ...rest } = { ...update };
  return { ...rest, notifySubscribers };
}
