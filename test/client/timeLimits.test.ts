/** A call ends with its deadline, or when it is cancelled. The benchmark measures deadlines by a real clock. */
import { getEventListeners } from "node:events";
import { setInterval as everyTurn } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ClientOptions, MonitoringClient } from "../../provider/client";
import { advance } from "./clock";
import {
  clientOf,
  failureOf,
  news,
  read,
  realProcess,
  type Respond,
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

type Start = () => Promise<Service>;
/** The body of a failure that goes on for ever, by the real clock. */
const drips: Start = () =>
  serve((response) => {
    response.writeHead(404).flushHeaders();
    const dripping = everyTurn(() => response.write(" "), 5);
    response.on("close", () => clearInterval(dripping));
  });
const halfABody: Start = () =>
  serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"id":'));
const silence: Start = () => serveRaw(() => undefined);
const onePage: Start = () =>
  serve((response, _, turn) => {
    if (turn === 1) send(response, { entries: [{ id: "1", name: "x" }], nextId: "2" });
  });
type Call = (watched: Watched) => PromiseLike<unknown>;
const readAnother: Call = ({ client }) => client.getAlertChannel(7);
const walk: Call = async ({ client }) => {
  for await (const page of client.listStatusPages()) expect(page).toHaveProperty("id");
};
const readWhileOneHangs: Call = (watched) => {
  read(watched).catch(() => undefined);
  return readAnother(watched);
};

const timeout = /^TimeoutError$/;
// By the real clock the head may come too late.
const notFoundOrTimeout = /^(NotFound|Timeout)Error$/;

test.each<[what: string, start: Start, call: Call, error: RegExp, options?: Partial<ClientOptions>]>([
  ["no response to a read", silence, read, timeout],
  ["no response to a write", silence, write, /^OutcomeUnknownError$/],
  ["no response to the second page", onePage, walk, timeout],
  ["half a body", halfABody, read, timeout],
  ["the body of a failure that drips", drips, read, notFoundOrTimeout],
  ["attempts that each time out", silence, read, timeout, { timeoutMs: 450, maxAttempts: 10 }],
  ["one request at a time, and another hangs", silence, readWhileOneHangs, timeout, { maxConcurrency: 1 }],
])("the deadline holds: %s", async (_, start, call, error, options = {}) => {
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

const reason = new Error("The user changed their mind.");

test.each([reason, undefined, null, "a text", 0])(
  "a read is cancelled before it begins: nothing is sent, and the reason may be %p",
  async (anything) => {
    const service = await serveJson(update);
    const { client, events } = clientOf(service);
    const signal = AbortSignal.abort(anything);
    await expect(client.getIncidentUpdate("i1", "u1", { signal })).rejects.toBe(signal.reason);
    await nextTurn();
    expect([events, service.requests]).toEqual([[], []]);
  },
);

const readWith = (client: MonitoringClient, options: object) => client.getIncidentUpdate("i1", "u1", options);
const writeWith = (client: MonitoringClient, options: object) =>
  client.createIncidentUpdate("i1", news, options);

test.each<
  [when: string, Respond, reported: number, call: typeof readWith | typeof writeWith, maxAttempts?: number]
>([
  ["waits for the response", () => undefined, 0, readWith],
  ["waits for the response to its only attempt", () => undefined, 0, readWith, 1],
  ["is in the middle of the response", (response) => response.write('{"id":'), 0, readWith],
  ["waits for another attempt", (response) => send(response, {}, 503), 1, readWith],
  ["is a write that waits for another attempt", (response) => send(response, {}, 429), 1, writeWith],
])(
  "a call that %s is cancelled: it ends, and there is no other attempt",
  async (_, respond, reported, call, maxAttempts = 4) => {
    const service = await serve(respond);
    const cancel = new AbortController();
    const { client, events } = clientOf(service, { maxAttempts });
    const ended = call(client, { signal: cancel.signal });
    await until(() => service.requests.length === 1 && events.length === reported);
    cancel.abort(reason);
    await expect(ended).rejects.toBe(reason);
    if (reported === 0) await until(() => service.connections.size === 0);
    await advance(60_000);
    expect(service.requests).toHaveLength(1);
  },
);

test("a write is cancelled before it is sent, by its beforeSend: it never is", async () => {
  const service = await serveJson(update);
  const cancel = new AbortController();
  const beforeSend = () => Promise.resolve().then(() => cancel.abort(reason));
  const call = writeWith(clientOf(service).client, { signal: cancel.signal, beforeSend });
  await expect(call).rejects.toBe(reason);
  expect(service.requests).toEqual([]);
});

test("the client's own signal cancels every call, now and later", async () => {
  const service = await silence();
  const cancel = new AbortController();
  const { client } = clientOf(service, { signal: cancel.signal });
  const calls = [client.getAlertChannel(1), client.getAlertChannel(2), client.listStatusPages().then()];
  await until(() => service.requests.length === 3);
  cancel.abort(reason);
  for (const call of [...calls, client.getAlertChannel(3)]) await expect(call).rejects.toBe(reason);
  await until(() => service.connections.size === 0);
  expect(service.requests).toHaveLength(3);
});

test("a call leaves no timer that would keep a program from ending, and no listener on its signals", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  realProcess.on("warning", note);
  const service = await serve((response, { url }) => {
    if (url.includes("/1/")) send(response, update);
    if (url.includes("/2/")) send(response, {}, 404);
  });
  const [own, cancel] = [new AbortController(), new AbortController()];
  const { client } = clientOf(service, { signal: own.signal, maxConcurrency: 100 });
  // Node warns of more than ten listeners.
  const calls = Array.from({ length: 60 }, (_, index) =>
    client.getIncidentUpdate(index % 3, "u1", { signal: cancel.signal }),
  );
  const ended = Promise.allSettled(calls);
  await Promise.allSettled(calls.filter((_, index) => index % 3 > 0));
  cancel.abort(reason);
  const failures = (await ended).filter((result) => result.status === "rejected");
  expect(failures.filter((failure) => failure.reason === reason)).toHaveLength(20);
  expect(failures).toHaveLength(40);
  await until(() => jest.getTimerCount() === 0);
  for (const { signal } of [own, cancel]) expect(getEventListeners(signal, "abort")).toEqual([]);
  realProcess.off("warning", note);
  expect(warnings).toEqual([]);
});
