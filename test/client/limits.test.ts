/** How long a call waits for other requests and for pauses; a model of the limiter, whatever the calls are. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { MonitoringClient } from "../../provider/client";
import { RequestLimiter, TimeLimit } from "../../provider/client/limits";
import { fc, runs as atLeast } from "../propertySeed";
import { advance } from "./clock";
import { clientOf, failureOf, read, send, serve, until, update, write } from "./services";

const deadlineMs = 5_000;
const reads = (client: MonitoringClient, count: number) =>
  Array.from({ length: count }, (_, id) => client.getIncidentUpdate(id, "u1"));

/** Long enough for every request that may be sent to be sent. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await nextTurn();
}

test.each([
  [undefined, 8],
  [3, 3],
])("with maxConcurrency %p at most %i requests are in flight", async (maxConcurrency, most) => {
  const waiting: (() => void)[] = [];
  const service = await serve((response) => waiting.push(() => send(response, update)));
  const watched = clientOf(service, { maxConcurrency });
  const calls = [...reads(watched.client, 6), ...Array.from({ length: 6 }, () => write(watched))];
  for (let left = calls.length; left > 0; left--) {
    await until(() => waiting.length === Math.min(most, left));
    await quiet();
    expect(waiting.length).toBeLessThanOrEqual(most);
    waiting.shift()?.();
  }
  await Promise.all(calls);
});

test("after a 429 all requests wait as long as the service asks for, or until their deadline", async () => {
  const service = await serve((response, _, turn) => {
    if (turn === 1) response.setHeader("retry-after", "10");
    send(response, update, turn === 1 ? 429 : 200);
  });
  const watched = clientOf(service);
  const first = read(watched);
  await until(() => watched.events.length === 1);
  const others = [...reads(watched.client, 5), write(watched)];
  const impatient = failureOf(watched.client.getIncidentUpdate("i1", "u1", { deadlineMs }));
  await advance(9_990);
  await quiet();
  expect((await impatient).message).toContain(
    "not sent within 5000 ms, because it waited for other requests, or for a pause that the service asked for. Try again later, or raise deadlineMs.",
  );
  expect(service.requests).toHaveLength(1);
  await advance(20);
  await Promise.all([first, ...others]);
  expect(service.requests).toHaveLength(8);
});

test("a read that timed out before it had to wait for a pause says that it timed out", async () => {
  const service = await serve((response, { method }) => {
    if (method === "GET") return;
    response.setHeader("retry-after", "10");
    send(response, update, 429);
  });
  const watched = clientOf(service, { timeoutMs: 300, maxAttempts: 2, deadlineMs });
  const late = failureOf(read(watched));
  await until(() => service.requests.length === 1);
  const limited = failureOf(write(watched));
  await until(() => watched.events.length === 1);
  await advance(300);
  await until(() => watched.events.length === 2);
  await advance(deadlineMs - 300);
  expect((await late).message).toContain("timed out waiting for the response");
  await limited;
  expect(service.requests).toHaveLength(2);
});

const second = fc.integer({ min: 0, max: 30 });
const seconds = fc.integer({ min: 0, max: 12 });
const most = fc.integer({ min: 1, max: 4 });
/** When calls are made, how long their requests take, and after which time they are cancelled unless they were sent. */
const call = fc.record({ at: second, seconds, patience: seconds });
const runs = fc.record({
  made: fc.array(call, { minLength: 1, maxLength: 25 }),
  /** The pauses that the service asks for. */
  pauses: fc.array(fc.record({ at: second, seconds }), { maxLength: 2 }),
  atOnce: most,
  /** After how many more turns of promises calls are cancelled; missing where none is. */
  cancelledAfter: fc.option(fc.nat(20), { nil: undefined, freq: 2 }),
});

test("calls are sent in their order, as soon as the limits allow it, and none that was cancelled", async () => {
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
        limiter.pause(seconds * 1000);
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
  // The second call begins to wait after the pause was prolonged, the first one before.
  const prolonged = {
    made: [0, 1].map((at) => ({ at, seconds: 0, patience: 0 })),
    pauses: [0, 1].map((at) => ({ at, seconds: 2 })),
    atOnce: 2,
    cancelledAfter: undefined,
  };
  await fc.assert(property, { numRuns: atLeast(40), examples: [[prolonged]] });
});
