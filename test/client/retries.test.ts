import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  nobodyListens,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
  type Watched,
} from "./services";

const read = ({ client }: Watched) => client.getIncidentUpdate("i1", "u1");
const waits = ({ events }: Watched) => events.map(({ waitMs }) => waitMs);

/** What is drawn for full jitter, from 0 to 1. */
function draw(share: number): void {
  jest.spyOn(Math, "random").mockReturnValue(share);
}
afterEach(() => jest.restoreAllMocks());

const good = JSON.stringify(update);
const whole = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${good.length}\r\n\r\n${good}`;

describe("a read is tried again after", () => {
  const responses: Record<string, string> = {
    "408": "HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\n\r\n",
    "429": "HTTP/1.1 429 Slow down\r\nContent-Length: 0\r\n\r\n",
    "500": "HTTP/1.1 500 Failed\r\nContent-Length: 0\r\n\r\n",
    "502": "HTTP/1.1 502 Bad\r\nContent-Length: 6\r\n\r\n<html>",
    "503": "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n",
    "504": "HTTP/1.1 504 Slow\r\nContent-Length: 0\r\n\r\n",
    "a body that is cut": `HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n${good}`,
    "a body of chunks that is cut": `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"id"`,
    "a body of no length that stops short": `HTTP/1.1 200 OK\r\n\r\n${good.slice(0, -1)}`,
    "a body of no length, white space first, that stops short": "HTTP/1.1 200 OK\r\n\r\n \n{",
    "a body of no length that never began": "HTTP/1.1 200 OK\r\n\r\n",
    "half a head": "HTTP/1.1 200 O",
    "another protocol": "220 mail.example ESMTP\r\n",
    "no bytes": "",
  };
  test.each(Object.entries(responses))("%s", async (_, broken) => {
    const service = await serveRaw((socket, turn) => socket.end(turn < 4 ? broken : whole));
    const watched = clientOf(service);
    await expect(skipWaits(read(watched), watched.events)).resolves.toEqual(update);
    expect(watched.events.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(service.requests).toHaveLength(4);
  });

  test("a reset", async () => {
    const service = await serveRaw((socket, turn) =>
      turn < 4 ? socket.resetAndDestroy() : socket.end(whole),
    );
    const watched = clientOf(service);
    await expect(skipWaits(read(watched), watched.events)).resolves.toEqual(update);
  });

  test("nobody listens", async () => {
    const watched = clientOf({ url: nobodyListens });
    expect((await failureOf(skipWaits(read(watched), watched.events))).name).toBe("ConnectionError");
    expect(watched.events).toHaveLength(4);
  });

  test("an attempt whose time is up", async () => {
    const service = await serve((response, _, turn) => {
      if (turn === 2) send(response, update);
    });
    const watched = clientOf(service, { timeoutMs: 5_000 });
    const call = skipWaits(read(watched), watched.events);
    await until(() => service.requests.length === 1);
    await advance(5_000);
    await expect(call).resolves.toEqual(update);
    expect(watched.events).toMatchObject([
      { attempt: 1, ms: 5_000 },
      { attempt: 2, status: 200 },
    ]);
  });
});

describe("a read is not tried again after", () => {
  test.each([304, 404])("HTTP %i", async (status) => {
    const service = await serveJson({}, status);
    await failureOf(read(clientOf(service)));
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ["an HTML page", "<html>"],
    ["JSON of another shape", '{"data":[]}'],
    ["more than 5 MiB", `"${"x".repeat(6 * 1024 * 1024)}"`],
  ])("%s", async (_, body) => {
    const service = await serve((response) => response.end(body));
    expect((await failureOf(read(clientOf(service)))).name).toBe("ResponseShapeError");
    expect(service.requests).toHaveLength(1);
  });
});

describe("between attempts it waits", () => {
  async function waitsOf(attempts: number, headers: Record<string, string> = {}, status = 503) {
    const service = await serve((response) => response.writeHead(status, headers).end());
    const watched = clientOf(service, { maxAttempts: attempts, deadlineMs: 3_600_000 });
    await failureOf(skipWaits(read(watched), watched.events));
    return waits(watched);
  }

  test("up to a time that doubles from 250 ms to 8 s", async () => {
    draw(0.999999);
    const longest = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000];
    await expect(waitsOf(10)).resolves.toEqual([...longest, undefined]);
  });

  test.each([
    ["seconds", " 7 ", 7_000],
    ["an HTTP date", "Sat, 31 Jan 2026 09:30:07 GMT", 7_000],
    ["more than a minute", "3600", 60_000],
    ["nothing usable", "soon", 100],
  ])("what Retry-After requests, as %s", async (_, value, wait) => {
    draw(0.4);
    for (const status of [503, 429]) {
      jest.setSystemTime(new Date("2026-01-31T09:30:00Z"));
      await expect(waitsOf(2, { "retry-after": value }, status)).resolves.toEqual([wait, undefined]);
    }
  });
});

describe("when it gives up", () => {
  test("the error is the last attempt's", async () => {
    const service = await serve((response, _, turn) => send(response, {}, [500, 429, 408, 502][turn - 1]));
    const watched = clientOf(service);
    await expect(failureOf(skipWaits(read(watched), watched.events))).resolves.toMatchObject({ status: 502 });
  });

  test("it doesn't begin a wait that would end after the deadline", async () => {
    const service = await serve((response) => response.writeHead(429, { "retry-after": "30" }).end());
    const watched = clientOf(service, { deadlineMs: 30_000 });
    expect((await failureOf(read(watched))).name).toBe("RateLimitError");
    expect(waits(watched)).toEqual([undefined]);
  });

  test("the deadline runs out between attempts: the error is the last attempt's", async () => {
    draw(0.999999);
    const service = await serveJson({}, 503);
    const watched = clientOf(service, { deadlineMs: 600 });
    await expect(failureOf(skipWaits(read(watched), watched.events))).resolves.toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(2);
  });

  test("the deadline runs out while it waits for its next turn: the error is the last attempt's", async () => {
    draw(0.5);
    const service = await serve((response, { url }) => {
      if (url.endsWith("7")) response.setHeader("retry-after", "30");
      send(response, {}, url.endsWith("7") ? 429 : 503);
    });
    const { client, events } = clientOf(service, { deadlineMs: 10_000 });
    const call = failureOf(client.getIncidentUpdate("i1", "u1"));
    await until(() => events.length === 1);
    const other = failureOf(client.getAlertChannel(7));
    await until(() => events.length === 2);
    await advance(10_000);
    await expect(call).resolves.toMatchObject({ status: 503 });
    await expect(other).resolves.toMatchObject({ status: 429 });
    expect(service.requests).toHaveLength(2);
  });

  test("maxAttempts 1 means no second attempt", async () => {
    const service = await serveJson({}, 503);
    const watched = clientOf(service, { maxAttempts: 1 });
    await failureOf(read(watched));
    expect(waits(watched)).toEqual([undefined]);
  });
});
