/** The client of the monitoring service's public HTTP API. It speaks the API's own field names. */
import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { parseBody } from "./answers";
import { type JsonBody } from "./body";
import { type CallRequest, perform, type Resources } from "./call";
import { ConfigurationError, InvalidInputError } from "./errors";
import { Gate } from "./gate";
import { Transport } from "./http";
import { type Arguments, type Operation, operations, schemaProblems } from "../api/operations";
import { callOptions, type ClientOptions, optionProblems } from "./options";
import { PagePromise } from "./paging";
import { fillPath, type Id, pathProblems } from "../api/path";
import { SecretMasker } from "./quote";
import { RetryBudget } from "./retry";
import {
  type AlertChannel,
  type Incident,
  type NewIncidentUpdate,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../api";
import { Sharing } from "./sharing";
import { Limit } from "./time";

/** What may be set for one call. */
export interface CallOptions {
  /** Cancels this call. It then rejects with the signal's reason, or, with a write under way, `OutcomeUnknownError`. */
  signal?: AbortSignal;
  /** Longest time of this call with all its attempts and waits, in milliseconds. Default: the client's. */
  deadlineMs?: number;
}

/** What may be set for one read. */
export interface ReadOptions extends CallOptions {
  /**
   * Whether equal reads that are under way may be answered by one request. One that isn't shared is never answered from
   * a cache either. Default: true.
   */
  shared?: boolean;
}

/** What may be set for one write. */
export interface WriteOptions extends CallOptions {
  /** Run before each attempt is sent. When it rejects, nothing is sent, and the call rejects with its reason. */
  beforeSend?: () => Promise<void>;
}

/** What may be set for a walk through the list of status pages. Each page is a call, with a deadline of its own. */
export interface ListOptions extends CallOptions {
  /** Whether the next page is requested while the caller works on the current one. Default: true. */
  prefetch?: boolean;
}

/**
 * The six operations, with auth, paging, retries of reads and limits. A write is sent again only when it was
 * provably not applied. When the service asks for a pause (HTTP 429), all clients of the account in this process
 * make it. Errors are {@link MonitoringError}s, and hold no credential.
 *
 * @throws ConfigurationError from the constructor, with every mistake in the options.
 */
export class MonitoringClient {
  readonly #resources: Resources;
  readonly #sharing = new Sharing();
  readonly #options: ClientOptions;
  readonly #quoter: SecretMasker;

  constructor(options: ClientOptions) {
    // A copy: what the caller does to the object later changes nothing.
    this.#options = { ...options };
    const problems = optionProblems(this.#options);
    if (problems.length > 0) throw new ConfigurationError("MonitoringClient", problems);
    const { apiKey, baseUrl, accountId, accountHeader = "x-service-account" } = this.#options;
    const { maxConcurrency = 8, maxRequestsPerMinute, timeoutMs = 15_000, maxAttempts = 4 } = this.#options;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(accountId !== undefined && { [accountHeader]: accountId }),
    };
    this.#quoter = new SecretMasker([apiKey]);
    this.#resources = {
      transport: new Transport(new URL(baseUrl), headers, maxConcurrency),
      gate: new Gate(accountKey(this.#options), maxConcurrency, maxRequestsPerMinute),
      budget: new RetryBudget(),
      timeoutMs,
      maxAttempts,
      onRequest: this.#options.onRequest,
    };
  }

  /**
   * Creates an update on a status-page incident (section 4.1). It is public at once, may mail every subscriber and
   * can't be taken back; sending it twice makes two.
   *
   * @throws OutcomeUnknownError when it was sent and may or may not have been applied.
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
   * Reads one update of a status-page incident (section 4.2).
   *
   * @throws NotFoundError when the account has no such incident, or the incident no such update.
   */
  async getIncidentUpdate(
    incidentId: Id,
    incidentUpdateId: Id,
    options?: ReadOptions,
  ): Promise<StatusPageIncidentUpdate> {
    return this.#call(operations.getIncidentUpdate, { ids: { incidentId, incidentUpdateId } }, options);
  }

  /**
   * Reads a status-page incident with its history, which may hold only the 100 latest updates (section 4.3).
   *
   * @throws NotFoundError when the account has no such incident.
   */
  async getStatusPageIncident(incidentId: Id, options?: ReadOptions): Promise<StatusPageIncident> {
    return this.#call(operations.getStatusPageIncident, { ids: { incidentId } }, options);
  }

  /**
   * Reads a dashboard incident (section 4.4), with its first update or, when asked for, with all.
   *
   * @throws NotFoundError when the account has no such incident.
   */
  async getIncident(
    id: Id,
    query: { includeAllIncidentUpdates?: boolean } = {},
    options?: ReadOptions,
  ): Promise<Incident> {
    return this.#call(operations.getIncident, { ids: { id }, query: { ...query } }, options);
  }

  /**
   * Reads an alert channel (section 4.5). Its `config` holds credentials in clear text.
   *
   * @throws NotFoundError when the account has no such channel.
   */
  async getAlertChannel(id: Id, options?: ReadOptions): Promise<AlertChannel> {
    return this.#call(operations.getAlertChannel, { ids: { id } }, options);
  }

  /**
   * Lists status pages (section 4.6). `await` gives one page, `for await` every status page from there on, once.
   * `limit` is the size of a page, 1 to 100, by default 20; `nextId` is the cursor that a page gave. Where a page is too
   * large to be read, the iteration goes on with fewer at a time.
   *
   * @example
   * for await (const statusPage of client.listStatusPages({ limit: 100 })) console.log(statusPage.name);
   *
   * @throws PagingError from the iteration, when the list doesn't come to its end.
   * @throws ResponseShapeError for one page that is too large; from the iteration, when a status page alone is too large.
   */
  listStatusPages(query: { limit?: number; nextId?: string } = {}, options?: ListOptions): PagePromise {
    const first = { ...query };
    const given = { ...options };
    return new PagePromise(
      ({ cursor, limit, leaving }) => {
        const page = {
          ...first,
          ...(limit !== undefined && { limit }),
          ...(cursor !== undefined && { nextId: cursor }),
        };
        return this.#call(operations.listStatusPages, { ids: {}, query: page }, given, leaving);
      },
      { limit: first.limit, prefetch: given.prefetch },
    );
  }

  async #call<Answer, Path extends string>(
    operation: Operation<Answer, Path>,
    input: Arguments<Path>,
    options: ReadOptions & WriteOptions & ListOptions = {},
    leaving?: AbortSignal,
  ): Promise<Answer> {
    const given = { ...options };
    const order = this.#order(operation, input, given);
    const signals = [this.#options.signal, given.signal, leaving].filter((one) => one !== undefined);
    // Any number of calls may listen to one signal, each until it ends.
    for (const signal of signals) setMaxListeners(0, signal);
    const send = (deadline: Limit): Promise<JsonBody> => perform(this.#resources, order, deadline);
    const json =
      operation.idempotent && (given.shared ?? true)
        ? await this.#sharing.join(order.request.path, order.deadlineMs, send, signals)
        : (await send(new Limit(order.deadlineMs, signals))).json;
    return parseBody(json, operation.answer, order.subject);
  }

  /** Checks the arguments, and lays out the request. */
  #order(
    operation: Operation,
    { ids, query, body }: Arguments<string>,
    options: ReadOptions & WriteOptions,
  ): CallRequest {
    const problems = [
      ...pathProblems(ids),
      ...schemaProblems(operation.query, query),
      ...schemaProblems(operation.body, body),
      ...schemaProblems(callOptions, options),
    ];
    if (problems.length > 0) throw new InvalidInputError(operation.name, problems);
    // Someone may pass the API key as an id.
    const title = [operation.name, this.#quoter.hide(Object.values(ids).join("/"))].join(" ").trim();
    if (this.#options.readOnly && !operation.idempotent) {
      const reason =
        "is on, so nothing was sent (a program sets it by monitoring:readOnly or MONITORING_READ_ONLY)";
      throw new ConfigurationError(title, [{ property: "readOnly", reason }]);
    }
    return {
      request: {
        method: operation.method,
        path: fillPath(operation.path, ids) + queryText(query),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        fresh: options.shared === false,
      },
      subject: { operation, title, quoter: this.#quoterFor(body) },
      deadlineMs: options.deadlineMs ?? this.#options.deadlineMs ?? 60_000,
      beforeSend: options.beforeSend,
    };
  }

  /** Hides the API key and, of an update, the text: that may be a secret until it is public. */
  #quoterFor(body: Arguments<string>["body"]): SecretMasker {
    const { description } = { ...body };
    return typeof description === "string"
      ? new SecretMasker([this.#options.apiKey, description])
      : this.#quoter;
  }
}

function queryText(query: Arguments<string>["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** Names the account on this service; without an id, by what the key hashes to. */
function accountKey({ apiKey, baseUrl, accountId }: ClientOptions): string {
  return `${new URL(baseUrl).href} ${accountId ?? createHash("sha256").update(apiKey).digest("hex")}`;
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
  Severity,
  StatusPage,
  StatusPageCard,
  StatusPageIncident,
  StatusPageIncidentSummary,
  StatusPageIncidentUpdate,
  StatusPageList,
  StatusPageService,
  StatusPageThemeColors,
  Timestamp,
  UpdateStatus,
} from "../api";
