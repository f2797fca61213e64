/** The attempts of one call, whose request is complete: until there is a response, retrying can't help, or the deadline is over. */
import { type MonitoringError, TimeoutError } from "./errors";
import { type HttpRequest, type Transport } from "./transport/http";
import { type AttemptResult } from "./transport/attemptResult";
import { type Subject } from "./errorTexts";
import { toOutcome } from "./outcome";
import { type Received } from "./paging";
import { type RequestLimiter } from "./requestLimiter";
import { isHarmless, mayHelp, waitAfter } from "./retry";
import { TimeLimit, TimeLimitReached } from "./transport/timeLimit";

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
