/**
 * Tests the time that a call can take: its deadline, its cancellation, and its waits for other requests and for pauses. The benchmark
 * measures deadlines with a real clock.
 */
import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type ClientOptions, type MonitoringClient } from "../../provider/client";
import { RequestLimiter, TimeLimit } from "../../provider/client/http";
import { fc, runs as cases } from "../propertySeed";
import { advance } from "./clock";
import {
  createClient,
  catchError,
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
const halfABody: Start = () =>
  serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"id":'));
const silence: Start = () => serveRaw(() => undefined);
type Call = (watched: Watched) => PromiseLike<unknown>;
const readAnother: Call = ({ client }) => client.getAlertChannel(7);
const readWhileOneHangs: Call = (watched) => {
  read(watched).catch(() => undefined);
  return readAnother(watched);
};

const timeout = /^TimeoutError$/;

test.each<[what: string, start: Start, call: Call, error: RegExp, options?: Partial<ClientOptions>]>([
  ["no response to a read", silence, read, timeout],
  ["no response to a write", silence, write, /^OutcomeUnknownError$/],
  ["half a body", halfABody, read, timeout],
  ["attempts that each time out", silence, read, timeout, { timeoutMs: 450, maxAttempts: 10 }],
  ["one request at a time, and another hangs", silence, readWhileOneHangs, timeout, { maxConcurrency: 1 }],
])("the deadline holds: %s", async (_, start, call, error, options = {}) => {
  const service = await start();
  const watched = createClient(service, { deadlineMs, ...options });
  const began = Date.now();
  let ended = Infinity;
  const failure = catchError(call(watched)).finally(() => (ended = Date.now()));
  await until(() => service.connections.size > 0);
  while (ended === Infinity && Date.now() < began + deadlineMs + 100) {
    await nextTurn();
    await advance(50);
  }
  expect((await failure).name).toMatch(error);
  expect(ended - began).toBeLessThanOrEqual(deadlineMs + 100);
});

const reason = new Error("The user changed their mind.");

test.each([reason, undefined, null, "a string", 0])(
  "a read that is cancelled before it starts sends nothing, and its reason may be %p",
  async (anything) => {
    const service = await serveJson(update);
    const { client, events } = createClient(service);
    const signal = AbortSignal.abort(anything);
    await expect(client.getIncidentUpdate("i1", "u1", { signal })).rejects.toBe(signal.reason);
    await nextTurn();
    expect([events, service.requests]).toEqual([[], []]);
  },
);

const readUpdate = (client: MonitoringClient, options: object) =>
  client.getIncidentUpdate("i1", "u1", options);
const postUpdate = (client: MonitoringClient, options: object) =>
  client.createIncidentUpdate("i1", news, options);

test.each<
  [when: string, Respond, reported: number, call: typeof readUpdate | typeof postUpdate, maxAttempts?: number]
>([
  ["waits for the response", () => undefined, 0, readUpdate],
  ["waits for the response to its only attempt", () => undefined, 0, readUpdate, 1],
  ["is in the middle of the response", (response) => response.write('{"id":'), 0, readUpdate],
  ["waits for another attempt", (response) => send(response, {}, 503), 1, readUpdate],
  ["is a write that waits for another attempt", (response) => send(response, {}, 429), 1, postUpdate],
])(
  "a call that %s is cancelled at once, without another attempt",
  async (_, respond, reported, call, maxAttempts = 4) => {
    const service = await serve(respond);
    const cancel = new AbortController();
    const { client, events } = createClient(service, { maxAttempts });
    const ended = call(client, { signal: cancel.signal });
    await until(() => service.requests.length === 1 && events.length === reported);
    cancel.abort(reason);
    await expect(ended).rejects.toBe(reason);
    if (reported === 0) await until(() => service.connections.size === 0);
    await advance(60_000);
    expect(service.requests).toHaveLength(1);
  },
);

test("a write that is cancelled in beforeSend is never sent", async () => {
  const service = await serveJson(update);
  const cancel = new AbortController();
  const beforeSend = () => Promise.resolve().then(() => cancel.abort(reason));
  const call = postUpdate(createClient(service).client, { signal: cancel.signal, beforeSend });
  await expect(call).rejects.toBe(reason);
  expect(service.requests).toEqual([]);
});

test("the client's own signal cancels every current and later call", async () => {
  const service = await silence();
  const cancel = new AbortController();
  const { client } = createClient(service, { signal: cancel.signal });
  const calls = [client.getAlertChannel(1), client.getAlertChannel(2), client.listStatusPages().then()];
  await until(() => service.requests.length === 3);
  cancel.abort(reason);
  for (const call of [...calls, client.getAlertChannel(3)]) await expect(call).rejects.toBe(reason);
  await until(() => service.connections.size === 0);
  expect(service.requests).toHaveLength(3);
});

test("a call leaves no timer that would keep a program running, and no listener on its signals", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  realProcess.on("warning", note);
  const service = await serve((response, { url }) => {
    if (url.includes("/1/")) send(response, update);
    if (url.includes("/2/")) send(response, {}, 404);
    if (url.includes("/3/")) send(response, {}, 503);
  });
  const [own, cancel] = [new AbortController(), new AbortController()];
  const { client, events } = createClient(service, { signal: own.signal, maxConcurrency: 100 });
  // Node warns about more than ten listeners.
  const calls = Array.from({ length: 60 }, (_, index) =>
    client.getIncidentUpdate(index % 4, "u1", { signal: cancel.signal }),
  );
  const ended = Promise.allSettled(calls);
  await Promise.allSettled(calls.filter((_, index) => [1, 2].includes(index % 4)));
  // Some calls wait for a response, and others for their next attempt.
  await until(() => events.length === 45);
  cancel.abort(reason);
  const failures = (await ended).filter((result) => result.status === "rejected");
  expect(failures.filter((failure) => failure.reason === reason)).toHaveLength(30);
  expect(failures).toHaveLength(45);
  await until(() => jest.getTimerCount() === 0);
  for (const { signal } of [own, cancel]) expect(getEventListeners(signal, "abort")).toEqual([]);
  realProcess.off("warning", note);
  expect(warnings).toEqual([]);
});

const reads = (client: MonitoringClient, count: number) =>
  Array.from({ length: count }, (_, id) => client.getIncidentUpdate(id, "u1"));

/** Waits until every request that may be sent has been sent. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await nextTurn();
}

test.each([
  [undefined, 8],
  [3, 3],
])("maxConcurrency %p limits the requests in flight to %i", async (maxConcurrency, most) => {
  const service = await silence();
  const cancel = new AbortController();
  const watched = createClient(service, { maxConcurrency, signal: cancel.signal });
  const calls = [...reads(watched.client, 6), ...Array.from({ length: 6 }, () => write(watched))];
  await until(() => service.requests.length === most);
  await quiet();
  expect(service.requests).toHaveLength(most);
  cancel.abort(reason);
  await Promise.allSettled(calls);
});

test("all requests wait after a 429 as long as the service requires, or until their deadline", async () => {
  const service = await serve((response, _, turn) => {
    if (turn === 1) response.setHeader("retry-after", "10");
    send(response, update, turn === 1 ? 429 : 200);
  });
  const watched = createClient(service);
  const first = read(watched);
  await until(() => watched.events.length === 1);
  const others = [...reads(watched.client, 5), write(watched)];
  const impatient = catchError(watched.client.getIncidentUpdate("i1", "u1", { deadlineMs: 5_000 }));
  await advance(9_990);
  await quiet();
  expect((await impatient).message).toContain(
    "not sent within 5000 ms, because other requests were still running or the service is limiting requests (HTTP 429). Try again later, or raise deadlineMs.",
  );
  expect(service.requests).toHaveLength(1);
  await advance(20);
  await Promise.all([first, ...others]);
  expect(service.requests).toHaveLength(8);
});

test("after a 429 without a header, all calls wait together, and the next requests are half as fast", async () => {
  const [latencyMs, sentAt] = [80, [] as number[]];
  const service = await serve((response, _, turn) => {
    sentAt.push(Math.round(performance.now()));
    setTimeout(() => send(response, update, turn > 8 && turn <= 16 ? 429 : 200), latencyMs);
  });
  const watched = createClient(service);
  const calls = Promise.all(reads(watched.client, 40));
  const settled = { is: false };
  calls.then(
    () => (settled.is = true),
    () => (settled.is = true),
  );
  await until(async () => {
    await quiet();
    await advance(1);
    return settled.is;
  });
  await calls;
  const [first = 0, ...others] = sentAt.slice(16);
  const refused = sentAt[8] ?? 0;
  expect(first - refused).toBeGreaterThanOrEqual(latencyMs + 500);
  expect(first - refused).toBeLessThanOrEqual(latencyMs + 1_001);
  // Eight requests at a time that take 80 ms each result in a request every 10 ms.
  const gaps = others.map((at, index) => at - (sentAt[16 + index] ?? 0));
  expect(Math.min(...gaps.slice(0, 5))).toBeGreaterThanOrEqual(18);
  expect(service.requests).toHaveLength(48);
});

test("pauses without a length from the service double up to 15 s or half of the time left, until a later request succeeds", async () => {
  jest.spyOn(Math, "random").mockReturnValue(1);
  const limiter = new RequestLimiter(1);
  const pause = (leftMs = 3_600_000) => limiter.slowDown(performance.now(), undefined, leftMs);
  const seconds: number[] = [];
  for (let count = 0; count < 6; count++) {
    seconds.push(pause() / 1_000);
    // This request started before the pause.
    limiter.speedUp(0);
    await advance(15_000);
  }
  expect(seconds).toEqual([1, 2, 4, 8, 15, 15]);
  expect(pause(100)).toBe(50);
  await advance(50);
  limiter.speedUp(performance.now());
  expect(pause()).toBe(1_000);
  jest.restoreAllMocks();
});

test("a read that timed out before it had to wait for a pause reports a timeout", async () => {
  const service = await serve((response, { method }) => {
    if (method === "GET") return;
    response.setHeader("retry-after", "10");
    send(response, update, 429);
  });
  const watched = createClient(service, { timeoutMs: 300, maxAttempts: 2, deadlineMs: 5_000 });
  const late = catchError(read(watched));
  await until(() => service.requests.length === 1);
  const limited = catchError(write(watched));
  await until(() => watched.events.length === 1);
  await advance(300);
  await until(() => watched.events.length === 2);
  await advance(5_000 - 300);
  expect((await late).message).toContain("timed out waiting for the response");
  await limited;
  expect(service.requests).toHaveLength(2);
});

const second = fc.integer({ min: 0, max: 30 });
const seconds = fc.integer({ min: 0, max: 12 });
const most = fc.integer({ min: 1, max: 4 });
/** The times when calls are made, how long their requests take, and how long unsent calls wait before they are cancelled. */
const call = fc.record({ at: second, seconds, patience: seconds });
const runs = fc.record({
  made: fc.array(call, { minLength: 1, maxLength: 25 }),
  /** The pauses that the service requires. */
  pauses: fc.array(fc.record({ at: second, seconds }), { maxLength: 2 }),
  atOnce: most,
  /** The number of promise turns after which calls are cancelled. Missing if none is cancelled. */
  cancelledAfter: fc.option(fc.nat(20), { nil: undefined, freq: 2 }),
});

test("calls are sent in order, as soon as the limits allow it, except cancelled ones", async () => {
  const property = fc.asyncProperty(runs, async ({ made, pauses, atOnce, cancelledAfter }) => {
    const limiter = new RequestLimiter(atOnce);
    const began = performance.now();
    const now = () => Math.round((performance.now() - began) / 1000);
    const waiting = new Map<(typeof made)[number], AbortController>();
    const wronglySent: unknown[] = [];
    let [inFlight, pausedUntil] = [0, 0];

    const run = (one: (typeof made)[number]) => {
      const cancel = new AbortController();
      const send = async () => {
        if ([...waiting.keys()][0] !== one || now() < pausedUntil) wronglySent.push(one);
        waiting.delete(one);
        inFlight += 1;
        await new Promise((resolve) => setTimeout(resolve, one.seconds * 1000));
        inFlight -= 1;
      };
      waiting.set(one, cancel);
      const limit = new TimeLimit(3_600_000, [cancel.signal]);
      limiter.run(send, limit).catch(() => undefined);
    };

    while (now() < 45 || waiting.size > 0) {
      for (const { at, seconds } of pauses) {
        if (at !== now()) continue;
        limiter.slowDown(performance.now(), seconds * 1000, Infinity);
        pausedUntil = Math.max(pausedUntil, at + seconds);
      }
      made.filter(({ at }) => at === now()).forEach(run);
      for (let turn = 0; turn < (cancelledAfter ?? 0); turn++) await Promise.resolve();
      for (const [one, cancel] of waiting) {
        if (cancelledAfter === undefined || one.at + one.patience !== now()) continue;
        waiting.delete(one);
        cancel.abort();
      }
      await advance(0);
      const mayWait = inFlight === atOnce || now() < pausedUntil;
      expect([wronglySent, inFlight > atOnce]).toEqual([[], false]);
      expect(mayWait || waiting.size === 0).toBe(true);
      await advance(1000);
    }
  });
  // The second call starts to wait after the pause was extended, the first call before.
  const prolonged = {
    made: [0, 1].map((at) => ({ at, seconds: 0, patience: 0 })),
    pauses: [0, 1].map((at) => ({ at, seconds: 2 })),
    atOnce: 2,
    cancelledAfter: undefined,
  };
  await fc.assert(property, { numRuns: cases(10), examples: [[prolonged]] });
});
