/** HTTP on loopback: who answers which path, and that no request ends the process. */
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type Answer, errorAnswer, Refusal } from "./answers";
import { control, isControl } from "./control";
import { send } from "./delivery";
import { reasonOf, SandboxError } from "./errors";
import { exchange, type Service } from "./exchange";
import { publicPage } from "./page";
import { methodRefusal } from "./routes";

const host = "127.0.0.1";

export interface Server {
  url: string;
  /** Ends open connections at once. */
  close(): Promise<void>;
}

/** Listens on a port of this machine alone; 0 takes a free one. Throws a `SandboxError` when it can't. */
export async function listen(service: Service, port: number): Promise<Server> {
  const server = createServer((request, response) => void answer(service, request, response));
  server.on("clientError", refuseGarbage);
  // Longer than clients keep an idle connection: one that closes under a request looks like a lost answer.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.on("error", (error: NodeJS.ErrnoException) => reject(cannotListen(port, error)));
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

function cannotListen(port: number, error: NodeJS.ErrnoException): SandboxError {
  return new SandboxError(
    error.code === "EADDRINUSE"
      ? `Port ${port} is taken, perhaps by another sandbox: stop that one or choose another port (--port).`
      : `Can't listen on port ${port}: ${reasonOf(error)}. Choose another port.`,
  );
}

async function answer(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, path = "", search] = /^([^?]*)\??(.*)$/s.exec(request.url ?? "") ?? [];
  try {
    if (path === "/") send(response, visit(service, request.method ?? ""));
    else if (path === "/favicon.ico") send(response, { status: 204, headers: {}, body: "" });
    else if (isControl(path)) send(response, await control(service, request, path));
    else await exchange(service, request, response, path, new URLSearchParams(search));
  } catch (error) {
    if (response.headersSent) response.destroy();
    else send(response, errorAnswer(error));
  }
}

function visit({ store }: Service, method: string): Answer {
  if (method !== "GET" && method !== "HEAD") throw methodRefusal(method, ["GET", "HEAD"]);
  return publicPage(store.data);
}

/** Answers what isn't HTTP, or too much of it, before there is a request. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = statusOfGarbage[error.code ?? ""] ?? 400;
  const { headers, body } = new Refusal(status, "This is not a request that the service understands.").answer;
  const head = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const text = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, "", body].join("\r\n");
  socket.end(text, () => socket.destroy());
}

const statusOfGarbage: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
