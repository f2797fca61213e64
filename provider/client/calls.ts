/**
 * Performs the calls of operations: checks the arguments, then sends the request until it succeeds, the deadline passes, or another attempt
 * can't help or would do harm. `outcome.ts` interprets the result of each attempt.
 */
import { setMaxListeners } from "node:events";
import {
  type Arguments,
  type Id,
  type IdValidator,
  isObject,
  validateId,
  type ListOf,
  type ListQuery,
  type Mismatch,
  type Operation,
} from "../api";
import { validateValue } from "../problems";
import { normalizeId, type Problem, quoteLine } from "../texts";
import { ConfigurationError, InvalidInputError, type MonitoringError, TimeoutError } from "./errors";
import {
  type AttemptResult,
  type HttpRequest,
  type HttpResponse,
  RequestLimiter,
  TimeLimit,
  TimeLimitReached,
  Transport,
} from "./http";
import {
  callOptions,
  type ClientSettings,
  type ListOptions,
  type ReadOptions,
  type RequestEvent,
  type WriteOptions,
} from "./options";
import { type CallSubject, isRateLimit, createMismatchError, toOutcome } from "./outcome";
import { type Cursor, followCursors, PagePromise, type Received } from "./paging";
import { formatLogLine, printToStderr } from "./requestLog";
import { SecretMasker } from "./secretMasker";

export class Calls {
  readonly #settings: ClientSettings;
  readonly #transport: Transport;
  readonly #limiter: RequestLimiter;
  readonly #masker: SecretMasker;
  readonly #service: CallSubject["service"];

  /**
   * @param baseUrlSetting The setting that has the base URL, for messages.
   * @param print Prints the log of requests.
   */
  constructor(
    settings: ClientSettings,
    baseUrlSetting: string,
    private readonly print = printToStderr,
  ) {
    const { apiKey, baseUrl, accountId, accountHeader, maxConcurrency, proxy } = settings;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(accountId !== undefined && { [accountHeader]: accountId }),
    };
    this.#settings = settings;
    this.#transport = new Transport(new URL(baseUrl), headers, maxConcurrency, proxy);
    this.#limiter = new RequestLimiter(maxConcurrency);
    this.#masker = new SecretMasker([apiKey]);
    this.#service = { url: baseUrl.replace(/\/+$/, ""), setting: baseUrlSetting };
  }

  async call<Response, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options?: ReadOptions & WriteOptions,
  ): Promise<Response> {
    return (await this.#send(operation, input, options)).value;
  }

  /**
   * Reads one object.
   * @throws InvalidInputError if its ID is spelled differently in the response, because it would seem to be a different object.
   */
  async read<Response extends { readonly id?: Id }, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options?: ReadOptions,
  ): Promise<Response> {
    const read = await this.call(operation, input, options);
    const [property, asked] = Object.entries<Id>(input.ids).at(-1) ?? ["id", read.id];
    // This package generates IDs of updates but of no other objects, and a service may return such an ID in capitals.
    const spelled = property === "incidentUpdateId" ? normalizeId : (id: string): string => id;
    if (read.id === undefined || spelled(String(read.id)) === spelled(String(asked))) return read;
    const reason =
      `must be ${quoteLine(String(read.id))}, the ID in the response. Write the ID as the service returns it. If the ID belongs to ` +
      "a different object, check the base URL and any proxies";
    throw new InvalidInputError(this.#formatTitle(operation, input.ids), [{ property, reason }]);
  }

  /** Reads a list. Each page is a separate call. @param pages Returns a cursor at the first page. Default: follows the cursors of the pages. */
  list<Entry extends { readonly id: Id }>(
    operation: Operation<ListOf<Entry> | (Entry | Mismatch)[]>,
    ids: Readonly<Record<string, Id>>,
    query: ListQuery = {},
    options: ListOptions = {},
    pages: (query: ListQuery) => Cursor = followCursors,
  ): PagePromise<Entry> {
    const rejectMismatch = (mismatch: Mismatch): never => {
      throw createMismatchError(operation, mismatch);
    };
    // The caller may change the objects between two pages.
    const [asked, given] = [{ ...query }, { ...options }];
    return new PagePromise({
      operation: this.#formatTitle(operation, ids),
      begin: () => pages(asked),
      read: async (page) => {
        const { value, ...rest } = await this.#send(operation, { ids, query: { ...page } }, given);
        return { value: Array.isArray(value) ? { entries: value } : value, ...rest };
      },
      onMismatch: given.onMismatch ?? rejectMismatch,
    });
  }

  /** Resolves to the value of a successful response, before the deadline or the first of the signals. */
  async #send<Response, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options: ReadOptions & WriteOptions = {},
  ): Promise<Received<Response>> {
    const given = { ...options };
    const request = this.#buildRequest(operation, input, given);
    const subject = this.#createSubject(operation, input);
    const { deadlineMs = this.#settings.deadlineMs } = given;
    const signals = [this.#settings.signal, given.signal].filter((one) => one !== undefined);
    // Many calls may listen to one signal at a time; Node would warn of more than ten listeners.
    for (const signal of signals) setMaxListeners(0, signal);
    const deadline = new TimeLimit(deadlineMs, signals);
    const sendOnce = () => this.#sendOnce(request, deadline, given.beforeSend);
    let failure: MonitoringError | undefined;
    // Attempts that a rate limit rejected aren't included.
    let failures = 0;
    try {
      for (let attempt = 1; ; attempt++) {
        const { result, ms, pauseMs } = await this.#limiter.run(sendOnce, deadline);
        const outcome = toOutcome(result, subject);
        const mayRepeat = "error" in outcome && outcome.isRepeatable;
        if (pauseMs === undefined) failures += 1;
        const waits = mayRepeat ? this.#computeWaits(result, failures, deadline, pauseMs) : {};
        this.#report(subject, result, { attempt, ms, ...waits });
        if (!("error" in outcome)) return outcome;
        failure = outcome.error;
        // Report an unknown result before a cancelled call, because the caller must know that the write may have been applied.
        if (failure.applied === "unknown") throw failure;
        deadline.throwIfOver();
        if (waits.waitMs === undefined) throw failure;
        // During a pause, the limiter holds back all calls.
        if (pauseMs === undefined) await deadline.sleep(waits.waitMs);
      }
    } catch (error) {
      if (!(error instanceof TimeLimitReached)) throw error;
      throw failure ?? createNotSentError(subject, deadlineMs);
    } finally {
      deadline.release();
    }
  }

  #buildRequest(
    operation: Operation,
    { ids, query, body }: Arguments<string>,
    options: ReadOptions & WriteOptions,
  ): HttpRequest {
    const problems = [
      ...validatePath(ids, operation.validateId),
      ...validateValue(operation.query, query),
      ...validateValue(operation.body, body),
      ...validateValue(callOptions, options),
    ];
    const applied = operation.method === "GET" ? undefined : "no";
    if (problems.length > 0) throw new InvalidInputError(operation.name, problems, applied);
    if (this.#settings.readOnly && applied) {
      const reason =
        "is enabled (monitoring:readOnly, MONITORING_READ_ONLY or readOnly in the program). Nothing was sent";
      throw new ConfigurationError(
        this.#formatTitle(operation, ids),
        [{ property: "readOnly", reason }],
        applied,
      );
    }
    return {
      method: operation.method,
      path: fillPath(operation.path, ids) + formatQuery(query),
      ...(operation.body && { body: JSON.stringify(operation.body.parse(body)) }),
      fresh: options.shared === false,
    };
  }

  #createSubject<Response>(
    operation: Operation<Response>,
    { ids, body }: Arguments<string>,
  ): CallSubject<Response> {
    // The text of an update and the name of an incident may be secrets until they are public.
    const [update = body] = [body?.["incidentUpdates"] ?? []].flat();
    const texts = [isObject(update) && update["description"], body?.["name"]].filter(
      (text) => typeof text === "string",
    );
    const masker = texts.length === 0 ? this.#masker : new SecretMasker([this.#settings.apiKey, ...texts]);
    return { operation, title: () => this.#formatTitle(operation, ids), masker, service: this.#service };
  }

  /** Names the call in errors. Masks the IDs, because a caller may pass the API key as an ID by mistake. */
  #formatTitle({ name }: { readonly name: string }, ids: Readonly<Record<string, Id>>): string {
    return [name, this.#masker.mask(Object.values(ids).join("/"))].join(" ").trim();
  }

  async #sendOnce(
    request: HttpRequest,
    deadline: TimeLimit,
    beforeSend: WriteOptions["beforeSend"],
  ): Promise<{ readonly result: AttemptResult; readonly ms: number; readonly pauseMs?: number }> {
    if (beforeSend) await deadline.race(Promise.resolve(beforeSend()));
    const limit = new TimeLimit(this.#settings.timeoutMs, [deadline]);
    const began = performance.now();
    const result = await this.#transport.send(request, limit).finally(() => limit.release());
    const ended = { result, ms: Math.round(performance.now() - began) };
    // Notify the limiter before it starts the next request.
    if ("status" in result && isRateLimit(result))
      return { ...ended, pauseMs: this.#limiter.slowDown(began, getRequestedPause(result), deadline.leftMs) };
    if ("status" in result) this.#limiter.speedUp(began);
    return ended;
  }

  /** Returns the times after an attempt that may be repeated. There is no `waitMs` if no attempt follows. */
  #computeWaits(result: AttemptResult, failures: number, { leftMs }: TimeLimit, pauseMs?: number): Waits {
    const { maxAttempts } = this.#settings;
    const waitMs = pauseMs ?? Math.round(computeWait(result, failures));
    // A response is unlikely in less than 200 ms.
    const mayFollow = pauseMs === undefined ? failures < maxAttempts : maxAttempts > 1 && leftMs > 200;
    return { ...(mayFollow && waitMs < leftMs && { waitMs }), ...(pauseMs !== undefined && { pauseMs }) };
  }

  #report(
    { operation, title }: CallSubject,
    result: AttemptResult,
    times: Pick<RequestEvent, "attempt" | "ms"> & Waits,
  ): void {
    if (this.#settings.logsRequests) this.print(formatLogLine(title(), result, times));
    const onRequest: ((event: RequestEvent) => unknown) | undefined = this.#settings.onRequest;
    if (!onRequest) return;
    const date = "status" in result ? result.header("date") : undefined;
    const event: RequestEvent = {
      operation: operation.name,
      method: operation.method,
      path: operation.path,
      ...("status" in result && { status: result.status }),
      ...(date !== undefined && { date }),
      ...times,
    };
    // Errors of the listener, now or later, must not hide the result of a write.
    new Promise((resolve) => resolve(onRequest(event))).catch(() => undefined);
  }
}

type Waits = Pick<RequestEvent, "waitMs" | "pauseMs">;

/** Returns the problem of every invalid ID, with its name in the template. */
export function validatePath(
  ids: Readonly<Record<string, unknown>>,
  problemOf: IdValidator = validateId,
): Problem[] {
  return Object.entries(ids).flatMap(([property, id]) => {
    const reason = problemOf(id);
    return reason === undefined ? [] : [{ property, reason }];
  });
}

/** Fills IDs into the template. They must have passed {@link validatePath}. */
export function fillPath(template: string, ids: Readonly<Record<string, Id>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ids[name])));
}

function formatQuery(query: Arguments<string>["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

function createNotSentError({ title }: CallSubject, deadlineMs: number): TimeoutError {
  return new TimeoutError(
    `${title()}: the request was not sent within ${deadlineMs} ms, because other requests were still running or the service ` +
      "is limiting requests (HTTP 429). Try again later, or raise deadlineMs.",
  );
}

const firstWaitMs = 250;
const longestWaitMs = 8_000;
const longestRetryAfterMs = 60_000;

/**
 * Returns the wait after this attempt (the first is 1), in milliseconds: the requested wait, otherwise a random part of a time that doubles
 * ("full jitter"), so that many clients don't all retry at the same time.
 */
function computeWait(result: AttemptResult, attempt: number): number {
  const requested = "status" in result ? parseRetryAfter(result) : undefined;
  return requested ?? Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
}

/** Returns the longest pause that a 429 requests, in milliseconds; undefined if it requests no pause. */
function getRequestedPause(response: HttpResponse): number | undefined {
  const { header } = response;
  const [...fields] = (header("ratelimit") ?? "").matchAll(/\b(?:t|reset)=(\d+)/g);
  const resets = [header("x-ratelimit-reset"), header("ratelimit-reset"), ...fields.map(([, t]) => t)];
  // A later reset belongs to a longer window, for example a day.
  const soon = resets.map((value) => parseMsUntil(value, header)).filter((ms) => ms <= longestRetryAfterMs);
  const longest = Math.max(parseRetryAfter(response) ?? 0, ...soon);
  return longest > 0 ? longest : undefined;
}

/** Returns the wait that a header `Retry-After` requests, in milliseconds, capped; undefined if it requests none. */
function parseRetryAfter({ header }: HttpResponse): number | undefined {
  const ms = parseMsUntil(header("retry-after"), header);
  return ms > 0 ? Math.min(ms, longestRetryAfterMs) : undefined;
}

/** Returns the time from now, in milliseconds, to the time in a header: seconds, a Unix time, or a date. NaN for anything else. */
function parseMsUntil(value = "", header: HttpResponse["header"]): number {
  const seconds = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : NaN;
  if (seconds > 1e9) return (seconds > 1e11 ? seconds : seconds * 1000) - parseServiceTime(header("date"));
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return Date.parse(value) - parseServiceTime(header("date"));
  // An HTTP date starts with the name of the day; Date.parse also accepts bare numbers and other strings. A date in the format of asctime
  // contains neither a comma nor a zone, and is in GMT.
  const [, next] = /^[A-Z][a-z]+(,| [A-Z][a-z]{2}) /.exec(value) ?? [];
  const date = next === "," ? value : `${value} GMT`;
  return next === undefined ? seconds * 1000 : Date.parse(date) - parseServiceTime(header("date"));
}

/** Returns the time on the service's clock, because its dates refer to that clock. Uses this machine's time if the response has no date. */
function parseServiceTime(date = ""): number {
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? Date.now() : ms;
}
