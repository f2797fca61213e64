/** Serves the sandbox over HTTP on the loopback address: authorizes and routes requests, and responds. No request may crash it. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { getErrorReason } from "../provider/texts";
import { type SandboxData, type ServedOperation, servedOperations } from "./data";
import { createDelivery, type Faults, faultSchema, type MatchedFaults } from "./faults";
import { handlers } from "./handlers";
import {
  HttpError,
  type HttpResponse,
  createInvalidInputError,
  createJsonResponse,
  noContent,
  parseJson,
  send,
  validate,
} from "./http";
import { type Journal } from "./journal";
import { renderPublicPage } from "./page";
import { SandboxError, type Store } from "./store";
import { type UpdateIdOptions } from "./updateIds";

const host = "127.0.0.1";

/** The parts of a sandbox that the HTTP server uses. */
interface Service {
  store: Store;
  ids: UpdateIdOptions["ids"];
  access: SandboxData["access"];
  /** Name of the account header, in lower case. */
  accountHeader: string;
  faults: Faults;
  journal: Journal;
  /** Aborts when the sandbox closes. Nothing is written after that. */
  closing: AbortSignal;
}

/**
 * Listens on the loopback address. Port 0 selects any free port.
 *
 * @throws SandboxError if the server can't listen on the port
 */
export async function listen(service: Service, port: number) {
  const server = createServer((request, response) => void dispatch(service, request, response));
  // This is longer than clients keep idle connections. If the server closed one during a request, the response would seem to be lost.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.on("error", (error: NodeJS.ErrnoException) => reject(toListenError(port, error)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    url: `http://${host}:${typeof address === "object" ? address?.port : port}`,
    /** Closes open connections immediately. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function toListenError(port: number, error: NodeJS.ErrnoException): SandboxError {
  return new SandboxError(
    error.code === "EADDRINUSE"
      ? `Port ${port} is in use, perhaps by a different sandbox. Stop that sandbox, or choose a different port with --port.`
      : `Can't listen on port ${port}: ${getErrorReason(error)}. Choose a different port.`,
  );
}

async function dispatch(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers, method = "", url = "" } = request;
  const [, path = "", search] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  try {
    rejectForeignPages(headers, path);
    if (path === "/") {
      if (method !== "GET" && method !== "HEAD") throw createMethodNotAllowedError(method, ["GET", "HEAD"]);
      send(response, renderPublicPage(service.store.data));
    } else if (/^\/_sandbox(\/|$)/.test(path)) send(response, await handleControl(service, request, path));
    else await handleRequest(service, request, response, path, new URLSearchParams(search));
  } catch (error) {
    if (response.headersSent) response.destroy();
    else send(response, toErrorResponse(error));
  }
}

/**
 * Rejects requests from web pages that are open in a browser on this machine, because they can use the well-known API key. Checks the host
 * name, because a page can make its own host name resolve to this machine, and the origin. The origin isn't checked for the status page,
 * because other pages may link to it.
 *
 * @throws HttpError for a host name that isn't this machine's, and for requests from other web pages
 */
function rejectForeignPages(
  { host = "", origin, "sec-fetch-site": site = "none" }: IncomingHttpHeaders,
  path: string,
): void {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host))
    throw new HttpError(403, "The sandbox accepts only the hosts 127.0.0.1 and localhost.");
  if (path === "/") return;
  if ((origin !== undefined && origin !== `http://${host}`) || (site !== "none" && site !== "same-origin"))
    throw new HttpError(403, "The sandbox rejects requests from other web pages.");
}

/** Handles a control request. Returns the value to send as JSON; undefined for HTTP 204. */
type Action = (service: Service, body: () => unknown) => unknown;

/** Control requests for the journal and the faults. They need no API key, because only programs on this machine can send them. */
const controls: Record<string, Record<string, Action>> = {
  "/_sandbox/requests": {
    GET: ({ journal }) => ({ requests: journal.entries }),
    DELETE: ({ journal }) => journal.clear(),
  },
  "/_sandbox/faults": {
    GET: ({ faults }) => ({ faults: faults.list() }),
    POST({ faults }, body) {
      faults.add(...validate(z.array(faultSchema), [body()].flat(), "payload"));
      return { faults: faults.list() };
    },
    DELETE: ({ faults }) => faults.clear(),
  },
};

async function handleControl(
  service: Service,
  request: IncomingMessage,
  path: string,
): Promise<HttpResponse> {
  const { headers, method = "" } = request;
  const actions = controls[path];
  if (actions === undefined)
    throw new HttpError(
      404,
      `The path ${path} doesn't exist. Use one of: ${Object.keys(controls).join(", ")}.`,
    );
  const action = actions[method];
  if (action === undefined) throw createMethodNotAllowedError(method, Object.keys(actions));
  const bytes = await readBody(request);
  const value = action(service, () => parseJson(headers["content-type"], bytes));
  return value === undefined ? noContent : createJsonResponse(method === "POST" ? 201 : 200, value);
}

/** The status of a write that changed data, by method. A POST of an update that already exists gets 200 and changes nothing. */
const whenWritten: Readonly<Record<string, number>> = { POST: 201, PUT: 200 };

async function handleRequest(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  const { store, ids: updateIds, access, accountHeader, faults, journal, closing } = service;
  const { headers, method = "" } = request;
  const requestId = randomUUID();
  response.setHeader("x-request-id", requestId);
  const key = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const own = access.find(({ apiKey }) => apiKey === key)?.accountIds;
  if (own === undefined) {
    await readBody(request);
    // A path that doesn't exist gets a 404 even without a key.
    findRoute(method, path);
    const problem = key === undefined ? "No API key was sent" : "This API key is unknown";
    const advice = "send it as Authorization: Bearer <API key>";
    throw new HttpError(401, `${problem}: ${advice}.`, { "www-authenticate": "Bearer" });
  }
  const accountId = resolveAccount(headers, own, access, accountHeader);
  const entry = journal.begin(requestId, request, path, query);
  response.on("close", () => (entry.ended ??= "client left"));

  const finish = async (reply: HttpResponse, fault?: MatchedFaults["ending"]) => {
    if (request.socket.destroyed || closing.aborted) return;
    const { status, ended, send } = createDelivery(reply, fault, closing);
    Object.assign(entry, { status, ended });
    await send(response);
  };

  try {
    const bytes = await readBody(request);
    journal.addBody(entry, bytes);
    const { operation, ids } = findRoute(method, path);
    entry.operation = operation;
    entry.account = accountId instanceof HttpError ? null : accountId;

    const { kinds, latencyMs, late, ending } = faults.match(operation, entry.account);
    entry.faults = kinds;
    if (latencyMs > 0) await setTimeout(latencyMs, undefined, { signal: closing });

    const applied = ending === undefined || ("applied" in ending && ending.applied);
    const reply = toResponse(() => {
      if (accountId instanceof HttpError) throw accountId;
      const call = {
        store,
        updateIds,
        faults,
        applied,
        late,
        account: store.getAccount(accountId),
        query: parseQuery(query, operation),
        body: () => parseJson(headers["content-type"], bytes),
      };
      return handlers[operation](call, ...ids);
    });
    entry.applied = applied && reply.status === whenWritten[method];
    await finish(reply, ending);
  } catch (error) {
    await finish(toErrorResponse(error));
  }
}

/** Returns the account of a request, or the error that rejects the request. The default is the first account of the API key. */
function resolveAccount(
  headers: IncomingHttpHeaders,
  own: readonly [string, ...string[]],
  access: SandboxData["access"],
  accountHeader: string,
): string | HttpError {
  // If a header that looks like an account header with a different name were ignored, the response would be for the wrong account.
  const accountIds: readonly unknown[] = access.flatMap((each) => each.accountIds);
  for (const [name, value] of Object.entries(headers)) {
    const isAccount = /(^|-)account(-id)?$/.test(name) || accountIds.includes(value);
    if (!isAccount || name === accountHeader) continue;
    const advice = `This service reads the account from ${accountHeader}`;
    return new HttpError(400, `The header ${name} is unknown. ${advice}.`);
  }
  const account = headers[accountHeader] ?? own[0];
  if (typeof account === "string" && own.includes(account)) return account;
  return new HttpError(403, `This API key does not belong to the account ${JSON.stringify(account)}.`);
}

/** Returns the body of a request. Throws if the client disconnects. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const received: AsyncIterable<Buffer> = request;
  const chunks: Buffer[] = [];
  for await (const chunk of received) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const routes = Object.values(servedOperations).map(({ name, method, path }) => ({
  operation: name,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`),
}));

/** Returns the operation and the decoded IDs in the path, in order. */
function findRoute(method: string, path: string): { operation: ServedOperation; ids: string[] } {
  const candidates = routes.filter(({ pattern }) => pattern.test(path));
  if (candidates.length === 0) throw new HttpError(404, `The path ${path} doesn't exist.`);
  const route = candidates.find((each) => each.method === method);
  const allowed = candidates.map((each) => each.method);
  if (route === undefined) throw createMethodNotAllowedError(method, allowed);
  const [, ...ids] = route.pattern.exec(path) ?? [];
  return { operation: route.operation, ids: ids.map(decode) };
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new HttpError(400, `The path is not properly percent-encoded: ${id}`);
  }
}

/** Returns the parameters of a query with the types that the client's schemas require: numbers and booleans are converted from text. */
function parseQuery(query: URLSearchParams, operation: ServedOperation): Record<string, unknown> {
  const names = [...query.keys()];
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw createInvalidInputError("query", [duplicate], `${duplicate}: must not be repeated`);
  const values = Object.fromEntries([...query].map(([name, text]) => [name, parseValue(text)]));
  if (!("query" in servedOperations[operation])) validate(z.strictObject({}), values, "query");
  return values;
}

function parseValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return /^(0|[1-9]\d*)$/.test(text) ? Number(text) : text;
}

function createMethodNotAllowedError(method: string, allowed: string[]): HttpError {
  const allow = allowed.join(", ");
  return new HttpError(405, `${method} is not allowed for this path. Use ${allow}.`, { allow });
}

function toResponse(make: () => HttpResponse): HttpResponse {
  try {
    return make();
  } catch (error) {
    return toErrorResponse(error);
  }
}

/** Returns the response to an error. Any error other than {@link HttpError} is an internal error of the service. */
function toErrorResponse(error: unknown): HttpResponse {
  return (error instanceof HttpError ? error : new HttpError(500, getErrorReason(error))).response;
}
