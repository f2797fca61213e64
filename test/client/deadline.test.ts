/** No call takes longer than its deadline. The benchmark measures it by a real clock. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setInterval as everyTurn } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { ClientOptions, MonitoringClient } from "../../provider/client";
import { advance, skipWaits } from "./clock";
import { clientOf, failureOf, news, send, serve, serveRaw, type Service, until, update } from "./services";

const deadlineMs = 2_000;

/** Sends small pieces for ever, by the real clock. */
function drip(stream: Socket | ServerResponse, begin: string, piece: string): void {
  stream.write(begin);
  const dripping = everyTurn(() => stream.write(piece), 5);
  stream.on("close", () => clearInterval(dripping));
}

type Call = (client: MonitoringClient) => PromiseLike<unknown>;
const read: Call = (client) => client.getIncidentUpdate("i1", "u1");
const write: Call = (client) => client.createIncidentUpdate("i1", news);
const walk: Call = async (client) => {
  for await (const page of client.listStatusPages()) expect(page).toHaveProperty("id");
};

interface Case {
  service: () => Promise<Service>;
  /** Default: a read. */
  call?: Call;
  /** Default: TimeoutError. */
  error?: RegExp;
  options?: Partial<ClientOptions>;
}

const raw = (respond: (socket: Socket) => void) => () => serveRaw(respond);
const http = (respond: (response: ServerResponse, turn: number) => void) => () =>
  serve((response, _, turn) => respond(response, turn));
const silence = raw(() => undefined);
const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const halfABody = raw((socket) => socket.write(`${head}Content-Length: 99\r\n\r\n{"id":`));

const cases: Record<string, Case> = {
  "no response to a read": { service: silence },
  "no response to a write": { service: silence, call: write, error: /^OutcomeUnknownError$/ },
  "no response to the second page": {
    service: http((response, turn) => {
      if (turn === 1) send(response, { entries: [{ id: "1", name: "x" }], nextId: "2" });
    }),
    call: walk,
  },
  "endless headers": { service: raw((socket) => drip(socket, head, "X-More: 1\r\n")) },
  "headers that stop within a line": { service: raw((socket) => socket.write("HTTP/1.1 20")) },
  "endless interim responses": {
    service: raw((socket) => drip(socket, "", "HTTP/1.1 103 Early Hints\r\n\r\n")),
  },
  "headers and no body": { service: raw((socket) => socket.write(`${head}Content-Length: 9\r\n\r\n`)) },
  "half a body": { service: halfABody },
  "half a body after a write": { service: halfABody, call: write, error: /^OutcomeUnknownError$/ },
  "JSON and then endless whitespace": { service: http((response) => drip(response, "{}", " ")) },
  "chunks of one byte": {
    service: raw((socket) => drip(socket, `${head}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n[\r\n")),
  },
  "gzip that stops": {
    service: http((response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).write(gzipSync("{}").subarray(0, 12));
    }),
  },
  "the body of a failure that drips": {
    service: http((response) => drip(response.writeHead(404), "", " ")),
    // By the real clock the head may come too late.
    error: /^(NotFound|Timeout)Error$/,
  },
  "the body of a failed write that drips": {
    service: http((response) => drip(response.writeHead(503), "", " ")),
    call: write,
    error: /^OutcomeUnknownError$/,
  },
  "attempts that each run out of time": { service: silence, options: { timeoutMs: 450, maxAttempts: 10 } },
  "a TLS handshake that never ends": {
    service: async () => {
      const service = await serveRaw(() => undefined);
      return { ...service, url: service.url.replace("http:", "https:") };
    },
  },
  "one request at a time, and another takes it": {
    service: silence,
    call: (client) => {
      read(client).then(undefined, () => undefined);
      return client.getAlertChannel(7);
    },
    options: { maxConcurrency: 1 },
  },
  "one request a minute, and another took it": {
    service: http((response) => send(response, update)),
    call: async (client) => {
      await read(client);
      await client.getAlertChannel(7);
    },
    options: { maxRequestsPerMinute: 1 },
  },
};

test.each(Object.entries(cases))("%s", async (_, { service: start, call = read, error, options }) => {
  const service = await start();
  const { client } = clientOf(service, { deadlineMs, ...options });
  const began = Date.now();
  let ended = Infinity;
  const failure = failureOf(call(client)).finally(() => (ended = Date.now()));
  await until(() => service.connections.size > 0);
  while (ended === Infinity && Date.now() < began + deadlineMs + 100) {
    await nextTurn();
    await advance(50);
  }
  expect((await failure).name).toMatch(error ?? /^TimeoutError$/);
  expect(ended - began).toBeLessThanOrEqual(deadlineMs + 100);
});

test.each<[string, number, Record<string, string>, string]>([
  ["failures, one after another", 503, {}, "ServerError"],
  ["a service that asks for a second each time", 429, { "retry-after": "1" }, "RateLimitError"],
])("%s", async (_, status, headers, name) => {
  const service = await serve((response) => response.writeHead(status, headers).end());
  const { client, events } = clientOf(service, { deadlineMs, maxAttempts: 10 });
  const began = Date.now();
  const error = await failureOf(skipWaits(client.getAlertChannel(7), events));
  expect(error.name).toBe(name);
  expect(service.requests.length).toBeGreaterThan(1);
  expect(Date.now() - began).toBeLessThanOrEqual(deadlineMs + 100);
});
