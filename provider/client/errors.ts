/**
 * Defines the errors of the client. Every message names the operation, the object, what the service said and what to do next.
 * No error contains a request, a header, a body or a cause.
 */

import { printable, type Problem } from "../texts";

/** States what is known about a write: it was applied, it was not, or the result is unknown. */
export type Applied = "yes" | "no" | "unknown";

const brand = Symbol.for("pulumi-monitoring-service.error");

/** The base class of the errors of calls and runs. */
export class MonitoringError extends Error {
  /**
   * `no` if the write was not applied; `unknown` if it may have been: look for it before you send it again. Missing for
   * reads, and before the first attempt.
   */
  declare readonly applied?: Applied;

  constructor(message: string, applied?: Applied) {
    super(printable(message));
    if (applied !== undefined) this.applied = applied;
  }

  override get name(): string {
    return this.constructor.name;
  }

  get [brand](): true {
    return true;
  }
}

/** Returns true if `error` is a {@link MonitoringError}, even one of another copy of this package. */
export function isMonitoringError(error: unknown): error is MonitoringError {
  return typeof error === "object" && error !== null && brand in error;
}

class ProblemsError extends MonitoringError {
  /** Every problem that was found, in the order of the properties. */
  readonly problems: readonly Problem[];

  constructor(subject: string, problems: readonly Problem[], applied?: Applied) {
    super(
      `${subject}: ${problems.map(({ property, reason }) => `${property} ${reason}`).join("; ")}.`,
      applied,
    );
    this.problems = problems;
  }
}

/** The options of the client or the settings of the connection are invalid. Thrown before any request; lists every problem. */
export class ConfigurationError extends ProblemsError {}

/** The arguments of an operation are invalid. Thrown before any request; lists every problem. */
export class InvalidInputError extends ProblemsError {}

/** The service could not be reached, or the connection was lost before the response was complete. */
export class ConnectionError extends MonitoringError {}

/** Timed out waiting for the response: the time limit of one attempt, or the deadline of the call. */
export class TimeoutError extends MonitoringError {}

/** Describes a response that reports a failure. */
export interface ApiFailure {
  /** HTTP status of the response; a status in its body is ignored. */
  readonly status: number;
  /** The client's method that was called, such as `getAlertChannel`. */
  readonly operation: string;
  /** The service's id of the request, for support; missing if the service sent none. */
  readonly requestId?: string;
  /** States whether the write was applied; missing for reads. */
  readonly applied?: Applied | undefined;
}

/** The service responded with an error status. Redirects, which are never followed, are instances of this class itself. */
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

/** 404 with the API's own body: not found in this account. The service responds in the same way to an id of another account. */
export class NotFoundError extends ApiError {}

/** 429: too many requests, until the time of the call was over. */
export class RateLimitError extends ApiError {}

/** Any other 4xx: the service rejected the request. */
export class RequestError extends ApiError {}

/** 5xx, or a 404 without the API's own body: the service, or a proxy in front of it, failed. */
export class ServerError extends ApiError {}

/** The service reported success, but the response doesn't match the API. Names the fields, never a value. */
export class ResponseShapeError extends MonitoringError {}

/** A list can't be read to its end: it kept changing, doesn't end, is too large, or a later page of it is gone. */
export class PagingError extends MonitoringError {}

/**
 * A write was sent, and its result is unknown: it may have been applied. Don't send it again before you have looked
 * for it in the incident.
 */
export class OutcomeUnknownError extends MonitoringError {}
