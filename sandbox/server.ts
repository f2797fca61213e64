/** The HTTP server on the loopback address: dispatches requests by path; no request can crash it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { errorReason } from "../provider/texts/errorReason";
import { errorResponse, type HttpResponse, send } from "./http/httpResponse";
import { control, isControl } from "./control";
import { SandboxError } from "./store/sandboxError";
import { handleRequest, type Service } from "./handleRequest";
import { rejectForeignHosts, rejectForeignOrigins } from "./http/foreignPages";
import { publicPage } from "./page";
import { methodNotAllowed } from "./http/routes";

const host = "127.0.0.1";

export interface Server {
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
