/**
 * Interprets the result of an attempt: returns the value or the error for the caller, whether a write was applied, and whether another
 * attempt may follow. Retries, errors and publishing rely on this one decision.
 */
import { z } from "zod";
import { type Mismatch, type Operation, operations } from "../api";
import { listInvalidFields } from "../problems";
import {
  ApiError,
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
  type Body,
  certificateRequired,
  type HttpFailure,
  type HttpResponse,
  isSuccess,
  largestResponseMiB,
} from "./http";
import { type Received } from "./paging";
import { type SecretMasker } from "./secretMasker";

/** Describes a call for its errors. */
export interface CallSubject<Response = unknown> {
  readonly operation: Operation<Response>;
  /** Returns the operation and the IDs, such as `getAlertChannel 200123`. Computed only for errors and the log. */
  readonly title: () => string;
  readonly masker: SecretMasker;
  /** The service's base URL, and where it was set. */
  readonly service: { readonly url: string; readonly setting: string };
}

export interface Failed {
  /** The error that the call rejects with, unless another attempt follows. */
  readonly error: MonitoringError;
  /** True if another attempt can succeed and does no harm, because the call is a read, or a write that was not applied. */
  readonly isRepeatable: boolean;
}

const isRead = ({ method }: Operation): boolean => method === "GET";

/** Returns the value of a successful response, or the failure of the attempt. */
export function toOutcome<Response>(
  result: AttemptResult,
  subject: CallSubject<Response>,
): Received<Response> | Failed {
  if ("kind" in result) {
    const isFinal = result.kind === "too large" || result.kind === "invalid";
    return createFailure(createFailureError(result, subject), !isFinal);
  }
  const { status, body } = result;
  if (!isSuccess(status))
    return createFailure(
      createStatusError(result, subject),
      status === 408 || isRateLimit(result) || status >= 500,
    );
  const content = parseContent(result, subject);
  if (typeof content !== "string") return content;
  // If a response contains no content length, only incomplete JSON or an empty body shows that it was cut off.
  const isCutOff = "text" in body && /^\s*([[{]|$)/.test(body.text);
  return createFailure(createShapeError(content, subject), isCutOff);
}

/** True if the service requests a wait. Some services do so with 403, which otherwise means a missing permission. */
export function isRateLimit({ status, header }: HttpResponse): boolean {
  return status === 429 || (status === 403 && header("retry-after") !== undefined);
}

const ownNotFound = z.object({ statusCode: z.literal(404), error: z.string() });

/** True for a 404 without the API's own body. A proxy in front sends it if it doesn't reach the service, so no object is missing. */
function isFromProxy({ status, body }: HttpResponse): boolean {
  return status === 404 && !("json" in body && ownNotFound.safeParse(body.json).success);
}

function createFailure(error: MonitoringError, mayHelp: boolean): Failed {
  return { error, isRepeatable: mayHelp && error.applied !== "unknown" };
}

/** Returns the content of a successful response, or the problem with it. */
function parseContent<Response>(
  { body, header }: HttpResponse,
  { operation, masker }: CallSubject<Response>,
): Received<Response> | string {
  if ("text" in body) return body.text === "" ? "the response is empty" : "the response is not JSON";
  // The text of an update is public, so masking the key in the response of a write is harmless. A read fails instead, because its content
  // is compared with declarations, and masked text would match none.
  if (masker.hideKey(body) && isRead(operation)) return "the response contains the API key";
  const { data, error } = operation.response.safeParse(body.json);
  if (error) return masker.maskMessage(formatMismatch(listInvalidFields(error, "the response itself")));
  return { value: data, size: body.size, total: parseTotal(header("content-range")) };
}

/** Returns the total of a header such as `0-99/230`. */
function parseTotal(contentRange = ""): number | undefined {
  const [, total] = /\/(\d{1,15})$/.exec(contentRange) ?? [];
  return total === undefined ? undefined : Number(total);
}

function formatMismatch(fields: readonly string[]): string {
  return `these fields of the response don't match the API: ${fields.slice(0, 10).join(", ")}`;
}

/** Returns the error of a list with an entry that doesn't match the API. */
export function createMismatchError(operation: Operation, { id, fields }: Mismatch): MonitoringError {
  const entry = id === undefined ? "an entry without an ID" : `entry ${id}`;
  const problem = formatMismatch(fields.map((field) => `${field} of ${entry}`));
  return createShapeError(problem, { operation, title: () => operation.name });
}

const checkBaseUrl = "Check that the base URL leads to the service's API.";

type FailedCall = Pick<CallSubject, "operation" | "title">;

function createShapeError(problem: string, { operation, title }: FailedCall): MonitoringError {
  const event = `the service reported success, but ${problem}`;
  if (isRead(operation)) return new ResponseShapeError(`${title()}: ${event}. ${checkBaseUrl}`);
  return createUnknownResultError({ operation, title }, event);
}

/** OpenSSL reports one of these reasons if a server uses plain HTTP where TLS was expected. */
const plainHttp: ReadonlySet<string | undefined> = new Set([
  "wrong version number",
  "packet length too long",
]);

/** Matches the codes of Node for a certificate that it doesn't trust, often because a proxy inspects TLS. */
const untrustedCertificate = /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/;

/** Returns the reason why TLS failed and the advice to users. Undefined if TLS isn't the reason, or if the server speaks plain HTTP. */
export function describeTlsFailure({ code = "", tlsReason }: HttpFailure): string | undefined {
  if (untrustedCertificate.test(code))
    return "Node.js doesn't trust the certificate. Set NODE_EXTRA_CA_CERTS to the PEM file of its certificate authority.";
  if (/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(code))
    return "The certificate has expired or isn't valid yet. Renew the certificate, or correct this machine's clock.";
  if (tlsReason === undefined || plainHttp.has(tlsReason)) return undefined;
  return `The TLS handshake failed: ${tlsReason}. Check that the host name is right and that the server supports TLS 1.2 or later.`;
}

function checkConnection({ service: { setting } }: CallSubject, failure: HttpFailure): string {
  const { code, proxy, tlsReason } = failure;
  if (code === certificateRequired)
    return (
      "The service requires a client certificate, which this package can't send. Run a proxy on this machine that sends the " +
      `certificate, such as stunnel. Then set ${setting} to the address of the proxy, such as http://127.0.0.1:8080.`
    );
  // Through a proxy, the proxy may have written the bytes that aren't TLS.
  if (plainHttp.has(tlsReason) && !proxy)
    return `The server probably speaks plain HTTP. If it runs on this machine, start ${setting} with http://. Otherwise, check ${setting}, the network and any proxy.`;
  return (
    describeTlsFailure(failure) ??
    `Check ${setting}, the network and ${proxy ? `the proxy in ${proxy.variable}` : "any proxy"}.`
  );
}

/** Returns a message about a proxy that opened no tunnel to the service. Undefined for any other failure. */
export function formatProxyFailure(failure: HttpFailure): string | undefined {
  const { kind, code, proxy, hasTunnel, tlsReason } = failure;
  if (!proxy || hasTunnel) return undefined;
  const { url, variable } = proxy;
  const advice = plainHttp.has(tlsReason)
    ? `If it speaks plain HTTP, start ${variable} with http://.`
    : code === "PROXY_ANSWERED_407"
      ? `Correct the user name and password in ${variable}.`
      : (describeTlsFailure(failure) ?? `Check ${variable}, the network and the proxy.`);
  return `the proxy in ${variable} (${url.origin}) failed (${code ?? kind}). Nothing was sent to the service. ${advice}`;
}

const tooLarge = `the response is larger than ${largestResponseMiB} MiB`;

function createFailureError(failure: HttpFailure, subject: CallSubject): MonitoringError {
  const { kind, sent, code: codeOfNode } = failure;
  const { operation, masker, service } = subject;
  const title = subject.title();
  const where = masker.maskMessage(service.url);
  const code = codeOfNode === undefined ? "" : ` (${codeOfNode})`;
  if (sent && !isRead(operation)) {
    const events: Partial<Record<HttpFailure["kind"], string>> = {
      cancelled: "the call was canceled before the service responded",
      "timed out": "timed out waiting for the response",
      "too large": tooLarge,
      invalid: `the service ${describeInvalidHttp(failure)}`,
    };
    const event = events[kind] ?? "the service closed the connection before responding";
    return createUnknownResultError(subject, `${event}${code}`);
  }
  const applied = isRead(operation) ? undefined : "no";
  const proxyFailure = formatProxyFailure(failure);
  const ProxyError = codeOfNode === undefined ? TimeoutError : ConnectionError;
  if (proxyFailure !== undefined) return new ProxyError(`${title}: ${proxyFailure}`, applied);
  switch (kind) {
    case "unreachable":
      return new ConnectionError(
        `${title}: the service could not be reached at ${where}${code}. ${checkConnection(subject, failure)}`,
        applied,
      );
    case "timed out":
    case "cancelled":
      return new TimeoutError(
        sent
          ? `${title}: timed out waiting for the response. Try again. If the service is slow, raise timeoutMs and deadlineMs.`
          : `${title}: timed out connecting to ${where}. Nothing was sent. ${checkConnection(subject, failure)}`,
        applied,
      );
    case "lost":
      return new ConnectionError(
        `${title}: the connection was lost before the response was complete${code}. Try again.`,
      );
    case "invalid":
      return new ConnectionError(
        `${title}: the service ${describeInvalidHttp(failure)}${code}. ${getParserAdvice(failure)}`,
        applied,
      );
    case "too large":
      return new ResponseShapeError(`${title}: ${tooLarge}. ${operation.whenTooLarge ?? checkBaseUrl}`);
  }
}

/** Node reports this code if the headers of a response are larger than it accepts. */
const headerOverflow = "HPE_HEADER_OVERFLOW";

export function describeInvalidHttp({ code, encoding }: HttpFailure): string {
  if (encoding !== undefined)
    return `sent a body without the encoding in the header content-encoding: ${encoding}, which a proxy probably left there`;
  return code === headerOverflow
    ? "sent headers larger than Node accepts"
    : "sent a response that isn't valid HTTP";
}

function getParserAdvice({ code, encoding }: HttpFailure): string {
  if (encoding !== undefined) return "Report the problem to the operator of the service or the proxy.";
  const option =
    code === headerOverflow
      ? "set `NODE_OPTIONS=--max-http-header-size=65536` to accept larger headers"
      : "set `NODE_OPTIONS=--insecure-http-parser` to accept malformed headers";
  return `${checkBaseUrl} If it does, report the problem to the operator of the service or the proxy. Until then, ${option}.`;
}

const accountAdvice =
  "If the service requires an account, check accountId and accountHeader (the header that contains the account).";

/** Left out by callers that look for the write themselves. */
export const searchAdvice = " Check the status page before you send it again.";

function createUnknownResultError(
  { operation, title }: FailedCall,
  event: string,
  requestIdRemark = "",
): OutcomeUnknownError {
  const text = `${title()}: ${event}, so ${possibleEffect(operation)}. ${notRetried}`;
  return new OutcomeUnknownError(text + searchAdvice + requestIdRemark, "unknown");
}

const notRetried = "The request was not retried.";

function possibleEffect({ method, name }: Operation): string {
  if (method !== "POST") return "the edit may have been applied";
  const created = name === operations.openComponentPageIncident.name ? "incident" : "update";
  return `the ${created} may have been created`;
}

/**
 * Statuses that prove that the service rejected the request. No other status does: a 303 means that the write was done, a 409 may be caused
 * by the write itself, and a 404 can follow a successful read of the incident.
 */
const rejections: ReadonlySet<number> = new Set([
  400, 401, 403, 405, 406, 411, 413, 414, 415, 417, 422, 429, 431,
]);

function createStatusError(response: HttpResponse, subject: CallSubject): MonitoringError {
  const { status, body, header } = response;
  const { operation, masker } = subject;
  const title = subject.title();
  const isUnknown = !isRead(operation) && !rejections.has(status);
  // The message is quoted inside a sentence that has its own full stop.
  const message = masker.maskMessage(extractMessage(body)).replace(/\.$/, "");
  const quoted = message === "" ? "" : `: "${message}"`;
  const requestId = masker.maskMessage(header("x-request-id") ?? "");
  const requestIdRemark = requestId && ` Request ID: ${requestId}.`;
  if (isUnknown && (status < 200 || status === 408 || status >= 500))
    return createUnknownResultError(
      subject,
      `the service responded with HTTP ${status}${quoted}`,
      requestIdRemark,
    );
  const [ErrorClass, meaning, usualAdvice] = describeStatus(response, subject, quoted !== "");
  const advice = (ErrorClass === NotFoundError && operation.whenNotFound) || usualAdvice;
  // A read sends little that could be wrong, and a service may require its own header of the account.
  const ofAccount = status === 400 && isRead(operation) ? ` ${accountAdvice}` : "";
  const warning = `Even so, ${possibleEffect(operation)}. ${notRetried}`;
  const remark = isUnknown ? `${warning}${searchAdvice} ` : "";
  const text = `${title}: ${meaning} (HTTP ${status})${quoted}. ${remark}${advice}${ofAccount}${requestIdRemark}`;
  const applied = isRead(operation) ? undefined : isUnknown ? "unknown" : "no";
  return new ErrorClass(text, {
    status,
    operation: operation.name,
    applied,
    ...(requestId && { requestId }),
  });
}

/** Returns the error class of a response, its meaning, and what to do next. */
function describeStatus(
  response: HttpResponse,
  { operation: { path }, masker, service }: CallSubject,
  hasReason: boolean,
): readonly [typeof ApiError, string, string] {
  const status = isRateLimit(response) ? 429 : response.status;
  const advice = "A proxy may have sent the response. Check the base URL, and try again later.";
  if (isFromProxy(response)) return [ServerError, "the response didn't come from the API", advice];
  switch (status) {
    case 401:
      return [AuthenticationError, "the API key was rejected", "Check the API key and the base URL."];
    case 403:
      return [
        PermissionError,
        "permission denied",
        "Check the account ID and the permissions of the API key.",
      ];
    case 404:
      return [
        NotFoundError,
        "not found",
        `${path.includes("{") ? "The ID may belong to a different account. " : ""}Check the account ID and the base URL.`,
      ];
    case 429: {
      const minutes = Math.ceil(Number(response.header("retry-after")) / 60);
      const wait = minutes > 1 ? `${minutes} minutes, as the service requests` : "a minute";
      return [RateLimitError, "too many requests", `Wait ${wait}, then try again.`];
    }
  }
  if (status >= 500) return [ServerError, "the service failed", "Try again later."];
  if (status >= 400) {
    const what = hasReason
      ? "Correct the request as described in the service's message"
      : "The service gave no reason. Check the IDs and values of the request";
    if (status === 402)
      return [
        RequestError,
        "the service requires a payment",
        "Check the plan and the billing of the account.",
      ];
    return [RequestError, "the service rejected the request", `${what}, then run again.`];
  }
  if (status >= 300) {
    const location = response.header("location") ?? "";
    const isAddress = /^https?:/i.test(location) && URL.canParse(location);
    const origin = isAddress ? new URL(location).origin : "";
    const to = service.url.startsWith(origin) ? "" : ` to ${masker.maskMessage(origin)}`;
    return [
      ApiError,
      `the service redirected the request${to}, and redirects are not followed`,
      "Correct the base URL.",
    ];
  }
  return [ApiError, "unexpected status", checkBaseUrl];
}

/** Names of fields that contain a reason, by precedence. `msg` is FastAPI's. */
const reasonFields = ["message", "Message", "msg", "error_description", "error", "detail", "reason", "title"];

/** Objects within objects are read to this depth. */
const deepestReason = 5;

/** Returns the reason in a part of a body; empty if the part contains no reason. */
function findReason(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > deepestReason) return "";
  if (Array.isArray(value))
    return joinDistinct(
      value.map((one) => findReason(one, depth + 1)),
      "; ",
    );
  // At the top level, a string can be anything, but a list of strings contains the errors of a field.
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, findReason(inner, depth + 1), depth > 0 || Array.isArray(inner)] as const,
  );
  const reasons = new Map(entries.map(([name, why]) => [name, why]));
  const first = reasonFields.map((name) => reasons.get(name)).find(Boolean);
  const detail = joinDistinct([first, reasons.get("errors")], ": ");
  if (detail === "")
    return joinDistinct(
      entries.map(([name, why, isOfField]) => isOfField && why && `${name}: ${why}`),
      "; ",
    );
  // FastAPI's form has the place of the mistake, such as `["body", "status"]`.
  return "loc" in value && Array.isArray(value.loc) ? `${value.loc.join(".")}: ${detail}` : detail;
}

function joinDistinct(texts: readonly (string | false | undefined)[], separator: string): string {
  return [...new Set(texts)].filter(Boolean).join(separator);
}

/**
 * Returns the message in the body of a failure; empty without a message. Known are `{statusCode, error, message?, …}`, `{error}`,
 * `{message, errorCode}`, a list of messages, problem details (RFC 9457), FastAPI's `detail`, `errors` as a list or keyed by field, lists
 * of strings keyed by field, a bare JSON string, plain text, and the HTML page of a proxy in front.
 */
export function extractMessage(body: Body): string {
  if ("json" in body) return findReason(body.json);
  if (/^\s*</.test(body.text)) return "an HTML page, perhaps from a proxy";
  // Incomplete JSON contains nothing that is worth its brackets.
  return /^\s*[[{"]/.test(body.text) ? "" : body.text;
}
