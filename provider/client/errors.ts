/**
 * What a call of the client can fail with. Every message is for the reader of a pipeline log: the operation, the
 * object, what the service said, what to do next. No error carries a request, a header, a body or a cause.
 */

import { type Problem } from "../api/problem";

export type { Problem };

const brand = Symbol.for("pulumi-monitoring-service.error");

/** Root of every error that this package raises on purpose. */
export class MonitoringError extends Error {
  override get name(): string {
    return "MonitoringError";
  }

  get [brand](): true {
    return true;
  }
}

/** Whether `error` is a {@link MonitoringError}, also when another copy of this package made it. */
export function isMonitoringError(error: unknown): error is MonitoringError {
  return typeof error === "object" && error !== null && brand in error;
}

class ProblemsError extends MonitoringError {
  /** Every mistake that was found, in the order of the properties. */
  readonly problems: readonly Problem[];

  constructor(subject: string, problems: readonly Problem[]) {
    super(`${subject}: ${problems.map(({ property, reason }) => `${property} ${reason}`).join("; ")}.`);
    this.problems = problems;
  }
}

/** The client or the connection is set up wrongly. Raised before any request; lists every mistake. */
export class ConfigurationError extends ProblemsError {
  override get name(): string {
    return "ConfigurationError";
  }
}

/** The arguments of an operation can't be right. Raised before any request; lists every mistake. */
export class InvalidInputError extends ProblemsError {
  override get name(): string {
    return "InvalidInputError";
  }
}

/** The service wasn't reached, or the connection broke before a whole answer came. */
export class ConnectionError extends MonitoringError {
  override get name(): string {
    return "ConnectionError";
  }
}

/** No whole answer came in time: one attempt's time, or the deadline of the call. */
export class TimeoutError extends MonitoringError {
  override get name(): string {
    return "TimeoutError";
  }
}

/** What is known about an answer that reports a failure. */
export interface ApiFailure {
  /** HTTP status of the answer; any status in its body is ignored. */
  readonly status: number;
  /** The client's method that was called, such as `getAlertChannel`. */
  readonly operation: string;
  /** The service's own name for the request, for its support; missing when it gave none. */
  readonly requestId?: string;
}

/** The service answered, and not with success. Itself for a redirect, which is never followed. */
export class ApiError extends MonitoringError implements ApiFailure {
  readonly status: number;
  readonly operation: string;
  declare readonly requestId?: string;

  override get name(): string {
    return "ApiError";
  }

  constructor(message: string, failure: ApiFailure) {
    super(message);
    this.status = failure.status;
    this.operation = failure.operation;
    if (failure.requestId !== undefined) this.requestId = failure.requestId;
  }
}

/** 401: the API key is missing, wrong or revoked. */
export class AuthenticationError extends ApiError {
  override get name(): string {
    return "AuthenticationError";
  }
}

/** 403: the API key is good, but may not do this in this account. */
export class PermissionError extends ApiError {
  override get name(): string {
    return "PermissionError";
  }
}

/** 404: not found in this account. A right id under another account is answered the same way. */
export class NotFoundError extends ApiError {
  override get name(): string {
    return "NotFoundError";
  }
}

/** 429: too many requests, also after the waits that the service asked for. */
export class RateLimitError extends ApiError {
  override get name(): string {
    return "RateLimitError";
  }
}

/** Any other 4xx: the service refused the request as it is. */
export class RequestError extends ApiError {
  override get name(): string {
    return "RequestError";
  }
}

/** 5xx: the service, or a proxy in front of it, failed. */
export class ServerError extends ApiError {
  override get name(): string {
    return "ServerError";
  }
}

/** The service answered with success, but not with what its contract describes. Names the place, never a value. */
export class ResponseShapeError extends MonitoringError {
  override get name(): string {
    return "ResponseShapeError";
  }
}

/** The list of status pages doesn't end as its contract says: it repeats a cursor, or goes on for too long. */
export class PagingError extends MonitoringError {
  override get name(): string {
    return "PagingError";
  }
}

/**
 * A write was sent and no answer told what became of it: it may have been applied. Never repeat it blindly; read
 * the incident and look for it.
 */
export class OutcomeUnknownError extends MonitoringError {
  override get name(): string {
    return "OutcomeUnknownError";
  }
}
