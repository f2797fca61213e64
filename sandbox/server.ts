/** The HTTP server on the loopback address: dispatches requests by path; no request can crash it. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import {
  authorize,
  errorResponse,
  findRoute,
  HttpError,
  type HttpResponse,
  jsonResponse,
  methodNotAllowed,
  parseJson,
  readBody,
  rejectForeignHosts,
  rejectForeignOrigins,
  responseOf,
  send,
  validate,
} from "./http";
import { type SandboxData, SandboxError, type Store } from "./store";
import {
  deliver,
  type EndingFault,
  type Faults,
  faultSchema as fault,
  replacedResponse,
  unaffected,
} from "./faults";
import { type Journal, journalEnding, journalEntry } from "./journal";
import { handlers } from "./handlers";
import { updateIdOptions, type UpdateIds } from "./updateIds";
import { z } from "zod";
import { errorReason } from "../provider/texts";
import { publicPage } from "./page";

// Handles one request to the API, from its arrival to its response or fault.

/** The parts of a sandbox that its HTTP server uses. */
interface Service {
  store: Store;
  updateIds: UpdateIds;
  access: SandboxData["access"];
  /** In lower case. */
  accountHeader: string;
  faults: Faults;
  journal: Journal;
  /** Aborts when the sandbox closes: nothing is written after that. */
  closing: AbortSignal;
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
  const entry = journalEntry(requestId, request, path, query);
  if (isKnown) journal.add(entry);
  response.on("close", () => (entry.ended ??= "client left"));

  const finish = async (reply: HttpResponse, fault?: EndingFault) => {
    if (request.socket.destroyed || closing.aborted) return;
    Object.assign(entry, journalEnding(reply, fault));
    await deliver(response, reply, fault, closing);
  };

  try {
    const bytes = await readBody(request);
    if (isKnown) journal.addBody(entry, bytes);
    const route = findRoute(method, path);
    const { operation, ids } = route;
    entry.operation = operation;
    entry.account = accountId instanceof HttpError ? null : accountId;

    const matched = isKnown ? faults.match(operation, entry.account) : unaffected();
    entry.faults = matched.kinds;
    if (matched.latencyMs > 0) await setTimeout(matched.latencyMs, undefined, { signal: closing });

    const applied = matched.ending === undefined || ("applied" in matched.ending && matched.ending.applied);
    const reply = responseOf(() => {
      if (accountId instanceof HttpError) throw accountId;
      const body = () => parseJson(headers["content-type"], bytes);
      const account = store.account(accountId);
      const { delay, history } = matched;
      const call = { store, updateIds, account, query, body, applied, lateWrites, delay, history };
      return handlers[operation](call, ...ids);
    });
    entry.applied = applied && route.method === "POST" && reply.status === 201;
    await finish(matched.ending ? replacedResponse(reply, matched.ending) : reply, matched.ending);
  } catch (error) {
    await finish(errorResponse(error));
  }
}

// * `/_sandbox`: the journal, the faults, the options and the data over HTTP, without a key. Only for programs on this machine.

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
      faults.add(...validate(z.array(fault), Array.isArray(value) ? value : [value], "payload"));
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

const isControl = (path: string) => path === "/_sandbox" || path.startsWith("/_sandbox/");

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

const host = "127.0.0.1";

interface Server {
  url: string;
  /** Closes open connections immediately. */
  close(): Promise<void>;
}

/**
 * Listens on the loopback address; port 0 takes any free port.
 *
 * @throws SandboxError when it can't
 */
export async function listen(service: Service, port: number): Promise<Server> {
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
    close: () =>
      new Promise((resolve) => {
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
    if (path === "/") send(response, statusPage(service, request.method ?? ""));
    else if (path === "/favicon.ico") send(response, { status: 204, headers: {}, body: "" });
    else {
      rejectForeignOrigins(request.headers);
      if (isControl(path)) send(response, await control(service, request, path));
      else await handleRequest(service, request, response, path, new URLSearchParams(search));
    }
  } catch (error) {
    if (response.headersSent) response.destroy();
    else send(response, errorResponse(error));
  }
}

function statusPage({ store }: Service, method: string): HttpResponse {
  if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(method, ["GET", "HEAD"]);
  return publicPage(store.data);
}
