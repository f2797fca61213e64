/** Sends the request of a call until there is a result, sending again can't help or would do harm, or the deadline is over. */
import { type Operation } from "../api";
import { type Applied, type MonitoringError, TimeoutError } from "./errors";
import { type AttemptResult, type HttpRequest, isJson, isSuccess, type Transport } from "./http";
import { RequestLimiter, TimeLimit, TimeLimitReached } from "./limits";
import { type ClientSettings, type RequestEvent } from "./options";
import { type Subject, toOutcome } from "./outcome";
import { type Received } from "./paging";

export interface CallRequest<Response = unknown> {
  readonly request: HttpRequest;
  readonly subject: Subject<Response>;
  readonly deadlineMs: number;
  /** Runs before each attempt. If it rejects, nothing is sent, and the call rejects with its reason. */
  readonly beforeSend: (() => Promise<void>) | undefined;
}

interface Settings extends Pick<ClientSettings, "timeoutMs" | "maxAttempts" | "maxConcurrency"> {
  /** May return a promise. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
}

/** Makes the attempts of all calls of one client. */
export class Attempts {
  readonly #transport: Transport;
  readonly #settings: Settings;
  readonly #limiter: RequestLimiter;

  constructor(transport: Transport, settings: Settings) {
    this.#transport = transport;
    this.#settings = settings;
    this.#limiter = new RequestLimiter(settings.maxConcurrency);
  }

  /** Resolves to the value of a successful response, before the deadline or the first of the signals. */
  async send<Response>(
    call: CallRequest<Response>,
    signals: readonly AbortSignal[],
  ): Promise<Received<Response>> {
    const deadline = new TimeLimit(call.deadlineMs, signals);
    const sendInTurn = (): Promise<TimedResult> => this.#sendOnce(call, deadline);
    let failure: MonitoringError | undefined;
    try {
      for (let attempt = 1; ; attempt++) {
        const sent = await this.#limiter.run(sendInTurn, deadline);
        const outcome = toOutcome(sent.result, call.subject);
        const failed = "error" in outcome;
        const isRepeatable = failed && isHarmless(call.subject.operation, outcome.error.applied);
        const waits = isRepeatable ? this.#waitsAfter(sent.result, attempt, deadline) : {};
        this.#report(call.subject, sent, attempt, waits);
        if (!failed) return outcome;
        failure = outcome.error;
        // Report an unknown result before a cancelled call: the caller must know that the write may have been applied.
        if (failure.applied === "unknown") throw failure;
        deadline.throwIfOver();
        if (waits.waitMs === undefined) throw failure;
        await deadline.sleep(waits.waitMs);
      }
    } catch (error) {
      if (!(error instanceof TimeLimitReached)) throw error;
      throw failure ?? notSent(call);
    } finally {
      deadline.release();
    }
  }

  async #sendOnce({ request, beforeSend }: CallRequest, deadline: TimeLimit): Promise<TimedResult> {
    if (beforeSend) await deadline.race(Promise.resolve(beforeSend()));
    const limit = new TimeLimit(this.#settings.timeoutMs, [deadline]);
    const began = performance.now();
    try {
      const result = await this.#transport.send(request, limit);
      return { result, ms: performance.now() - began };
    } finally {
      limit.release();
    }
  }

  /** Returns the wait before the next attempt of a call that is safe to repeat; no `waitMs` if an attempt can't help. */
  #waitsAfter(result: AttemptResult, attempt: number, deadline: TimeLimit): Waits {
    if (!mayHelp(result)) return {};
    const wait = waitAfter(result, attempt);
    const isPause = result.kind === "response" && result.status === 429;
    if (isPause) this.#limiter.pause(wait);
    return {
      waitMs: attempt >= this.#settings.maxAttempts || wait >= deadline.leftMs ? undefined : wait,
      pauseMs: isPause ? wait : undefined,
    };
  }

  #report(
    { operation }: Subject,
    { result, ms }: TimedResult,
    attempt: number,
    { waitMs, pauseMs }: Waits,
  ): void {
    const { onRequest } = this.#settings;
    if (!onRequest) return;
    const event: RequestEvent = {
      operation: operation.name,
      method: operation.method,
      path: operation.path,
      attempt,
      ...(result.kind === "response" && { status: result.status }),
      ...(result.kind === "response" && result.date !== undefined && { date: result.date }),
      ms: Math.round(ms),
      ...(waitMs !== undefined && { waitMs: Math.round(waitMs) }),
      ...(pauseMs !== undefined && { pauseMs: Math.round(pauseMs) }),
    };
    // Errors of the listener, now or later, must not hide the result of a write.
    new Promise((resolve) => resolve(onRequest(event))).catch(() => undefined);
  }
}

interface TimedResult {
  readonly result: AttemptResult;
  readonly ms: number;
}

interface Waits {
  readonly waitMs?: number | undefined;
  readonly pauseMs?: number | undefined;
}

function notSent({ subject: { title }, deadlineMs }: CallRequest): TimeoutError {
  return new TimeoutError(
    `${title}: not sent within ${deadlineMs} ms, because it waited for other requests, or for a pause that the ` +
      "service asked for. Try again later, or raise deadlineMs.",
  );
}

/** Returns true if the request is safe to repeat: it is a read, or a write that was not applied. */
function isHarmless({ idempotent }: Operation, applied?: Applied): boolean {
  return idempotent || applied === "no";
}

/** Returns true if another attempt can succeed. */
function mayHelp(result: AttemptResult): boolean {
  if (result.kind === "failure") return result.at !== "too large";
  const { status, body } = result;
  // If a response has no content length, only incomplete JSON or an empty body shows that it was cut off.
  const cutOff = isSuccess(status) && !isJson(body) && /^\s*([[{]|$)/.test(body.text);
  return status === 408 || status === 429 || status >= 500 || cutOff;
}

const firstWaitMs = 250;
const longestWaitMs = 8_000;
const longestRetryAfterMs = 60_000;

/**
 * Returns the wait after this attempt (the first is 1) in milliseconds: what the service asked for, otherwise a random part
 * of a time that doubles ("full jitter"), so that many clients don't all retry at the same time.
 */
function waitAfter(result: AttemptResult, attempt: number): number {
  const requested = result.kind === "response" ? retryAfterMs(result.retryAfter) : undefined;
  return requested ?? Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
}

/** Returns the wait that a header `Retry-After` requests, in milliseconds, capped; undefined if it requests none. */
function retryAfterMs(header: string | undefined): number | undefined {
  const value = header ?? "";
  const seconds = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : NaN;
  // An HTTP date begins with the name of the day; Date.parse also accepts bare numbers and other text. A date in the form of
  // asctime has neither a comma nor a zone, and means GMT.
  const [, next] = /^[A-Z][a-z]+(,| [A-Z][a-z]{2}) /.exec(value) ?? [];
  const date = next === "," ? value : `${value} GMT`;
  const ms = next === undefined ? seconds * 1000 : Date.parse(date) - Date.now();
  return ms > 0 ? Math.min(ms, longestRetryAfterMs) : undefined;
}
