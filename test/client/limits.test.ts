/** How long a call waits for other requests, for `maxRequestsPerMinute` and for pauses. All else: requestLimiter.test.ts. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { MonitoringClient } from "../../provider/client";
import { advance } from "./clock";
import { clientOf, failureOf, read, send, serve, serveJson, until, update, write } from "./services";

const deadlineMs = 5_000;
const reads = (client: MonitoringClient, count: number) =>
  Array.from({ length: count }, (_, id) => client.getIncidentUpdate(id, "u1"));

/** Long enough for every request that may be sent to be sent. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await nextTurn();
}

/** The time that passes until the calls have ended, to the second. */
async function secondsUntil(calls: Promise<unknown>): Promise<number> {
  const calling = { ended: false };
  const end = () => (calling.ended = true);
  calls.then(end, end);
  for (let seconds = 0; ; seconds++) {
    await quiet();
    if (calling.ended) return seconds;
    await advance(1_000);
  }
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

type Call = (client: MonitoringClient) => Promise<unknown>;
const readOne: Call = (client) => read({ client });
const ownDeadline: Call = (client) => client.getIncident("i1", {}, { deadlineMs });
/** Uses up the minute, and then calls. */
const then = (call: Call) => (client: MonitoringClient) => readOne(client).then(() => call(client));
const late = /timed out waiting for the response/;
const notSent =
  / i1: not sent within 5000 ms, because it waited .* raise deadlineMs or maxRequestsPerMinute\.$/;

test.each<[string, number[], Call, seconds: number, sent: number, failure?: RegExp, timeoutMs?: number]>([
  ["reads wait, however long", [200, 200, 200], (client) => Promise.all(reads(client, 3)), 120, 3],
  ["the next attempt of a read waits, too", [503, 200], readOne, 60, 2],
  ["then the deadline of a read continues", [200], then(readOne), 65, 2, late],
  // The history that a write relies on may be outdated after a longer wait.
  ["a write waits until its deadline", [200], then((client) => write({ client })), 5, 1, notSent],
  ["a read with an own deadline waits until then", [200], then(ownDeadline), 5, 1, notSent],
  ["a read that timed out before says so", [], ownDeadline, 5, 1, late, 300],
])("per minute: %s", async (_, statuses, call, seconds, sent, failure = /^$/, timeoutMs = 9_000) => {
  const service = await serve((response, _, turn) => {
    const status = statuses[turn - 1];
    if (status !== undefined) send(response, update, status);
  });
  const { client } = clientOf(service, { maxRequestsPerMinute: 1, timeoutMs, deadlineMs });
  const said = call(client).then(() => "", String);
  await until(() => service.requests.length > 0);
  expect(await secondsUntil(said)).toBe(seconds);
  expect(await said).toMatch(failure);
  await advance(120_000);
  expect(service.requests).toHaveLength(sent);
});

test("a write goes before the reads that wait for the minute: its deadline doesn't stop", async () => {
  const service = await serveJson(update);
  const watched = clientOf(service, { maxRequestsPerMinute: 3, deadlineMs });
  const all = Promise.all(reads(watched.client, 9));
  await until(() => service.requests.length === 3);
  await advance(58_000);
  const first = write(watched);
  expect(await secondsUntil(first)).toBe(2);
  await first;
  expect(await secondsUntil(all)).toBe(120);
  await all;
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
  expect((await impatient).message).toContain("not sent within 5000 ms");
  expect(service.requests).toHaveLength(1);
  await advance(20);
  await Promise.all([first, ...others]);
  expect(service.requests).toHaveLength(8);
});
