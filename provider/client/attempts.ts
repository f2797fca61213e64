/** The attempts of one call, whose request is complete: until there is a response, retrying can't help, or the deadline is over. */
import { TimeLimit, TimeLimitReached } from "./timeLimit";
import { WorkQueue } from "./workQueue";
import { type Operation } from "../api";
import { type Applied } from "./errors";
import { type Subject, toOutcome } from "./outcome";
import { type AttemptResult, type HttpRequest, isJson, isSuccess, type Transport } from "./http";
import { type MonitoringError, TimeoutError } from "./errors";
import { type Received } from "./paging";

// Limits the requests of one client: how many at a time, and none while the service asked for a pause.

export class RequestLimiter {
  readonly #queue: WorkQueue;
  /** When the pause ends that the service asked for. */
  #pausedUntil = 0;

  constructor(concurrency: number) {
    this.#queue = new WorkQueue(concurrency);
  }

  /** Calls `send` when the limits allow it. If the deadline is over first, rejects with its reason and never calls it. */
  async run<T>(send: () => Promise<T>, deadline: TimeLimit): Promise<T> {
    return new Promise((resolve, reject) => {
      // Whoever waits for a turn learns of the end at once; the turn itself comes later, and is given up.
      const stopListening = deadline.onEnd(reject);
      const turn = async (): Promise<T> => {
        await this.#endOfPause(deadline);
        deadline.throwIfOver();
        // From here on `send` says what the end means: the request may have been received.
        stopListening();
        return send();
      };
      this.#queue.run(turn).then(resolve, reject);
    });
  }

  /** Holds back every request for this long, because the service asked for it. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  /** The service may ask for a longer pause meanwhile. */
  async #endOfPause(deadline: TimeLimit): Promise<void> {
    for (let ms = this.#pauseMs(); ms > 0; ms = this.#pauseMs()) await deadline.sleep(ms);
  }

  #pauseMs(): number {
    return this.#pausedUntil - performance.now();
  }
}

// Whether a request may be sent again, and when. The loop is in attempts.ts, its `maxAttempts` in options.ts.

const firstWaitMs = 250;
const longestWaitMs = 8_000;
const longestRetryAfterMs = 60_000;

/** Whether sending again can help. */
export function mayHelp(result: AttemptResult): boolean {
  if (result.kind === "failure") return result.at !== "too large";
  const { status, body } = result;
  // A response without a length that was cut off shows only as incomplete JSON, or as an empty body.
  const cutOff = isSuccess(status) && !isJson(body) && /^\s*([[{]|$)/.test(body.text);
  return status === 408 || status === 429 || status >= 500 || cutOff;
}

/** Whether sending again does no harm: a read, and a write that was not applied. */
export function isHarmless({ idempotent }: Pick<Operation, "idempotent">, applied?: Applied): boolean {
  return idempotent || applied === "no";
}

/**
 * How long to wait after this attempt (the first is 1): what the service asked for, otherwise a random part of a time
 * that doubles ("full jitter"), so that many clients don't all retry at the same time.
 */
export function waitAfter(result: AttemptResult, attempt: number, now: number, random: () => number): number {
  // Stryker disable next-line ConditionalExpression: a failure has no `retryAfter`
  const requested = result.kind === "response" ? retryAfterMs(result.retryAfter, now) : undefined;
  return requested ?? random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
}

/** The wait that a header `Retry-After` requests, in milliseconds, capped; undefined when it requests none. */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  // Stryker disable next-line StringLiteral: no text but a number or a date requests a wait
  const value = header ?? "";
  const seconds = /^\d+$/.test(value) ? Number(value) : NaN;
  // An HTTP date begins with the name of the day; Date.parse also accepts bare numbers and other text.
  const ms = /^[A-Z][a-z]+, /.test(value) ? Date.parse(value) - now : seconds * 1000;
  return ms > 0 ? Math.min(ms, longestRetryAfterMs) : undefined;
}

/** One attempt that has ended, for logs and progress. Holds no id and no credential. */
export interface RequestEvent {
  /** The client's method, such as `listStatusPages`. */
  readonly operation: string;
  readonly method: "GET" | "POST";
  /** The path's template, such as `/v1/alert-channels/{id}`. */
  readonly path: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  /** HTTP status; missing when there was no response. */
  readonly status?: number;
  /** When the response was sent, by the clock of the service: its header `Date`; missing when it has none. */
  readonly date?: string;
  /** How long the attempt took, in milliseconds. */
  readonly ms: number;
  /** How long the call waits before its next attempt, in milliseconds; missing when this was the last. */
  readonly waitMs?: number;
  /** How long the service asked all calls of the client to wait (HTTP 429), in milliseconds. */
  readonly pauseMs?: number;
}

/** What all calls of one client share. */
export interface CallContext {
  readonly transport: Transport;
  readonly limiter: RequestLimiter;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** May return a promise. */
  readonly onRequest: ((event: RequestEvent) => unknown) | undefined;
}

export interface CallRequest<Response = unknown> {
  readonly request: HttpRequest;
  readonly subject: Subject<Response>;
  readonly deadlineMs: number;
  /** Run before each attempt; when it rejects, nothing is sent and the call rejects with its reason. */
  readonly beforeSend: (() => Promise<void>) | undefined;
}

/** The value of a successful response, before the deadline or the first of the signals. */
export async function attempts<Response>(
  context: CallContext,
  call: CallRequest<Response>,
  signals: readonly AbortSignal[],
): Promise<Received<Response>> {
  const deadline = new TimeLimit(call.deadlineMs, signals);
  const sendInTurn = (): ReturnType<typeof sendOnce> => sendOnce(context, call, deadline);
  let failure: MonitoringError | undefined;
  try {
    for (let attempt = 1; ; attempt++) {
      const { result, ms } = await context.limiter.run(sendInTurn, deadline);
      const outcome = toOutcome(result, call.subject);
      const failed = "error" in outcome;
      const isRepeatable = failed && isHarmless(call.subject.operation, outcome.error.applied);
      const wait = isRepeatable ? waitBeforeNext(context, result, attempt, deadline) : {};
      const { waitMs } = wait;
      report(context, call.subject, result, { attempt, ms, ...wait });
      if (!failed) return outcome;
      failure = outcome.error;
      // Whatever ended the call, the caller must know that the write may have been applied.
      if (failure.applied === "unknown") throw failure;
      deadline.throwIfOver();
      if (waitMs === undefined) throw failure;
      await deadline.sleep(waitMs);
    }
  } catch (error) {
    if (!(error instanceof TimeLimitReached)) throw error;
    throw failure ?? notSent(call);
  } finally {
    deadline.release();
  }
}

function notSent({ subject: { title }, deadlineMs }: CallRequest): TimeoutError {
  return new TimeoutError(
    `${title}: not sent within ${deadlineMs} ms, because it waited for other requests, or for a pause that the ` +
      "service asked for. Try again later, or raise deadlineMs.",
  );
}

async function sendOnce(
  { transport, timeoutMs }: CallContext,
  { request, beforeSend }: CallRequest,
  deadline: TimeLimit,
): Promise<{ result: AttemptResult; ms: number }> {
  if (beforeSend) await deadline.race(Promise.resolve(beforeSend()));
  const limit = new TimeLimit(timeoutMs, [deadline]);
  const began = performance.now();
  try {
    const result = await transport.send(request, limit);
    return { result, ms: performance.now() - began };
  } finally {
    limit.release();
  }
}

interface Waits {
  readonly waitMs?: number | undefined;
  readonly pauseMs?: number | undefined;
}

/** How long to wait before an attempt that does no harm; without `waitMs` when it can't help. */
function waitBeforeNext(
  { limiter, maxAttempts }: CallContext,
  result: AttemptResult,
  attempt: number,
  deadline: TimeLimit,
): Waits {
  if (!mayHelp(result)) return {};
  const wait = waitAfter(result, attempt, Date.now(), Math.random);
  const isPause = result.kind === "response" && result.status === 429;
  if (isPause) limiter.pause(wait);
  return {
    waitMs: attempt >= maxAttempts || wait >= deadline.leftMs ? undefined : wait,
    pauseMs: isPause ? wait : undefined,
  };
}

function report(
  { onRequest }: CallContext,
  subject: Subject,
  result: AttemptResult,
  { attempt, ms, waitMs, pauseMs }: Waits & { readonly attempt: number; readonly ms: number },
): void {
  if (!onRequest) return;
  const { name, method, path } = subject.operation;
  const event: RequestEvent = {
    operation: name,
    method,
    path,
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
