/** What is left of a response, or why there is none. */
import axios from "axios";
import { errorCode } from "../../machine/errorCode";
import { type Body, parseBody } from "./body";
import { TimeLimitReached } from "./timeLimit";
import { type Attempt } from "./watchedTransport";

/** Why there is no complete response. */
type FailurePoint =
  /** No connection was made, so nothing was sent. */
  | "unreachable"
  /** Time ran out. */
  | "timed out"
  /** The caller cancelled. */
  | "cancelled"
  /** The connection was lost, or the response isn't HTTP. */
  | "lost"
  /** The response is larger than any of this service. */
  | "too large";

export type AttemptResult =
  | {
      readonly kind: "response";
      readonly status: number;
      /** Empty text for a redirect, and for an error response whose body could not be read. */
      readonly body: Body;
      readonly requestId: string | undefined;
      readonly retryAfter: string | undefined;
      /** The service's clock. */
      readonly date?: string | undefined;
    }
  | {
      readonly kind: "failure";
      readonly at: FailurePoint;
      /** Whether the request may have reached the service. */
      readonly sent: boolean;
      /** The error code of the operating system or of Node, such as `ECONNREFUSED`. */
      readonly code?: string | undefined;
    };

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function resultOf(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  text: string,
): AttemptResult {
  return {
    kind: "response",
    status,
    body: parseBody(text),
    requestId: headerText(headers["x-request-id"]),
    retryAfter: headerText(headers["retry-after"]),
    date: headerText(headers["date"]),
  };
}

function headerText(value: unknown): string | undefined {
  // Stryker disable next-line ConditionalExpression: Node returns these headers as one string
  return (typeof value === "string" && value) || undefined;
}

export function failureOf(error: unknown, { limit: { over }, sent }: Attempt): AttemptResult {
  if (over) {
    const at = over.reason instanceof TimeLimitReached ? "timed out" : "cancelled";
    return { kind: "failure", at, sent };
  }
  const isOfAxios = axios.isAxiosError(error);
  // Only its message tells this error of axios.
  if (isOfAxios && /^maxContentLength/.test(error.message)) return { kind: "failure", at: "too large", sent };
  const code = errorCode(isOfAxios ? error.cause : error);
  return { kind: "failure", at: sent ? "lost" : "unreachable", sent, code };
}
