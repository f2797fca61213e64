/** Whether a write was applied: decided here alone, once for each attempt. Retries, errors and publishing read it. */
import { type AttemptResult, isSuccess } from "./transport/attemptResult";

/** Whether a write was applied. */
export type Applied = "yes" | "no" | "unknown";

/**
 * They reject the request as such. All others prove nothing: a 303 says that the write was done, a 409 may be about the
 * write itself, and a 404 comes although the incident was read a moment ago.
 */
const rejections: ReadonlySet<number> = new Set([
  400, 401, 403, 405, 406, 411, 413, 414, 415, 417, 422, 429, 431,
]);

/** @param isReadable Whether the response is one of the operation. */
export function appliedBy(result: AttemptResult, isReadable: boolean): Applied {
  if (result.kind === "failure") return result.sent ? "unknown" : "no";
  if (isSuccess(result.status)) return isReadable ? "yes" : "unknown";
  return rejections.has(result.status) ? "no" : "unknown";
}
