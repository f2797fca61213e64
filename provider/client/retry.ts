/** Whether a request may be sent again, and when. The loop is in attempts.ts, its `maxAttempts` in options.ts. */
import { type Operation } from "../api/operations";
import { type Applied } from "./applied";
import { isJson } from "./transport/body";
import { type AttemptResult, isSuccess } from "./transport/attemptResult";

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
