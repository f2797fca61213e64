/** Creates the sandbox's responses, including errors in the service's format, and validates requests. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { type z } from "zod";
import { formatIssues } from "./store";

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const noContent: HttpResponse = { status: 204, headers: {}, body: "" };

export function createJsonResponse(status: number, value: unknown, headers = {}): HttpResponse {
  const type = { "content-type": "application/json; charset=utf-8" };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(value) };
}

/** An error that a handler throws to respond with an error in the service's format. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly response: HttpResponse;

  constructor(
    readonly status: number,
    message: string,
    headers: Record<string, string> = {},
    details = {},
  ) {
    super(message);
    const error = STATUS_CODES[status] ?? "Unknown";
    this.response = createJsonResponse(status, { statusCode: status, error, message, ...details }, headers);
  }
}

type Source = "params" | "payload" | "query";

/** Creates an error with status 400. @param keys The invalid fields of this part of the request. */
export function createInvalidInputError(source: Source, keys: string[], message: string): HttpError {
  return new HttpError(400, message, {}, { validation: { source, keys } });
}

export function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries(headers)));
  response.end(body);
}

export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

const maxBodyBytes = 1024 * 1024;

/** Parses the body of a request. @throws HttpError if the body is too large or isn't JSON */
export function parseJson(contentType: string | undefined, body: Buffer): unknown {
  if (body.length > maxBodyBytes) throw new HttpError(413, `The body is larger than ${maxBodyBytes} bytes.`);
  if (!/^application\/json *(;|$)/i.test(contentType ?? ""))
    throw new HttpError(415, "The body must be JSON. Send Content-Type: application/json.");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw createInvalidInputError("payload", [], "The body is not valid JSON.");
  }
}

/** Returns the parsed value. @throws HttpError that lists all issues */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source: Source,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const keys = result.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys : issue.path.slice(0, 1).map(String),
  );
  throw createInvalidInputError(source, [...new Set(keys)], formatIssues(result.error).join("; "));
}
