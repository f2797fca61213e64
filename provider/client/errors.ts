/**
 * Defines the errors of the client. Every message names the operation and the object, quotes the service's message, and contains the next
 * step. No error contains a request, a header, a body or a cause.
 */

import { formatList, type Problem, toPrintable } from "../texts";

/** Whether a write was applied, wasn't applied, or may have been. */
export type Applied = "yes" | "no" | "unknown";

const brand = Symbol.for("pulumi-monitoring-service.error");

/** The base class of the errors of calls and runs. */
export class MonitoringError extends Error {
  /**
   * `no` if the write was not applied; `unknown` if it may have been: look for it before you send it again. Missing for reads. May also be
   * missing if the first attempt of a write wasn't started.
   */
  declare readonly applied?: Applied;

  constructor(message: string, applied?: Applied) {
    super(toPrintable(message));
    if (applied !== undefined) this.applied = applied;
  }

  override get name(): string {
    return this.constructor.name;
  }

  get [brand](): true {
    return true;
  }
}

/** Returns true if `error` is a {@link MonitoringError}, even if another copy of this package created it. */
export function isMonitoringError(error: unknown): error is MonitoringError {
  return typeof error === "object" && error !== null && brand in error;
}

class ProblemsError extends MonitoringError {
  /** Every problem that was found, in the order of the properties. */
  readonly problems: readonly Problem[];

  constructor(subject: string, problems: readonly Problem[], applied?: Applied) {
    const sentences = problems.map(({ property, reason }) => `${property} ${reason}`);
    super(formatList(subject, sentences), applied);
    this.problems = problems;
  }
}

/** The options of the client or the settings of the connection are invalid. Thrown before any request; lists every problem. */
export class ConfigurationError extends ProblemsError {}

/** The arguments of an operation are invalid. Thrown before any request; lists every problem. */
export class InvalidInputError extends ProblemsError {}

/** The service could not be reached, or the connection was lost before the response was complete. */
export class ConnectionError extends MonitoringError {}

/** An attempt or the whole call reached its time limit before the response was complete. */
export class TimeoutError extends MonitoringError {}

/** Describes a response that reports a failure. */
export interface ApiFailure {
  /** HTTP status of the response; a status in its body is ignored. */
  readonly status: number;
  /** The client's method that was called, such as `getAlertChannel`. */
  readonly operation: string;
  /** The service's ID of the request, for support; missing if the service sent none. */
  readonly requestId?: string;
  /** Whether the write was applied; missing for reads. */
  readonly applied?: Applied | undefined;
}

/** The service responded with an error status. Redirects are never followed and are instances of this class itself. */
export class ApiError extends MonitoringError implements ApiFailure {
  readonly status: number;
  readonly operation: string;
  declare readonly requestId?: string;

  constructor(message: string, failure: ApiFailure) {
    super(message, failure.applied);
    this.status = failure.status;
    this.operation = failure.operation;
    if (failure.requestId !== undefined) this.requestId = failure.requestId;
  }
}

/** 401: the API key is missing, wrong or revoked. */
export class AuthenticationError extends ApiError {}

/** 403: the API key is valid, but lacks permission for this operation in this account. */
export class PermissionError extends ApiError {}

/**
 * 404 with the API's own body: not found in this account. The service responds in the same way to the ID of an object in another account.
 */
export class NotFoundError extends ApiError {}

/** 429: too many requests. The client retries while the time of the call allows it, unless `maxAttempts` is 1. */
export class RateLimitError extends ApiError {}

/** Any other 4xx. The service rejected the request. */
export class RequestError extends ApiError {}

/** 5xx, or a 404 without the API's own body. The service failed, or a proxy in front of it. */
export class ServerError extends ApiError {}

/** The service reported success, but the response doesn't match the API. Names the fields, never a value. */
export class ResponseShapeError extends MonitoringError {}

/** A list can't be read completely, because it kept changing, is endless or too large, or because one of its later pages is missing. */
export class PagingError extends MonitoringError {}

/** A write was sent, and it may have been applied. Before you send it again, check whether the update is on the incident. */
export class OutcomeUnknownError extends MonitoringError {}
