/** How long a call waits for `maxRequestsPerMinute`, and for other requests. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { advance } from "./clock";
import { clientOf, failureOf, news, send, serve, serveJson, serveRaw, until, update } from "./services";

const deadlineMs = 5_000;
const notSent =
  "not sent within 5000 ms, because it waited for other requests, for maxRequestsPerMinute, or for a pause that the service " +
  "asked for. Try again later, or raise deadlineMs or maxRequestsPerMinute.";

/** The time that passes until the calls have ended, to the second. */
async function secondsUntil(calls: Promise<unknown>): Promise<number> {
  const calling = { ended: false };
  const end = () => (calling.ended = true);
  calls.then(end, end);
  for (let seconds = 0; ; seconds++) {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    if (calling.ended) return seconds;
    await advance(1_000);
  }
}

/** A client that has sent its only request of this minute. */
async function usedUp() {
  const service = await serveJson(update);
  const watched = clientOf(service, { maxRequestsPerMinute: 1, deadlineMs });
  await watched.client.getIncidentUpdate("i1", "u0");
  return { service, ...watched };
}

test("reads wait as long as necessary: their deadline stops", async () => {
  const service = await serveJson(update);
  const { client } = clientOf(service, { maxRequestsPerMinute: 10, deadlineMs });
  const reads = Promise.all(Array.from({ length: 35 }, (_, id) => client.getIncidentUpdate("i1", id)));
  expect(await secondsUntil(reads)).toBe(180);
  await reads;
});

test("the next attempt of a read waits too", async () => {
  const service = await serve((response, _, turn) => send(response, update, turn === 1 ? 503 : 200));
  const { client } = clientOf(service, { maxRequestsPerMinute: 1, deadlineMs });
  const read = client.getIncidentUpdate("i1", "u1");
  expect(await secondsUntil(read)).toBe(60);
  await read;
});

test("after the wait the deadline continues", async () => {
  const service = await serve((response, _, turn) => {
    if (turn === 1) send(response, update);
  });
  const { client } = clientOf(service, { maxRequestsPerMinute: 1, deadlineMs });
  await client.getIncidentUpdate("i1", "u0");
  const failure = failureOf(client.getIncidentUpdate("i1", "u1"));
  expect(await secondsUntil(failure)).toBe(65);
  expect((await failure).message).toContain("timed out waiting for the response");
});

test("a write waits until its deadline: the history may be outdated afterwards", async () => {
  const { service, client } = await usedUp();
  const failure = failureOf(client.createIncidentUpdate("i1", news));
  expect(await secondsUntil(failure)).toBe(5);
  expect((await failure).message).toBe(`createIncidentUpdate i1: ${notSent}`);
  await advance(120_000);
  expect(service.requests).toHaveLength(1);
});

test("a read with a deadline of its own waits until then", async () => {
  const { client } = await usedUp();
  const failure = failureOf(client.getStatusPageIncident("i1", { deadlineMs }));
  expect(await secondsUntil(failure)).toBe(5);
  expect((await failure).message).toBe(`getStatusPageIncident i1: ${notSent}`);
});

test("a write goes before the reads that wait for the limit: its deadline doesn't stop", async () => {
  const service = await serveJson(update);
  const { client } = clientOf(service, { maxRequestsPerMinute: 3, deadlineMs });
  const reads = Promise.all(Array.from({ length: 9 }, (_, id) => client.getIncidentUpdate("i1", id)));
  await until(() => service.requests.length === 3);
  await advance(58_000);
  const write = client.createIncidentUpdate("i1", news);
  expect(await secondsUntil(write)).toBe(2);
  await write;
  expect(await secondsUntil(reads)).toBe(120);
  await reads;
});

test("a signal ends the wait", async () => {
  const { service, client } = await usedUp();
  const cancel = new AbortController();
  const [first, second] = [1, 2].map(() => client.getIncidentUpdate("i1", "u1", { signal: cancel.signal }));
  await advance(10_000);
  cancel.abort(new Error("enough"));
  await expect(first).rejects.toThrow("enough");
  await expect(second).rejects.toThrow("enough");
  await advance(120_000);
  expect(service.requests).toHaveLength(1);
});

test("a call that is cancelled before it is sent doesn't count, at whatever moment", async () => {
  const service = await serve((response, _, turn) => {
    setTimeout(() => send(response, update), turn === 1 ? 1_000 : 0);
  });
  const { client } = clientOf(service, { maxConcurrency: 1, maxRequestsPerMinute: 100, deadlineMs });
  const first = client.getIncidentUpdate("i1", "u0");
  await until(() => service.requests.length === 1);
  for (let moments = 0; moments < 60; moments++) {
    const cancel = new AbortController();
    const cancelled = client.getIncidentUpdate("i1", "u1", { signal: cancel.signal });
    for (let moment = 0; moment < moments; moment++) await Promise.resolve();
    cancel.abort(new Error("enough"));
    await expect(cancelled).rejects.toThrow("enough");
  }
  await advance(1_000);
  await first;
  const reads = Promise.all(Array.from({ length: 99 }, (_, id) => client.getIncidentUpdate("i1", id)));
  expect(await secondsUntil(reads)).toBeLessThan(59);
  expect(service.requests).toHaveLength(100);
});

test("a read that timed out, and then waited for the limit until its deadline, says that the service didn't respond", async () => {
  const service = await serveRaw(() => undefined);
  const { client } = clientOf(service, { maxRequestsPerMinute: 1, timeoutMs: 300 });
  const failure = failureOf(client.getIncidentUpdate("i1", "u1", { deadlineMs }));
  await until(() => service.requests.length === 1);
  expect(await secondsUntil(failure)).toBe(5);
  expect((await failure).message).toContain("timed out waiting for the response");
});
