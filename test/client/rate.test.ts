import { setImmediate as nextTurn } from "node:timers/promises";
import type { MonitoringClient, RequestEvent } from "../../provider/client";
import { advance } from "./clock";
import { clientOf, failureOf, read, send, serve, serveJson, until, update, write } from "./services";

const reads = (client: MonitoringClient, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => client.getIncidentUpdate("i1", `u${from + index}`));

/** Long enough for every request that may be sent to be sent. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await nextTurn();
}

describe("requests in flight", () => {
  test.each([
    ["eight", undefined, 8],
    ["as many as maxConcurrency says", 3, 3],
    ["one by one", 1, 1],
  ])("are at most %s, reads and writes together", async (_, maxConcurrency, most) => {
    const waiting: (() => void)[] = [];
    const service = await serve((response) => waiting.push(() => send(response, update)));
    const watched = clientOf(service, { maxConcurrency });
    const calls = [...reads(watched.client, 10), ...Array.from({ length: 10 }, () => write(watched))];
    let responded = 0;
    while (responded < calls.length) {
      await until(() => waiting.length === Math.min(most, calls.length - responded));
      await quiet();
      expect(waiting.length).toBeLessThanOrEqual(most);
      waiting.shift()?.();
      responded += 1;
    }
    await Promise.all(calls);
    expect(service.requests).toHaveLength(20);
  });
});

describe("maxRequestsPerMinute", () => {
  test("applies to any period of 60 seconds", async () => {
    const service = await serveJson(update);
    const left: number[] = [];
    const onRequest = ({ ms }: RequestEvent) => left.push(Date.now() - ms);
    const { client } = clientOf(service, { maxRequestsPerMinute: 5, deadlineMs: 600_000, onRequest });
    await Promise.all(reads(client, 2));
    await advance(50_000);
    const calls = reads(client, 16, 2);
    while (left.length < 18) {
      await advance(1_000);
      await nextTurn();
    }
    await Promise.all(calls);
    expect(service.requests).toHaveLength(18);
    for (const [index, time] of left.entries()) {
      const inTheMinuteBefore = left.slice(0, index + 1).filter((other) => other > time - 60_000);
      expect(inTheMinuteBefore.length).toBeLessThanOrEqual(5);
    }
    const [first = 0, last = 0] = [left[0], left[17]];
    expect(last - first).toBeLessThanOrEqual(4 * 60_000);
  });
});

describe("after a 429", () => {
  /** A service that asks for a pause of ten seconds, and a client that has received it: `first` is its call. */
  async function paused() {
    const service = await serve((response, _, turn) => {
      if (turn === 1) response.setHeader("retry-after", "10");
      send(response, update, turn === 1 ? 429 : 200);
    });
    const watched = clientOf(service);
    const first = read(watched);
    await until(() => watched.events.length === 1);
    return { service, watched, first };
  }

  test("all requests of the client wait as long as the service asks for", async () => {
    const { service, watched, first } = await paused();
    const others = [...reads(watched.client, 5, 1), write(watched)];
    await advance(9_990);
    await quiet();
    expect(service.requests).toHaveLength(1);
    await advance(20);
    await Promise.all([first, ...others]);
    expect(service.requests).toHaveLength(8);
  });

  test("a pause beyond the deadline of a call ends the call with the reason", async () => {
    const { service, watched, first } = await paused();
    const second = failureOf(watched.client.getIncidentUpdate("i1", "u1", { deadlineMs: 5_000 }));
    await advance(5_000);
    expect((await second).message).toBe(
      "getIncidentUpdate i1/u1: not sent within 5000 ms, because it waited for other requests, for maxRequestsPerMinute, " +
        "or for a pause that the service asked for. Try again later, or raise deadlineMs or maxRequestsPerMinute.",
    );
    await advance(5_010);
    await first;
    expect(service.requests).toHaveLength(2);
  });
});
