/** One call of an operation: attempts until there is an answer, trying again can't help, or time is up. */
import { toResult, type Subject } from "./answers";
import { type JsonBody } from "./body";
import { type MonitoringError, OutcomeUnknownError, TimeoutError } from "./errors";
import { type Gate } from "./gate";
import { type HttpRequest, type AttemptResult, type Transport } from "./http";
import { mayRepeat, type RetryBudget, waitAfter } from "./retry";
import { Limit, sleep, TimeIsUp, unlessAborted } from "./time";

/** What is known of an attempt after it ended, for logs and progress. Holds no id, no credential and no text. */
export interface RequestEvent {
  /** The client's method, such as `listStatusPages`. */
  readonly operation: string;
  readonly method: "GET" | "POST";
  /** The path's template, such as `/v1/alert-channels/{id}`. */
  readonly path: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  /** HTTP status; missing when no answer came. */
  readonly status?: number;
  /** How long the attempt took, in milliseconds. */
  readonly ms: number;
  /** How long the call waits before its next attempt, in milliseconds; missing when this was the last. */
  readonly waitMs?: number;
}

/** What all calls of one client share. */
export interface Resources {
  readonly transport: Transport;
  readonly gate: Gate;
  readonly budget: RetryBudget;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** What it returns may be a promise. */
  readonly onRequest: ((event: RequestEvent) => unknown) | undefined;
}

/** What one call wants. */
export interface CallRequest {
  readonly request: HttpRequest;
  readonly subject: Subject;
  readonly deadlineMs: number;
  /** Run before each attempt; when it rejects, nothing is sent and the call rejects with its reason. */
  readonly beforeSend: (() => Promise<void>) | undefined;
}

/** The body of an answer of success, before the deadline, which it releases. */
export async function perform(resources: Resources, order: CallRequest, deadline: Limit): Promise<JsonBody> {
  const { gate, budget } = resources;
  const { signal } = deadline;
  let failure: MonitoringError | undefined;
  try {
    for (let attempt = 1; ; attempt++) {
      const { outcome, ms } = await gate.pass(() => sendOnce(resources, order, signal), signal);
      const verdict = toResult(outcome, order.subject);
      const failed = "error" in verdict;
      const waitMs = failed ? waitBeforeNext(resources, order, outcome, attempt, deadline) : undefined;
      report(resources, order.subject, outcome, { attempt, ms, waitMs });
      if (!failed) {
        budget.refund();
        return verdict.body;
      }
      failure = verdict.error;
      if (failure instanceof OutcomeUnknownError) throw failure;
      signal.throwIfAborted();
      if (waitMs === undefined) throw failure;
      await sleep(waitMs, signal);
    }
  } catch (error) {
    if (error instanceof TimeIsUp) throw failure ?? neverSent(order);
    throw error;
  } finally {
    deadline.release();
  }
}

function neverSent({ subject, deadlineMs }: CallRequest): TimeoutError {
  return new TimeoutError(
    `${subject.title}: not sent within ${deadlineMs} ms, because it waited for other requests, or for a pause ` +
      "that the service asked for. Try again later, or raise deadlineMs.",
  );
}

async function sendOnce(
  { transport, timeoutMs }: Resources,
  { request, beforeSend }: CallRequest,
  signal: AbortSignal,
): Promise<{ outcome: AttemptResult; ms: number }> {
  if (beforeSend) await unlessAborted(Promise.resolve(beforeSend()), [signal]);
  const limit = new Limit(timeoutMs, [signal]);
  const began = performance.now();
  try {
    const outcome = await transport.send(request, limit.signal);
    return { outcome, ms: performance.now() - began };
  } finally {
    limit.release();
  }
}

/** How long to wait before the next attempt; undefined when there is to be none. */
function waitBeforeNext(
  { gate, budget, maxAttempts }: Resources,
  { subject }: CallRequest,
  outcome: AttemptResult,
  attempt: number,
  deadline: Limit,
): number | undefined {
  if (!mayRepeat(outcome, subject.operation.idempotent)) return undefined;
  const wait = waitAfter(outcome, attempt, Date.now(), Math.random);
  if (outcome.kind === "answer" && outcome.status === 429) gate.close(wait);
  if (attempt >= maxAttempts || wait >= deadline.leftMs || !budget.spend()) return undefined;
  return wait;
}

function report(
  { onRequest }: Resources,
  { operation }: Subject,
  outcome: AttemptResult,
  { attempt, ms, waitMs }: { attempt: number; ms: number; waitMs: number | undefined },
): void {
  if (!onRequest) return;
  const { name, method, path } = operation;
  const event: RequestEvent = {
    operation: name,
    method,
    path,
    attempt,
    ...(outcome.kind === "answer" && { status: outcome.status }),
    ms: Math.round(ms),
    ...(waitMs !== undefined && { waitMs: Math.round(waitMs) }),
  };
  // A listener's mistake, now or later, must not cost what became of a write.
  new Promise((resolve) => resolve(onRequest(event))).catch(() => undefined);
}
