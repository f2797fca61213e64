/** From what became of an attempt to what the caller gets: a value, or an error in plain words. */
import { type z } from "zod";
import { isJson, type JsonBody, serviceMessage } from "./body";
import {
  ApiError,
  type ApiFailure,
  AuthenticationError,
  ConnectionError,
  type MonitoringError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitError,
  RequestError,
  ResponseShapeError,
  ServerError,
  TimeoutError,
} from "./errors";
import { fits } from "./fit";
import { largestResponseMiB, type AttemptResult } from "./http";
import { type Operation } from "../api/operations";
import { type SecretMasker } from "./quote";
import { ResponseTooLargeError } from "./responseTooLarge";

/** What a call is about, for its errors. */
export interface Subject {
  readonly operation: Operation;
  /** Operation and ids, such as `getAlertChannel 200123`. */
  readonly title: string;
  readonly quoter: SecretMasker;
}

/** The body of an answer of success, or what stands in its way. */
export function toResult(
  outcome: AttemptResult,
  subject: Subject,
): { body: JsonBody } | { error: MonitoringError } {
  if (outcome.kind === "break") return { error: errorOfBreak(outcome, subject) };
  if (outcome.status < 200 || outcome.status >= 300) return { error: errorOfStatus(outcome, subject) };
  if (isJson(outcome.body)) return { body: outcome.body };
  const mistake = outcome.body.text === "" ? "the response is empty" : "the response is not JSON";
  return { error: errorOfShape(mistake, subject) };
}

/** The value in an answer of success. */
export function parseBody<T>(json: unknown, schema: z.ZodType<T>, subject: Subject): T {
  if (fits(schema, json)) return json;
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const places = new Set(parsed.error.issues.map((issue) => issue.path.join(".") || "the answer itself"));
  const named = [...places].slice(0, 10).join(", ");
  throw errorOfShape(`not as described at: ${subject.quoter.quote(named)}`, subject);
}

const wrongPlace = "Check that the base URL leads to the service's API.";

function errorOfShape(mistake: string, { operation, title }: Subject): MonitoringError {
  if (!operation.idempotent) return unknownOutcome(title, `answered with success, but ${mistake}`);
  return new ResponseShapeError(
    `${title}: the service answered with success, but ${mistake}. Check that the base URL leads to the service's API.`,
  );
}

function errorOfBreak(
  outcome: AttemptResult & { kind: "break" },
  { operation, title }: Subject,
): MonitoringError {
  const code = outcome.code === undefined ? "" : ` (${outcome.code})`;
  if (outcome.sent && !operation.idempotent) {
    return unknownOutcome(
      title,
      outcome.at === "stopped" ? "did not respond in time" : `closed the connection${code}`,
    );
  }
  switch (outcome.at) {
    case "unreachable":
      return new ConnectionError(
        `${title}: the service could not be reached${code}. Check the base URL, the network and the proxy, if any.`,
      );
    case "stopped":
      return new TimeoutError(
        outcome.sent
          ? `${title}: timed out waiting for the response. Try again; raise the time limit if the service is known to be slow.`
          : `${title}: no connection in time, so nothing was sent. Check the base URL, the network and the proxy, if any.`,
      );
    case "lost":
      return new ConnectionError(
        `${title}: the connection broke before a whole answer came${code}. Try again.`,
      );
    case "too large":
      return new ResponseTooLargeError(
        `${title}: the response is larger than ${largestResponseMiB} MiB`,
        operation.whenTooLarge ?? wrongPlace,
      );
  }
}

function unknownOutcome(title: string, what: string): OutcomeUnknownError {
  return new OutcomeUnknownError(
    `${title}: sent once, and the service ${what}, so it may or may not have been applied. ` +
      "It was not sent again. Read the incident to see whether it is there.",
  );
}

const elsewhere =
  "A right id under another account is answered the same way: check the account id, and the base URL.";

/** What a status means to the caller: its class, its name, and what to do next. */
function meaningOf(status: number): readonly [new (m: string, f: ApiFailure) => ApiError, string, string] {
  switch (status) {
    case 401:
      return [AuthenticationError, "the API key was not accepted", "Check the API key and the base URL."];
    case 403:
      return [PermissionError, "not allowed", "Check the account id and what the API key may do."];
    case 404:
      return [NotFoundError, "not found", elsewhere];
    case 429:
      return [RateLimitError, "too many requests", "Wait a minute, or set maxRequestsPerMinute."];
  }
  if (status >= 500) return [ServerError, "the service failed", "Try again later."];
  if (status >= 400) return [RequestError, "refused", "Fix what the service names, then run again."];
  if (status >= 300) return [ApiError, "redirected, which is never followed", "Correct the base URL."];
  return [
    ApiError,
    "answered with an unexpected status",
    "Check that the base URL leads to the service's API.",
  ];
}

function errorOfStatus(outcome: AttemptResult & { kind: "answer" }, subject: Subject): MonitoringError {
  const { operation, title, quoter } = subject;
  const { status, body } = outcome;
  const said = quoter.quote(serviceMessage(body));
  const quoted = said === "" ? "" : `: "${said}"`;
  if (!operation.idempotent && mayHaveBeenApplied(status)) {
    return unknownOutcome(title, `answered HTTP ${status}${quoted}`);
  }
  const [ErrorClass, meaning, advice] = meaningOf(status);
  const requestId = quoter.quote(outcome.requestId ?? "");
  return new ErrorClass(
    `${title}: ${meaning} (HTTP ${status})${quoted}. ${advice}` + (requestId && ` Request id: ${requestId}.`),
    { status, operation: operation.name, ...(requestId && { requestId }) },
  );
}

/** Of all statuses that aren't success, these don't say whether a write was applied. */
function mayHaveBeenApplied(status: number): boolean {
  return status === 408 || status >= 500 || status < 200;
}
