import { type ClientOptions } from "../../provider/client";
import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  rawResponse,
  read,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
} from "./services";

/** What is drawn for full jitter, from 0 to 1. */
function draw(share: number): void {
  jest.spyOn(Math, "random").mockReturnValue(share);
}
afterEach(() => jest.restoreAllMocks());

const good = JSON.stringify(update);

// Which results are repeated, retry.test.ts proves; what is a lost connection, brokenResponses.test.ts.
test.each([
  ...[408, 429, 500, 502, 503, 504].map((status) => [`HTTP ${status}`, rawResponse(status, "<html>")]),
  ["a body of no length that stops short", `HTTP/1.1 200 OK\r\n\r\n${good.slice(0, -1)}`],
  ["a reset", ""],
])("a read is tried again after %s", async (_, broken = "") => {
  const service = await serveRaw((socket, turn) => {
    if (turn === 4) socket.end(rawResponse(200, good, "Connection: close"));
    else if (broken === "") socket.resetAndDestroy();
    else socket.end(broken);
  });
  const watched = clientOf(service);
  await expect(skipWaits(watched, read)).resolves.toEqual(update);
  expect(watched.events.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(service.requests).toHaveLength(4);
});

test("a read is tried again after an attempt whose time is up", async () => {
  const service = await serve((response, _, turn) => {
    if (turn === 2) send(response, update);
  });
  const watched = clientOf(service, { timeoutMs: 5_000 });
  const call = skipWaits(watched, read);
  await until(() => service.requests.length === 1);
  await advance(5_000);
  await expect(call).resolves.toEqual(update);
  expect(watched.events).toMatchObject([
    { attempt: 1, ms: 5_000 },
    { attempt: 2, status: 200 },
  ]);
});

describe("between attempts it waits", () => {
  async function waitsOf(
    options: Partial<ClientOptions>,
    status = 503,
    headers: Record<string, string> = {},
  ) {
    const service = await serve((response) => response.writeHead(status, headers).end());
    const watched = clientOf(service, options);
    await failureOf(skipWaits(watched, read));
    return watched.events.map(({ waitMs }) => waitMs);
  }

  test.each<[number, (number | undefined)[]]>([
    [1, [undefined]],
    [10, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, undefined]],
  ])("up to a time that doubles from 250 ms to 8 s: %i attempts, %j", async (maxAttempts, waits) => {
    draw(0.999999);
    await expect(waitsOf({ maxAttempts, deadlineMs: 3_600_000 })).resolves.toEqual(waits);
  });

  test.each([
    ["seconds", " 7 ", 7_000],
    ["an HTTP date", "Sat, 31 Jan 2026 09:30:07 GMT", 7_000],
    ["nothing usable", "soon", 100],
  ])("what Retry-After requests, as %s", async (_, value, wait) => {
    draw(0.4);
    for (const status of [503, 429]) {
      jest.setSystemTime(new Date("2026-01-31T09:30:00Z"));
      const waits = waitsOf({ maxAttempts: 2 }, status, { "retry-after": value });
      await expect(waits).resolves.toEqual([wait, undefined]);
    }
  });

  test("not at all if the wait would end after the deadline", async () => {
    const waits = waitsOf({ deadlineMs: 30_000 }, 429, { "retry-after": "30" });
    await expect(waits).resolves.toEqual([undefined]);
  });
});

describe("the error is the last attempt's", () => {
  test("when there were too many", async () => {
    const watched = clientOf(await serveJson({}, 500, 429, 408, 502));
    await expect(failureOf(skipWaits(watched, read))).resolves.toMatchObject({ status: 502 });
  });

  test("when the deadline runs out between attempts", async () => {
    draw(0.999999);
    const service = await serveJson({}, 503);
    const watched = clientOf(service, { deadlineMs: 600 });
    await expect(failureOf(skipWaits(watched, read))).resolves.toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(2);
  });

  test("when the deadline runs out while it waits for its next turn", async () => {
    draw(0.5);
    const service = await serve((response, { url }) => {
      if (url.endsWith("7")) response.setHeader("retry-after", "30");
      send(response, {}, url.endsWith("7") ? 429 : 503);
    });
    const watched = clientOf(service, { deadlineMs: 10_000 });
    const call = failureOf(read(watched));
    await until(() => watched.events.length === 1);
    const other = failureOf(watched.client.getAlertChannel(7));
    await until(() => watched.events.length === 2);
    await advance(10_000);
    await expect(call).resolves.toMatchObject({ status: 503 });
    await expect(other).resolves.toMatchObject({ name: "RateLimitError", status: 429 });
    expect(service.requests).toHaveLength(2);
  });
});
