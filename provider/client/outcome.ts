/**
 * Decides what the result of an attempt means: the value that the caller gets or its error, and whether a write was applied.
 * Retries, errors and publishing rely on this one decision.
 */
import { type Mismatch, type Operation } from "../api";
import { fieldsIn } from "../problems";
import {
  ApiError,
  type ApiFailure,
  type Applied,
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
import {
  type AttemptResult,
  certificateRequired,
  isJson,
  isSuccess,
  largestResponseMiB,
  serviceMessage,
} from "./http";
import { type Received } from "./paging";
import { type SecretMasker } from "./secretMasker";

/** Describes a call for its errors. */
export interface Subject<Response = unknown> {
  readonly operation: Operation<Response>;
  /** Operation and ids, such as `getAlertChannel 200123`. */
  readonly title: string;
  readonly masker: SecretMasker;
  /** The service's base URL, and where it was set. */
  readonly service: { readonly url: string; readonly setting: string };
}

/** Returns the value of a successful response, or the error that the call rejects with. */
export function toOutcome<Response>(
  result: AttemptResult,
  subject: Subject<Response>,
): Received<Response> | { readonly error: MonitoringError } {
  const content = contentOf(result, subject);
  const applied = subject.operation.idempotent ? undefined : appliedBy(result, "value" in content);
  if ("value" in content) return content;
  if (result.kind === "failure") return { error: errorOfFailure(result, subject, applied) };
  if (!isSuccess(result.status)) return { error: errorOfStatus(result, subject, applied) };
  return { error: errorOfShape(content.problem, subject, applied) };
}

function contentOf<Response>(
  result: AttemptResult,
  { operation, masker }: Subject<Response>,
): Received<Response> | { readonly problem: string } {
  if (result.kind === "failure" || !isSuccess(result.status)) return { problem: "" };
  const { body } = result;
  if (!isJson(body))
    return { problem: body.text === "" ? "the response is empty" : "the response is not JSON" };
  // A masked text in the response of a write is harmless, because the text is public. A read fails instead: its texts are
  // compared with declarations, and a masked one would match none.
  if (masker.hideKey(body) && operation.idempotent) return { problem: "the response contains the API key" };
  const parsed = operation.response.safeParse(body.json);
  if (parsed.success) return { value: parsed.data, size: body.size, total: result.total };
  return { problem: masker.maskMessage(mismatchOf(fieldsIn(parsed.error, "the response itself"))) };
}

function mismatchOf(fields: readonly string[]): string {
  return `these fields of the response don't match the API: ${fields.slice(0, 10).join(", ")}`;
}

/** Returns the error of a list with an entry that doesn't match the API. */
export function mismatchError({ name }: Pick<Operation, "name">, { id, fields }: Mismatch): MonitoringError {
  const entry = id === undefined ? "an entry without an id" : `entry ${id}`;
  return errorOfShape(mismatchOf(fields.map((field) => `${field} of ${entry}`)), { title: name }, undefined);
}

/**
 * These statuses prove that the request was rejected. No other status does: a 303 says that the write was done, a 409 may be
 * about the write itself, and a 404 arrives although the incident was read a moment before.
 */
const rejections: ReadonlySet<number> = new Set([
  400, 401, 403, 405, 406, 411, 413, 414, 415, 417, 422, 429, 431,
]);

/** @param isReadable True if the body of the response matches the operation. */
function appliedBy(result: AttemptResult, isReadable: boolean): Applied {
  if (result.kind === "failure") return result.sent ? "unknown" : "no";
  if (isSuccess(result.status)) return isReadable ? "yes" : "unknown";
  return rejections.has(result.status) ? "no" : "unknown";
}

const checkBaseUrl = "Check that the base URL leads to the service's API.";

function errorOfShape(
  problem: string,
  { title }: Pick<Subject, "title">,
  applied: Applied | undefined,
): MonitoringError {
  const event = `the service reported success, but ${problem}`;
  return applied === "unknown"
    ? unknownResult(title, event)
    : new ResponseShapeError(`${title}: ${event}. ${checkBaseUrl}`);
}

/** Node reports one of these codes if a server speaks plain http where TLS was expected. */
const plainHttp = new Set(["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"]);

function checkConnection({ service: { setting } }: Subject, code?: string): string {
  if (code === certificateRequired)
    return (
      "It asks for a client certificate, and no setting gives one: have a proxy on this machine present it, such as stunnel, and " +
      `set ${setting} to the address of the proxy, such as http://127.0.0.1:8080.`
    );
  const plain =
    code !== undefined && plainHttp.has(code)
      ? `It probably speaks plain http there: if it runs on this machine, begin ${setting} with http://. Otherwise, check`
      : "Check";
  return `${plain} ${setting}, the network and the proxy, if any.`;
}

function errorOfFailure(
  result: AttemptResult & { kind: "failure" },
  subject: Subject,
  applied: Applied | undefined,
): MonitoringError {
  const { operation, title, masker, service } = subject;
  const where = masker.maskMessage(service.url);
  const code = result.code === undefined ? "" : ` (${result.code})`;
  if (applied === "unknown") {
    if (result.at === "cancelled") return unknownResult(title, "the call was cancelled before a response");
    const event = result.at === "timed out" ? "did not respond in time" : `closed the connection${code}`;
    return unknownResult(title, `the service ${event}`);
  }
  switch (result.at) {
    case "unreachable":
      return new ConnectionError(
        `${title}: the service could not be reached at ${where}${code}. ${checkConnection(subject, result.code)}`,
        applied,
      );
    case "timed out":
    case "cancelled":
      return new TimeoutError(
        result.sent
          ? `${title}: timed out waiting for the response. Try again, or raise timeoutMs if the service is slow.`
          : `${title}: timed out connecting to ${where}, so nothing was sent. ${checkConnection(subject)}`,
        applied,
      );
    case "lost":
      return new ConnectionError(
        `${title}: the connection was lost before the response was complete${code}. Try again.`,
      );
    case "too large":
      return new ResponseShapeError(
        `${title}: the response is larger than ${largestResponseMiB} MiB. ${operation.whenTooLarge ?? checkBaseUrl}`,
      );
  }
}

function unknownResult(title: string, event: string): OutcomeUnknownError {
  const text = `${title}: sent once, and ${event}, so it may or may not have been applied. It was not sent again.`;
  return new OutcomeUnknownError(`${text} ${searchAdvice}`, "unknown", text);
}

const searchAdvice = "Read the incident to see whether it is there.";

const mayBeApplied = "The write may have been applied all the same, and was not sent again.";

type ApiErrorClass = new (message: string, failure: ApiFailure, messageForSearch?: string) => ApiError;

/** Returns the error class of a status, its meaning, and what to do next. */
function meaningOf(status: number): readonly [ApiErrorClass, string, string] {
  switch (status) {
    case 401:
      return [AuthenticationError, "the API key was not accepted", "Check the API key and the base URL."];
    case 403:
      return [PermissionError, "not allowed", "Check the account id and what the API key may do."];
    case 404:
      return [
        NotFoundError,
        "not found",
        "The id may belong to another account: check the account id and the base URL.",
      ];
    case 429:
      return [RateLimitError, "too many requests", "Wait a minute, then try again."];
  }
  if (status >= 500) return [ServerError, "the service failed", "Try again later."];
  if (status >= 400)
    return [RequestError, "rejected", "Correct the request as the service's message says, then run again."];
  if (status >= 300)
    return [
      ApiError,
      "the service redirected the request, and redirects are not followed",
      "Correct the base URL.",
    ];
  return [ApiError, "unexpected status", checkBaseUrl];
}

function errorOfStatus(
  result: AttemptResult & { kind: "response" },
  subject: Subject,
  applied: Applied | undefined,
): MonitoringError {
  const { operation, title, masker } = subject;
  const { status, body } = result;
  // The message is quoted inside a sentence that has its own full stop.
  const message = masker.maskMessage(serviceMessage(body)).replace(/\.$/, "");
  const quoted = message === "" ? "" : `: "${message}"`;
  const isUnknown = applied === "unknown";
  if (isUnknown && (status < 200 || status === 408 || status >= 500)) {
    return unknownResult(title, `the service responded with HTTP ${status}${quoted}`);
  }
  const [ErrorClass, meaning, usualAdvice] = meaningOf(status);
  const advice = (status === 404 && operation.whenNotFound) || usualAdvice;
  const requestId = masker.maskMessage(result.requestId ?? "");
  const textWith = (remark: string): string =>
    `${title}: ${meaning} (HTTP ${status})${quoted}. ${remark}${advice}` +
    (requestId && ` Request id: ${requestId}.`);
  const failure = { status, operation: operation.name, applied, ...(requestId && { requestId }) };
  if (!isUnknown) return new ErrorClass(textWith(""), failure);
  return new ErrorClass(textWith(`${mayBeApplied} ${searchAdvice} `), failure, textWith(`${mayBeApplied} `));
}
