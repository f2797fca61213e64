/** No call takes longer than its deadline. The benchmark measures it by a real clock. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setInterval as everyTurn } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { ClientOptions } from "../../provider/client";
import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  read,
  send,
  serve,
  serveJson,
  serveRaw,
  type Service,
  until,
  update,
  type Watched,
  write,
} from "./services";

const deadlineMs = 2_000;

/** Sends small pieces for ever, by the real clock. */
function drip(stream: Socket | ServerResponse, begin: string, piece: string): void {
  stream.write(begin);
  const dripping = everyTurn(() => stream.write(piece), 5);
  stream.on("close", () => clearInterval(dripping));
}

type Start = () => Promise<Service>;
const writes = (text: string) => () => serveRaw((socket) => socket.write(text));
const drips = (begin: string, piece: string) => () => serveRaw((socket) => drip(socket, begin, piece));
const dripsBody = (status: number, begin: string) => () =>
  serve((response) => drip(response.writeHead(status), begin, " "));
const answering: Start = () => serveJson(update);
const silence: Start = () => serveRaw(() => undefined);
const silentTls: Start = async () => {
  const service = await silence();
  return { ...service, url: service.url.replace("http:", "https:") };
};
const onePage: Start = () =>
  serve((response, _, turn) => {
    if (turn === 1) send(response, { entries: [{ id: "1", name: "x" }], nextId: "2" });
  });
const halfOfGzip: Start = () =>
  serve((response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).write(gzipSync("{}").subarray(0, 12)),
  );
const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const halfABody = `${head}Content-Length: 99\r\n\r\n{"id":`;

type Call = (watched: Watched) => PromiseLike<unknown>;
const readAnother: Call = ({ client }) => client.getAlertChannel(7);
const walk: Call = async ({ client }) => {
  for await (const page of client.listStatusPages()) expect(page).toHaveProperty("id");
};
const readWhileOneHangs: Call = (watched) => {
  read(watched).catch(() => undefined);
  return readAnother(watched);
};
const readTwo: Call = async (watched) => {
  await read(watched);
  await readAnother(watched);
};

const timeout = /^TimeoutError$/;
const unknown = /^OutcomeUnknownError$/;
// By the real clock the head may come too late.
const notFoundOrTimeout = /^(NotFound|Timeout)Error$/;

test.each<[what: string, start: Start, call: Call, error: RegExp, options?: Partial<ClientOptions>]>([
  ["no response to a read", silence, read, timeout],
  ["no response to a write", silence, write, unknown],
  ["no response to the second page", onePage, walk, timeout],
  ["endless headers", drips(head, "X-More: 1\r\n"), read, timeout],
  ["headers that stop within a line", writes("HTTP/1.1 20"), read, timeout],
  ["endless interim responses", drips("", "HTTP/1.1 103 Early Hints\r\n\r\n"), read, timeout],
  ["headers and no body", writes(`${head}Content-Length: 9\r\n\r\n`), read, timeout],
  ["half a body", writes(halfABody), read, timeout],
  ["half a body after a write", writes(halfABody), write, unknown],
  ["JSON and then endless whitespace", dripsBody(200, "{}"), read, timeout],
  ["chunks of one byte", drips(`${head}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n[\r\n"), read, timeout],
  ["gzip that stops", halfOfGzip, read, timeout],
  ["the body of a failure that drips", dripsBody(404, ""), read, notFoundOrTimeout],
  ["the body of a failed write that drips", dripsBody(503, ""), write, unknown],
  ["attempts that each time out", silence, read, timeout, { timeoutMs: 450, maxAttempts: 10 }],
  ["a TLS handshake that never ends", silentTls, read, timeout],
  ["one request at a time, and another hangs", silence, readWhileOneHangs, timeout, { maxConcurrency: 1 }],
  ["one request a minute, and another took it", answering, readTwo, timeout, { maxRequestsPerMinute: 1 }],
])("%s", async (_, start, call, error, options = {}) => {
  const service = await start();
  const watched = clientOf(service, { deadlineMs, ...options });
  const began = Date.now();
  let ended = Infinity;
  const failure = failureOf(call(watched)).finally(() => (ended = Date.now()));
  await until(() => service.connections.size > 0);
  while (ended === Infinity && Date.now() < began + deadlineMs + 100) {
    await nextTurn();
    await advance(50);
  }
  expect((await failure).name).toMatch(error);
  expect(ended - began).toBeLessThanOrEqual(deadlineMs + 100);
});

test.each<[string, number, Record<string, string>, string]>([
  ["failures, one after another", 503, {}, "ServerError"],
  ["a service that asks for a second each time", 429, { "retry-after": "1" }, "RateLimitError"],
])("%s", async (_, status, headers, name) => {
  const service = await serve((response) => response.writeHead(status, headers).end());
  const began = Date.now();
  const error = await failureOf(skipWaits(clientOf(service, { deadlineMs, maxAttempts: 10 }), read));
  expect(error.name).toBe(name);
  expect(service.requests.length).toBeGreaterThan(1);
  expect(Date.now() - began).toBeLessThanOrEqual(deadlineMs + 100);
});
