/**
 * Calls the monitoring service's public HTTP API. The client speaks the API's own field names. A call checks its arguments,
 * and is sent in one or several attempts.
 */
import { setMaxListeners } from "node:events";
import {
  type AlertChannel,
  type Arguments,
  fillPath,
  type Id,
  type Incident,
  type ListOf,
  type ListQuery,
  type Mismatch,
  type NewIncidentUpdate,
  type Operation,
  operations,
  pathProblems,
  type StatusPage,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../api";
import { problemsOf } from "../problems";
import { canonicalId, quotedLine } from "../texts";
import { Attempts, type CallRequest } from "./attempts";
import { ConfigurationError, InvalidInputError } from "./errors";
import { Transport } from "./http";
import {
  type CallOptions,
  callOptions,
  type ClientOptions,
  type ClientSettings,
  type ListOptions,
  type ReadOptions,
  settingsOf,
  type WriteOptions,
} from "./options";
import { mismatchError, type Subject } from "./outcome";
import { type Cursor, NextIds, NumberedPages, PagePromise, type Received } from "./paging";
import { SecretMasker } from "./secretMasker";

export { type HostRequest, requestsTo } from "./codeHost";
export {
  ApiError,
  type ApiFailure,
  type Applied,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InvalidInputError,
  isMonitoringError,
  MonitoringError,
  NotFoundError,
  OutcomeUnknownError,
  PagingError,
  PermissionError,
  RateLimitError,
  RequestError,
  ResponseShapeError,
  ServerError,
  TimeoutError,
} from "./errors";
export {
  accountOptions,
  type CallOptions,
  type ClientOptions,
  defaults,
  type ListOptions,
  type ReadOptions,
  type RequestEvent,
  type WriteOptions,
} from "./options";
export { mismatchError } from "./outcome";
export type { Page, PagePromise } from "./paging";
export { proxyFor, proxyVariables } from "./proxy";

/**
 * A client for the operations of the service, with authentication, paging and retries. A write is retried only if it
 * certainly wasn't applied. After a 429, all calls of the client wait as long as the service asks, up to a minute.
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
   * immediately, may email every subscriber and can't be deleted. Each call posts again.
   *
   * @throws OutcomeUnknownError when the request was sent and received no usable response, or 408 or 5xx. The property `applied` of any
   * other error says whether the update may be public, too.
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
   * @throws PagingError from the iteration, when the list doesn't end, or is too large.
   * @throws ResponseShapeError when a page is too large.
   */
  listStatusPages(query: ListQuery = {}, options?: CallOptions): PagePromise<StatusPage> {
    // The query is copied, because the caller may change the object between two pages.
    const given = { ...query };
    return this.#calls.list<StatusPage>(operations.listStatusPages, () => new NextIds(given), options);
  }

  /**
   * Lists alert channels (operation `listAlertChannels`), whose `config` contains credentials in plain text. `await` returns
   * the first page; `for await` iterates over all channels. A channel that is made or deleted meanwhile may be included or not;
   * all others are, each once.
   *
   * @param query Size of a page, 1 to 100. Default: 10.
   * @throws NotFoundError when the service doesn't list alert channels: this operation is optional for a deployment.
   * @throws PagingError from the iteration, when the list kept changing while it was read three times, or is too large.
   */
  listAlertChannels(query: Pick<ListQuery, "limit"> = {}, options?: ListOptions): PagePromise<AlertChannel> {
    const given = { ...query };
    return this.#calls.list<AlertChannel>(
      operations.listAlertChannels,
      () => new NumberedPages(given),
      options,
    );
  }
}

/** Checks the arguments of operations, sends their requests, and reads their pages. */
class Calls {
  readonly #attempts: Attempts;
  readonly #settings: ClientSettings;
  readonly #masker: SecretMasker;
  readonly #service: Subject["service"];

  /** @param baseUrlSetting The setting that has the base URL, for messages. */
  constructor(settings: ClientSettings, baseUrlSetting: string) {
    const { apiKey, baseUrl, accountId, accountHeader, maxConcurrency, proxy } = settings;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(accountId !== undefined && { [accountHeader]: accountId }),
    };
    this.#settings = settings;
    this.#masker = new SecretMasker([apiKey]);
    this.#service = { url: baseUrl.replace(/\/+$/, ""), setting: baseUrlSetting };
    const transport = new Transport(new URL(baseUrl), headers, maxConcurrency, proxy);
    this.#attempts = new Attempts(transport, settings);
  }

  async call<Response, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options?: ReadOptions & WriteOptions,
  ): Promise<Response> {
    return (await this.#send(operation, input, options)).value;
  }

  /** Reads one object. @throws InvalidInputError for a second spelling of its id: it would seem to be another object. */
  async read<Response extends { readonly id?: Id }, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options?: ReadOptions,
  ): Promise<Response> {
    const read = await this.call(operation, input, options);
    const [property, asked] = Object.entries<Id>(input.ids).at(-1) ?? ["id", read.id];
    // Only an update can have an id of ours, and a service may return it in capitals.
    const spelled = property === "incidentUpdateId" ? canonicalId : (id: string): string => id;
    if (read.id === undefined || spelled(String(read.id)) === spelled(String(asked))) return read;
    const reason =
      `must be ${quotedLine(String(read.id))}, as in the response. Write the id as the service does; if that is another ` +
      "object, check the base URL and the proxies before the service";
    throw new InvalidInputError(this.#titleOf(operation, input.ids), [{ property, reason }]);
  }

  /** Reads a list. Each page is a call of its own. */
  list<Entry extends { readonly id: Id }>(
    operation: Operation<ListOf<Entry> | (Entry | Mismatch)[]>,
    begin: () => Cursor,
    options: ListOptions = {},
  ): PagePromise<Entry> {
    const refuse = (mismatch: Mismatch): never => {
      throw mismatchError(operation, mismatch);
    };
    // The options are copied for the same reason as the query.
    const given = { ...options };
    return new PagePromise({
      operation: operation.name,
      begin,
      read: async (query) => {
        const { value, ...rest } = await this.#send(operation, { ids: {}, query: { ...query } }, given);
        return { value: Array.isArray(value) ? { entries: value } : value, ...rest };
      },
      onMismatch: given.onMismatch ?? refuse,
    });
  }

  async #send<Response, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options: ReadOptions & WriteOptions = {},
  ): Promise<Received<Response>> {
    const given = { ...options };
    const call = this.#callRequest(operation, input, given);
    const signals = [this.#settings.signal, given.signal].filter((one) => one !== undefined);
    // Many calls may listen to one signal at a time; Node would warn of more than ten listeners.
    for (const signal of signals) setMaxListeners(0, signal);
    return this.#attempts.send(call, signals);
  }

  #callRequest<Response>(
    operation: Operation<Response>,
    { ids, query, body }: Arguments<string>,
    options: ReadOptions & WriteOptions,
  ): CallRequest<Response> {
    const problems = [
      ...pathProblems(ids, operation.idProblem),
      ...problemsOf(operation.query, query),
      ...problemsOf(operation.body, body),
      ...problemsOf(callOptions, options),
    ];
    if (problems.length > 0) throw new InvalidInputError(operation.name, problems);
    const title = this.#titleOf(operation, ids);
    if (this.#settings.readOnly && !operation.idempotent) {
      const reason =
        "is enabled (monitoring:readOnly, MONITORING_READ_ONLY or readOnly in the program), so nothing was sent";
      throw new ConfigurationError(title, [{ property: "readOnly", reason }]);
    }
    return {
      request: {
        method: operation.method,
        path: fillPath(operation.path, ids) + queryText(query),
        ...(operation.body && { body: JSON.stringify(operation.body.parse(body)) }),
        fresh: options.shared === false,
      },
      subject: { operation, title, masker: this.#maskerFor(body), service: this.#service },
      deadlineMs: options.deadlineMs ?? this.#settings.deadlineMs,
      beforeSend: options.beforeSend,
    };
  }

  /** Names the call in errors. Masks the ids, because a caller may pass the API key as an id by mistake. */
  #titleOf({ name }: { readonly name: string }, ids: Readonly<Record<string, Id>>): string {
    return [name, this.#masker.mask(Object.values(ids).join("/"))].join(" ").trim();
  }

  /** Masks the API key and the text of an update, which may be a secret until it is public. */
  #maskerFor(body: Arguments<string>["body"]): SecretMasker {
    const { description } = { ...body };
    return typeof description === "string"
      ? new SecretMasker([this.#settings.apiKey, description])
      : this.#masker;
  }
}

function queryText(query: Arguments<string>["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}
