/** Whether a request may be sent again, when, and how often: the decision. The loop is in call.ts. */
import { isJson } from "./body";
import { type AttemptResult } from "./http";

const firstWaitMs = 250;
const longestWaitMs = 8_000;
const longestRetryAfterMs = 60_000;

/**
 * Whether sending again can help and does no harm. A write is repeated only when the first was provably not
 * applied: nothing was sent, or the service turned it away unread (429).
 */
export function mayRepeat(outcome: AttemptResult, idempotent: boolean): boolean {
  if (outcome.kind === "break") {
    if (outcome.at === "too large") return false;
    return idempotent || !outcome.sent;
  }
  const { status } = outcome;
  if (status === 429) return true;
  // A body that was cut where nothing tells its length shows only as JSON that stops short, or as nothing at all.
  const cut =
    status >= 200 && status < 300 && !isJson(outcome.body) && /^\s*([[{]|$)/.test(outcome.body.text);
  return idempotent && (status === 408 || status >= 500 || cut);
}

/**
 * How long to wait after the attempt with this number (1 is the first): what the service asked for, or else a
 * random part of a time that doubles ("full jitter"), so that many clients don't come back at once.
 */
export function waitAfter(
  outcome: AttemptResult,
  attempt: number,
  now: number,
  random: () => number,
): number {
  const asked = outcome.kind === "answer" ? retryAfterMs(outcome.retryAfter, now) : undefined;
  return asked ?? random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
}

/** The wait that a header `Retry-After` asks for, in milliseconds, capped; undefined when it asks for none. */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header ?? "";
  const seconds = /^\d+$/.test(value) ? Number(value) : NaN;
  // An HTTP date begins with the day's name; Date.parse reads bare numbers and other odd texts as dates too.
  const ms = /^[A-Z][a-z]+, /.test(value) ? Date.parse(value) - now : seconds * 1000;
  return ms > 0 ? Math.min(ms, longestRetryAfterMs) : undefined;
}

/**
 * Bounds the retries of one client, so that an outage isn't amplified: a retry costs one, a success gives half a
 * retry back. In a lasting outage each call soon is one request.
 */
export class RetryBudget {
  static readonly #most = 100;
  #left = RetryBudget.#most;

  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  refund(): void {
    this.#left = Math.min(RetryBudget.#most, this.#left + 0.5);
  }
}
