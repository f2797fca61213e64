/** How long a call waits for other requests and for pauses. All else: requestLimiter.test.ts. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { MonitoringClient } from "../../provider/client";
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
  expect((await impatient).message).toContain("not sent within 5000 ms");
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
