/** Starts services on loopback that end with their test, and creates clients for them. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import * as net from "node:net";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { runInThisContext } from "node:vm";
import {
  type ClientOptions,
  isMonitoringError,
  MonitoringClient,
  type MonitoringError,
  type RequestEvent,
} from "../../provider/client";

export const apiKey = "canary-0123456789abcdef";
export const update = { id: "u1", description: "Capacity is added.", status: "MONITORING" };
/** The body of a 404 that the API itself sends. */
export const notFound = { statusCode: 404, error: "Not Found", message: "No." };
export const news = { status: "MONITORING", description: "Capacity is added." } as const;

/** The real process. Jest gives tests a copy that misses most events. */
export const realProcess: NodeJS.Process = runInThisContext("process");

const cleanUps: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A request as the service received it. */
export interface Received {
  readonly method: string;
  /** The path and query as they were sent. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Service {
  readonly url: string;
  readonly port: number;
  /** All requests, oldest first. */
  readonly requests: Received[];
  readonly connections: ReadonlySet<net.Socket>;
}

/** Responds to a request. `turn` is 1 for the first request. */
export type Respond = (response: ServerResponse, request: Received, turn: number) => void;

export async function serve(respond: Respond): Promise<Service> {
  const requests: Received[] = [];
  const server = createServer(recording(requests, respond));
  server.keepAliveTimeout = 60_000;
  return { ...(await listen(server)), requests };
}

export function recording(requests: Received[], respond: Respond): RequestListener {
  return (request, response) => {
    void buffer(request).then(
      (body) => {
        const { method = "", url = "", headers } = request;
        const received = { method, url, headers, body: body.toString() };
        respond(response, received, requests.push(received));
      },
      () => response.destroy(),
    );
  };
}

/** Starts a service that responds with this JSON and with these statuses in turn. Later requests receive the last status. */
export async function serveJson(json: unknown, ...statuses: number[]): Promise<Service> {
  return serve((response, _, turn) => send(response, json, statuses[turn - 1] ?? statuses.at(-1)));
}

export function send(response: ServerResponse, json: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

/** Starts a TCP service that responds once it has received data. */
export async function serveRaw(respond: (socket: net.Socket, turn: number) => void): Promise<Service> {
  const requests: Received[] = [];
  const server = net.createServer((socket) => {
    socket.once("data", (data) => {
      const [method = "", url = ""] = data.toString("latin1").split(" ");
      respond(socket, requests.push({ method, url, headers: {}, body: data.toString("latin1") }));
    });
  });
  return { ...(await listen(server)), requests };
}

/** Returns the bytes of a complete response. */
export function rawResponse(status: number | string, body = "", ...headers: string[]): string {
  return [`HTTP/1.1 ${status} X`, `Content-Length: ${body.length}`, ...headers, "", body].join("\r\n");
}

/** Listens on a free port of this machine until the test ends. */
export async function listen(server: net.Server): Promise<Omit<Service, "requests">> {
  const connections = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => {
    connections.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  );
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, connections };
}

/** An address that refuses connections. The port of a stopped server wouldn't be safe, because another test may use it. */
export const nobodyListens = "http://127.0.0.1:9";

export interface Watched {
  readonly client: MonitoringClient;
  readonly events: RequestEvent[];
}

/** Creates a client of the service that records its events. */
export function createClient({ url }: { url: string }, options: Partial<ClientOptions> = {}): Watched {
  const events: RequestEvent[] = [];
  const onRequest = (event: RequestEvent): void => void events.push(event);
  return { client: new MonitoringClient({ apiKey, baseUrl: url, onRequest, ...options }), events };
}

export const read = ({ client }: Pick<Watched, "client">) => client.getIncidentUpdate("i1", "u1");
/** The content that replaces an update. */
export const edition = { ...news, publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z" };
export const edit = ({ client }: Pick<Watched, "client">) =>
  client.editComponentPageIncidentUpdate("p1", "i1", "u1", edition);
export const write = ({ client }: Pick<Watched, "client">) => client.createIncidentUpdate("i1", news);

/** Returns the MonitoringError that the call rejects with. Any other result fails the test. */
export async function catchError(call: PromiseLike<unknown>): Promise<MonitoringError> {
  try {
    await call;
  } catch (error) {
    if (isMonitoringError(error)) return error;
    throw error;
  }
  throw new Error("The call succeeded.");
}

/** Lets sockets and promises proceed until the condition is true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await nextTurn();
}

/** Makes each wait between attempts zero, which is the shortest wait with full jitter. */
export function drawNoWaits(): void {
  const random = jest.spyOn(Math, "random").mockReturnValue(0);
  cleanUps.push(() => random.mockRestore());
}
