/** The client of the monitoring service's public HTTP API. It speaks the API's own field names. */
import { setMaxListeners } from "node:events";
import { type CallContext, type CallRequest, perform } from "./call";
import { ConfigurationError, InvalidInputError } from "./errors";
import { Transport } from "./http";
import { type Subject } from "./interpretResponse";
import { type Arguments, type Operation, operations, schemaProblems } from "../api/operations";
import { callOptions, type ClientOptions, defaultDeadlineMs, optionProblems } from "./options";
import { PagePromise, type Received } from "./paging";
import { canonicalId } from "../texts/digest";
import { quotedLine } from "../texts/printable";
import { fillPath, type Id, pathProblems } from "../api/path";
import { RequestLimiter } from "./requestLimiter";
import { SecretMasker } from "./secretMasker";
import {
  type AlertChannel,
  type Incident,
  type NewIncidentUpdate,
  type StatusPage,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../api";

/** Options of one call. */
export interface CallOptions {
  /** Cancels this call. It then rejects with the signal's reason or, if a write was sent, with `OutcomeUnknownError`. */
  signal?: AbortSignal;
  /** Time limit of this call with all its attempts and waits, in milliseconds. Default: the client's. */
  deadlineMs?: number;
}

/** Options of one read. */
export interface ReadOptions extends CallOptions {
  /**
   * Whether caches between the client and the service may respond. With `false`, the request carries
   * `cache-control: no-cache`. Default: true.
   */
  shared?: boolean;
}

/** Options of one write. */
export interface WriteOptions extends CallOptions {
  /** Called before each attempt is sent. If it rejects, nothing is sent, and the call rejects with its reason. */
  beforeSend?: () => Promise<void>;
}

/**
 * A client for the operations of the service, with authentication, paging and retries. A write is retried only if it
 * certainly wasn't applied. After a 429, all calls of the client wait as long as the service asks.
 * Errors are {@link MonitoringError}s and contain no credentials.
 *
 * @throws ConfigurationError from the constructor, with every problem of the options.
 */
export class MonitoringClient {
  readonly #context: CallContext;
  readonly #options: ClientOptions;
  readonly #masker: SecretMasker;
  readonly #baseUrlSetting: string;

  /** @param baseUrlSetting The setting that has the base URL, for messages. */
  constructor(options: ClientOptions, baseUrlSetting = "baseUrl") {
    // A copy, because the caller may change the object later.
    this.#options = { ...options };
    const problems = optionProblems(this.#options);
    if (problems.length > 0) throw new ConfigurationError("MonitoringClient", problems);
    const { apiKey, baseUrl, accountId, accountHeader = "x-service-account" } = this.#options;
    const { maxConcurrency = 8, timeoutMs = 15_000, maxAttempts = 4 } = this.#options;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(accountId !== undefined && { [accountHeader]: accountId }),
    };
    this.#masker = new SecretMasker([apiKey]);
    this.#baseUrlSetting = baseUrlSetting;
    this.#context = {
      transport: new Transport(new URL(baseUrl), headers, maxConcurrency),
      limiter: new RequestLimiter(maxConcurrency),
      timeoutMs,
      maxAttempts,
      onRequest: this.#options.onRequest,
    };
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
    return this.#call(operations.createIncidentUpdate, { ids: { incidentId }, body }, options);
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
    const update = await this.#read(operations.getIncidentUpdate, { ids }, options);
    return { ...update, id: update.id ?? String(incidentUpdateId) };
  }

  /**
   * Reads a status-page incident with its history, which may contain only the latest 100 updates (operation
   * `getStatusPageIncident`).
   *
   * @throws NotFoundError when the account has no such incident.
   */
  async getStatusPageIncident(incidentId: Id, options?: ReadOptions): Promise<StatusPageIncident> {
    return this.#read(operations.getStatusPageIncident, { ids: { incidentId } }, options);
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
    return this.#read(operations.getIncident, { ids: { id }, query: { ...query } }, options);
  }

  /**
   * Reads an alert channel (operation `getAlertChannel`). Its `config` contains credentials in plain text.
   *
   * @throws NotFoundError when the account has no such channel.
   */
  async getAlertChannel(id: Id, options?: ReadOptions): Promise<AlertChannel> {
    return this.#read(operations.getAlertChannel, { ids: { id } }, options);
  }

  /**
   * Lists status pages (operation `listStatusPages`). `await` returns one page; `for await` iterates over all status
   * pages from there on. `limit` is the page size, 1 to 100, 20 by default; `nextId` is the cursor from the previous page.
   * Each page is a call with a deadline of its own.
   *
   * @example
   * for await (const statusPage of client.listStatusPages({ limit: 100 })) console.log(statusPage.name);
   *
   * @throws PagingError from the iteration, when the list doesn't end.
   * @throws ResponseShapeError when a page is too large.
   */
  listStatusPages(
    query: { limit?: number; nextId?: string } = {},
    options?: CallOptions,
  ): PagePromise<StatusPage> {
    const first = { ...query };
    const given = { ...options };
    return new PagePromise(operations.listStatusPages.name, (cursor) => {
      const page = { ...first, ...(cursor !== undefined && { nextId: cursor }) };
      return this.#send(operations.listStatusPages, { ids: {}, query: page }, given);
    });
  }

  async #call<Response, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options?: ReadOptions & WriteOptions,
  ): Promise<Response> {
    return (await this.#send(operation, input, options)).value;
  }

  /** Reads one object. @throws InvalidInputError for a second spelling of its id: it would seem to be another object. */
  async #read<Response extends { readonly id?: Id }, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options?: ReadOptions,
  ): Promise<Response> {
    const read = await this.#call(operation, input, options);
    const [property, asked] = Object.entries<Id>(input.ids).at(-1) ?? ["id", read.id];
    // Only an update may have an id of ours, which a service may return in capitals.
    const spelled = property === "incidentUpdateId" ? canonicalId : (id: string): string => id;
    if (read.id === undefined || spelled(String(read.id)) === spelled(String(asked))) return read;
    const reason =
      `must be ${quotedLine(String(read.id))}, as in the response. Write the id as the service does; if that is another ` +
      "object, check the base URL and the proxies before the service";
    throw new InvalidInputError(this.#titleOf(operation, input.ids), [{ property, reason }]);
  }

  async #send<Response, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options: ReadOptions & WriteOptions = {},
  ): Promise<Received<Response>> {
    const given = { ...options };
    const call = this.#callRequest(operation, input, given);
    const signals = [this.#options.signal, given.signal].filter((one) => one !== undefined);
    // Any number of calls may listen to one signal, each until it ends.
    for (const signal of signals) setMaxListeners(0, signal);
    return perform(this.#context, call, signals);
  }

  /** Checks the arguments, and builds the request. */
  #callRequest<Response>(
    operation: Operation<Response>,
    { ids, query, body }: Arguments<string>,
    options: ReadOptions & WriteOptions,
  ): CallRequest<Response> {
    const problems = [
      ...pathProblems(ids, operation.idProblem),
      ...schemaProblems(operation.query, query),
      ...schemaProblems(operation.body, body),
      ...schemaProblems(callOptions, options),
    ];
    if (problems.length > 0) throw new InvalidInputError(operation.name, problems);
    const title = this.#titleOf(operation, ids);
    if (this.#options.readOnly && !operation.idempotent) {
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
      subject: { operation, title, masker: this.#maskerFor(body), service: this.#service() },
      deadlineMs: options.deadlineMs ?? this.#options.deadlineMs ?? defaultDeadlineMs,
      beforeSend: options.beforeSend,
    };
  }

  /** A caller may pass the API key as an id by mistake. */
  #titleOf({ name }: { readonly name: string }, ids: Readonly<Record<string, Id>>): string {
    return [name, this.#masker.mask(Object.values(ids).join("/"))].join(" ").trim();
  }

  #service(): Subject["service"] {
    return { url: this.#options.baseUrl.replace(/\/+$/, ""), setting: this.#baseUrlSetting };
  }

  /** Masks the API key and the text of an update, which may be a secret until it is public. */
  #maskerFor(body: Arguments<string>["body"]): SecretMasker {
    const { description } = { ...body };
    return typeof description === "string"
      ? new SecretMasker([this.#options.apiKey, description])
      : this.#masker;
  }
}

function queryText(query: Arguments<string>["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

export * from "./errors";
export type { RequestEvent } from "./call";
export type { ClientOptions } from "./options";
export type { Page, PagePromise } from "./paging";
export type { Id } from "../api/path";
export type {
  AlertChannel,
  AlertChannelSubscription,
  AlertChannelType,
  DashboardIncidentUpdate,
  Impact,
  Incident,
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
