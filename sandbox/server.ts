/** Serves the sandbox over HTTP on the loopback address: authorizes and routes requests, and responds. No request can crash it. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { type OperationName, operations } from "../provider/api";
import { errorReason } from "../provider/texts";
import { deliver, type EndingFault, Faults, faultSchema, replacedResponse } from "./faults";
import { handlers } from "./handlers";
import {
  HttpError,
  type HttpResponse,
  jsonResponse,
  maxBodyBytes,
  parseJson,
  type RequestBody,
  send,
  validate,
} from "./http";
import { type Journal } from "./journal";
import { publicPage } from "./page";
import { type SandboxData, SandboxError, type Store } from "./store";
import { updateIdOptions, type UpdateIds } from "./updateIds";

const host = "127.0.0.1";

/** The parts of a sandbox that its HTTP server uses. */
interface Service {
  store: Store;
  updateIds: UpdateIds;
  access: SandboxData["access"];
  /** Name of the account header, in lower case. */
  accountHeader: string;
  faults: Faults;
  journal: Journal;
  /** Aborts when the sandbox closes: nothing is written after that. */
  closing: AbortSignal;
}

/**
 * Listens on the loopback address; port 0 takes any free port.
 *
 * @throws SandboxError when it can't
 */
export async function listen(service: Service, port: number) {
  const server = createServer((request, response) => void dispatch(service, request, response));
  // Longer than clients keep idle connections: closing one during a request would look like a lost response.
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
      ? `Port ${port} is in use, perhaps by another sandbox: stop that one or choose another port (--port).`
      : `Can't listen on port ${port}: ${errorReason(error)}. Choose another port.`,
  );
}

async function dispatch(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, path = "", search] = /^([^?]*)\??(.*)$/s.exec(request.url ?? "") ?? [];
  try {
    rejectForeignHosts(request.headers);
    if (path === "/") {
      const { method = "" } = request;
      if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(method, ["GET", "HEAD"]);
      send(response, publicPage(service.store.data));
    } else if (path === "/favicon.ico") send(response, { status: 204, headers: {}, body: "" });
    else {
      rejectForeignOrigins(request.headers);
      if (/^\/_sandbox(\/|$)/.test(path)) send(response, await control(service, request, path));
      else await handleRequest(service, request, response, path, new URLSearchParams(search));
    }
  } catch (error) {
    if (response.headersSent) response.destroy();
    else send(response, errorResponse(error));
  }
}

/**
 * Rejects web pages that are open in a browser on this machine, because they know the well-known key. A page that points its own
 * host name to this machine sends that name.
 *
 * @throws HttpError for any host name but this machine's
 */
function rejectForeignHosts({ host = "" }: IncomingHttpHeaders): void {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host))
    throw new HttpError(403, "The sandbox accepts only the hosts 127.0.0.1 and localhost.");
}

/**
 * Rejects the same pages by their origin, except on the status page, to which they may link.
 *
 * @throws HttpError for requests of pages other than the sandbox's own
 */
function rejectForeignOrigins({
  host = "",
  origin,
  "sec-fetch-site": site = "none",
}: IncomingHttpHeaders): void {
  if ((origin !== undefined && origin !== `http://${host}`) || (site !== "none" && site !== "same-origin"))
    throw new HttpError(403, "The sandbox rejects requests from other web pages.");
}

/**
 * `/_sandbox`: the journal, the faults, the options and the data over HTTP, without a key. Only for programs on this machine.
 */
type Action = (service: Service, body: () => unknown) => HttpResponse;

const noContent: HttpResponse = { status: 204, headers: {}, body: "" };

const actions: Record<string, Record<string, Action>> = {
  "/_sandbox/requests": {
    GET: ({ journal }) => jsonResponse(200, { requests: journal.entries }),
    DELETE: ({ journal }) => {
      journal.clear();
      return noContent;
    },
  },
  "/_sandbox/faults": {
    GET: ({ faults }) => jsonResponse(200, { faults: faults.list() }),
    POST: ({ faults }, body) => {
      const value = body();
      faults.add(...validate(z.array(faultSchema), Array.isArray(value) ? value : [value], "payload"));
      return jsonResponse(201, { faults: faults.list() });
    },
    DELETE: ({ faults }) => {
      faults.clear();
      return noContent;
    },
  },
  "/_sandbox/options": {
    GET: ({ updateIds }) => jsonResponse(200, updateIds.options),
    PATCH: ({ updateIds }, body) => {
      updateIds.configure(validate(updateIdOptions.partial(), body(), "payload"));
      return jsonResponse(200, updateIds.options);
    },
  },
  "/_sandbox/state": {
    GET: ({ store }) => {
      const { accounts, mailed } = store.data;
      return jsonResponse(200, { accounts, mailed });
    },
  },
};

/** @throws HttpError when the request is rejected */
async function control(service: Service, request: IncomingMessage, path: string): Promise<HttpResponse> {
  const { headers, method = "" } = request;
  const methods = actions[path];
  if (methods === undefined)
    throw new HttpError(404, `There is nothing at ${path}, only ${Object.keys(actions).join(", ")}.`);
  const action = methods[method];
  if (action === undefined) throw methodNotAllowed(method, Object.keys(methods));
  const bytes = await readBody(request);
  return action(service, () => parseJson(headers["content-type"], bytes));
}

async function handleRequest(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  const { store, updateIds, access, accountHeader, faults, journal, closing } = service;
  const { lateWrites } = faults;
  const { headers, method = "" } = request;
  const requestId = randomUUID();
  response.setHeader("x-request-id", requestId);
  const accountId = authorize(headers, access, accountHeader);
  const isKnown = !(accountId instanceof HttpError && accountId.status === 401);
  const entry = journal.begin(requestId, request, path, query, isKnown);
  response.on("close", () => (entry.ended ??= "client left"));

  const finish = async (reply: HttpResponse, fault?: EndingFault) => {
    if (request.socket.destroyed || closing.aborted) return;
    journal.finish(entry, reply, fault);
    await deliver(response, reply, fault, closing);
  };

  try {
    const bytes = await readBody(request);
    journal.addBody(entry, bytes);
    const route = findRoute(method, path);
    const { operation, ids } = route;
    entry.operation = operation;
    entry.account = accountId instanceof HttpError ? null : accountId;

    const matched = isKnown ? faults.match(operation, entry.account) : Faults.unaffected();
    entry.faults = matched.kinds;
    if (matched.latencyMs > 0) await setTimeout(matched.latencyMs, undefined, { signal: closing });

    const applied = matched.ending === undefined || ("applied" in matched.ending && matched.ending.applied);
    const reply = responseOf(() => {
      if (accountId instanceof HttpError) throw accountId;
      const body = () => parseJson(headers["content-type"], bytes);
      const account = store.account(accountId);
      const { delay, history, list } = matched;
      const call = { store, updateIds, account, query, body, applied, lateWrites, delay, history, list };
      return handlers[operation](call, ...ids);
    });
    entry.applied = applied && route.method === "POST" && reply.status === 201;
    await finish(matched.ending ? replacedResponse(reply, matched.ending) : reply, matched.ending);
  } catch (error) {
    await finish(errorResponse(error));
  }
}

/**
 * Returns the id of the account of a request, or the error that rejects it. If there is no account header, it is the first account
 * of the key.
 *
 * @param accountHeader its name in lower case
 */
function authorize(
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

/** Finds a header that looks like an account header of another name: ignoring it would respond for the wrong account. */
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

/** The server reads a body that is too large up to this size, because a client that is sending doesn't read the response. */
const maxBytesRead = 16 * maxBodyBytes;

/** Throws when the client disconnects. */
async function readBody(request: IncomingMessage): Promise<RequestBody> {
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
function findRoute(method: string, path: string): Route {
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

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new HttpError(400, `The path is not properly percent-encoded: ${id}`);
  }
}

function methodNotAllowed(method: string, allowed: string[]): HttpError {
  const allow = allowed.join(", ");
  return new HttpError(405, `${method} is not allowed here, only ${allow}.`, {}, { allow });
}

function responseOf(make: () => HttpResponse): HttpResponse {
  try {
    return make();
  } catch (error) {
    return errorResponse(error);
  }
}

/** Returns the response to an error. Any error other than {@link HttpError} is an internal error of the service. */
function errorResponse(error: unknown): HttpResponse {
  return (error instanceof HttpError ? error : new HttpError(500, errorReason(error))).response;
}
