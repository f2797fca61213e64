/** Requests in, responses out. */
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { errorReason } from "../provider/texts";
import { type OperationName, operations } from "../provider/api";
import { type z } from "zod";
import { issueLines, type SandboxData } from "./store";

// HTTP responses of the sandbox, errors in the service's format included.

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

// Reads and validates requests. Invalid ones are rejected with the service's errors.

const maxBodyBytes = 1024 * 1024;
/** A body that is too large is still read up to here, because a client that is sending doesn't read the response. */
const maxBytesRead = 16 * maxBodyBytes;
const maxDepth = 20;

export type RequestBody = Buffer | "too large";

/** Throws when the client disconnects. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  // The loop must not destroy the socket: the response needs it.
  const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of received) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    if (size > maxBytesRead) break;
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks) : "too large";
}

/** @throws HttpError when the body isn't JSON */
export function parseJson(contentType: string | undefined, body: RequestBody): unknown {
  if (body === "too large")
    throw new HttpError(413, `The body is larger than ${maxBodyBytes} bytes.`, {}, { connection: "close" });
  if (!/^application\/json *(;|$)/i.test(contentType ?? ""))
    throw new HttpError(415, "The body must be JSON: send Content-Type: application/json.");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new HttpError(400, "The body is not valid JSON.", { validation: { source: "payload", keys: [] } });
  }
  if (isDeeperThan(maxDepth, value))
    throw new HttpError(400, `The body is nested more than ${maxDepth} levels deep.`);
  return value;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}

/**
 * The parsed value.
 *
 * @throws HttpError that names every issue
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source: "params" | "payload" | "query",
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const keys = result.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys : issue.path.slice(0, 1).map(String),
  );
  throw new HttpError(400, issueLines(result.error).join("; "), { validation: { source, keys } });
}

/** A query as an object. Duplicate parameters are rejected. */
export function queryValues(query: URLSearchParams): Record<string, string> {
  const names = [...query.keys()];
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new HttpError(400, `${duplicate}: is given more than once`, {
      validation: { source: "query", keys: [duplicate] },
    });
  return Object.fromEntries(query);
}

// Authentication, and the account that a request is for.

/**
 * The id of the account that a request is for, or the error that rejects it. Without the account header, it is the first
 * one of the key.
 *
 * @param accountHeader its name in lower case
 */
export function authorize(
  headers: IncomingHttpHeaders,
  access: SandboxData["access"],
  accountHeader: string,
): string | HttpError {
  const key = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const accountIds = access.find(({ apiKey }) => apiKey === key)?.accountIds;
  if (accountIds === undefined) {
    const problem = key === "" ? "No API key was sent" : "This API key is not known";
    const advice = "send it as Authorization: Bearer <API key>";
    return new HttpError(401, `${problem}: ${advice}.`, {}, { "www-authenticate": "Bearer" });
  }
  const unknown = unknownHeader(headers, access, accountHeader);
  if (unknown !== undefined) {
    const advice = `This service takes the account from ${accountHeader}`;
    return new HttpError(400, `The header ${unknown} is not known. ${advice}.`);
  }
  const account = headers[accountHeader] ?? accountIds[0];
  if (typeof account === "string" && accountIds.includes(account)) return account;
  return new HttpError(403, `This API key does not belong to the account ${JSON.stringify(account)}.`);
}

/** A header that looks like an account header of another name: ignoring it would answer for the wrong account. */
function unknownHeader(
  headers: IncomingHttpHeaders,
  access: SandboxData["access"],
  accountHeader: string,
): string | undefined {
  const accountIds: readonly unknown[] = access.flatMap((each) => each.accountIds);
  return Object.entries(headers)
    .filter(([name, value]) => /(^|-)account(-id)?$/.test(name) || accountIds.includes(value))
    .map(([name]) => name)
    .find((name) => name !== accountHeader);
}

// Keeps out web pages that are open in a browser on this machine: they could use the well-known key.

/**
 * Every path needs this. A page that has pointed its own host name to this machine sends that name.
 *
 * @throws HttpError for any host name but this machine's
 */
export function rejectForeignHosts({ host = "" }: IncomingHttpHeaders): void {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host))
    throw new HttpError(403, "The sandbox accepts only the hosts 127.0.0.1 and localhost.");
}

/**
 * Not for the status page, to which other pages may link.
 *
 * @throws HttpError for requests of pages other than the sandbox's own
 */
export function rejectForeignOrigins({
  host = "",
  origin,
  "sec-fetch-site": site = "none",
}: IncomingHttpHeaders): void {
  if ((origin !== undefined && origin !== `http://${host}`) || (site !== "none" && site !== "same-origin"))
    throw new HttpError(403, "The sandbox rejects requests from other web pages.");
}

// Finds the operation for a method and a path.

interface Route {
  operation: OperationName;
  method: "GET" | "POST";
  /** The ids in the path, decoded, in order. */
  ids: string[];
}

const routes = Object.values(operations).map(({ name, method, path }) => ({
  operation: name,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`),
}));

/** @throws HttpError when there is no such path, or the path doesn't support the method */
export function findRoute(method: string, path: string): Route {
  const candidates = routes.filter(({ pattern }) => pattern.test(path));
  if (candidates.length === 0) throw new HttpError(404, `There is nothing at ${path}.`);
  const route = candidates.find((candidate) => candidate.method === method);
  if (route === undefined)
    throw methodNotAllowed(
      method,
      candidates.map((candidate) => candidate.method),
    );
  const [, ...ids] = route.pattern.exec(path) ?? [];
  return { operation: route.operation, method: route.method, ids: ids.map(decode) };
}

export function methodNotAllowed(method: string, allowed: string[]): HttpError {
  const allow = allowed.join(", ");
  return new HttpError(405, `${method} is not allowed here, only ${allow}.`, {}, { allow });
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new HttpError(400, `The path is not properly percent-encoded: ${id}`);
  }
}
