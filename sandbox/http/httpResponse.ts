/** HTTP responses of the sandbox, errors in the service's format included. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { errorReason } from "../../provider/texts/errorReason";

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  };
}

interface ErrorDetails {
  /** The part of the request that is invalid, and its fields. */
  validation?: { source: "payload" | "query" | "params" | "headers"; keys: string[] };
}

/** The body of an error in the service's format. */
export function errorBody(status: number, message: string, details: ErrorDetails = {}) {
  return { statusCode: status, error: STATUS_CODES[status] ?? "Unknown", message, ...details };
}

/** Throw it to respond with an error. */
export class HttpError extends Error {
  override readonly name = "HttpError";

  constructor(
    readonly status: number,
    message: string,
    private readonly details: ErrorDetails = {},
    private readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  get response(): HttpResponse {
    return jsonResponse(this.status, errorBody(this.status, this.message, this.details), this.headers);
  }
}

/** The response to an error: any error other than {@link HttpError} is an internal error of the service. */
export function errorResponse(error: unknown): HttpResponse {
  return error instanceof HttpError ? error.response : jsonResponse(500, errorBody(500, errorReason(error)));
}

export function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries(headers)));
  response.end(body);
}

export function responseOf(make: () => HttpResponse): HttpResponse {
  try {
    return make();
  } catch (error) {
    return errorResponse(error);
  }
}
