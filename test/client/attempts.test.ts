/** Which calls are sent again, and when: a write only if it was provably not applied. */
import { type ClientOptions } from "../../provider/client";
import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  news,
  rawResponse,
  read,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
  write,
} from "./services";

/** What is drawn for full jitter, from 0 to 1. */
function draw(share: number): void {
  jest.spyOn(Math, "random").mockReturnValue(share);
}
afterEach(() => jest.restoreAllMocks());

const good = JSON.stringify(update);

// Which results are repeated, retry.test.ts proves; which responses are lost or broken, brokenResponses.test.ts.
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

describe("between attempts it waits", () => {
  async function waitsOf(status: number, headers: Record<string, string>, options: Partial<ClientOptions>) {
    const service = await serve((response) => response.writeHead(status, headers).end());
    const watched = clientOf(service, options);
    await failureOf(skipWaits(watched, read));
    return watched.events.map(({ waitMs }) => waitMs);
  }

  // How long it waits, retry.test.ts proves.
  test("up to a time that doubles", async () => {
    draw(0.999999);
    await expect(waitsOf(503, {}, { maxAttempts: 3 })).resolves.toEqual([250, 500, undefined]);
  });

  test("what Retry-After requests, as an HTTP date", async () => {
    jest.setSystemTime(new Date("2026-01-31T09:30:00Z"));
    const waits = waitsOf(429, { "retry-after": "Sat, 31 Jan 2026 09:30:07 GMT" }, { maxAttempts: 2 });
    await expect(waits).resolves.toEqual([7_000, undefined]);
  });

  test("not at all if the wait would end after the deadline", async () => {
    const waits = waitsOf(429, { "retry-after": "30" }, { deadlineMs: 30_000 });
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
});

describe("a write is sent once, and its result is unknown, after", () => {
  test.each([
    ["HTTP 99", rawResponse("099")],
    ...[408, 500, 799].map((status) => [`HTTP ${status}`, rawResponse(status)]),
    ["HTTP 502 with a page", rawResponse(502, "<html>")],
    ["HTTP 503 with Retry-After", rawResponse(503, "", "Retry-After: 1")],
    ["HTTP 504 with a truncated body", "HTTP/1.1 504 Slow\r\nContent-Length: 99\r\n\r\nxx"],
    ["HTTP 201 without an id", rawResponse(201, '{"description":"x"}')],
  ])("%s", async (_, response = "") => {
    const service = await serveRaw((socket) => socket.end(response));
    const watched = clientOf(service);
    const error = await failureOf(write(watched));
    expect(error).toMatchObject({ name: "OutcomeUnknownError", applied: "unknown" });
    expect(error.message).toMatch(
      /^createIncidentUpdate i1: sent once, and the service .* It was not sent again\. Read the incident/,
    );
    expect(service.requests).toHaveLength(1);
    expect(watched.events).toHaveLength(1);
    expect(watched.events[0]).not.toHaveProperty("waitMs");
  });

  test("a cancellation during the request", async () => {
    const service = await serveRaw(() => undefined);
    const cancel = new AbortController();
    const call = failureOf(write(clientOf(service, { signal: cancel.signal })));
    await until(() => service.requests.length === 1);
    cancel.abort(new Error("enough"));
    expect(await call).toMatchObject({
      name: "OutcomeUnknownError",
      message: expect.stringContaining("sent once, and the call was cancelled before a response"),
    });
    await until(() => service.connections.size === 0);
  });
});

/** Statuses by which the service rejects a request as such; test/client/applied.test.ts has all. */
const rejections = [400, 401, 403, 413, 415, 422];

test.each([300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 409, 413, 415, 418, 422, 451])(
  "reads and writes fail after HTTP %i: nothing is sent again, and nothing is sent elsewhere",
  async (status) => {
    const other = await serveJson(update);
    for (const call of [read, write]) {
      const service = await serve((response) =>
        response.writeHead(status, { location: `${other.url}/v1/elsewhere` }).end(),
      );
      const error = await failureOf(call(clientOf(service)));
      expect(error).toMatchObject({ status });
      expect(error.applied).toBe(call === read ? undefined : rejections.includes(status) ? "no" : "unknown");
      expect(error.message).not.toContain(other.url);
      expect(service.requests).toHaveLength(1);
    }
    expect(other.requests).toHaveLength(0);
  },
);

describe("a write is sent again, at most three times, when it was provably not applied:", () => {
  test("HTTP 429, then success", async () => {
    const service = await serveJson(update, 429, 429, 429, 201);
    await expect(skipWaits(clientOf(service), write)).resolves.toMatchObject({ id: "u1" });
    expect(service.requests).toHaveLength(4);
  });

  test("an unknown host name", async () => {
    // Longer than any name may be, so that no resolver is asked.
    const watched = clientOf({ url: `https://${"x".repeat(64)}.example` });
    const error = await failureOf(skipWaits(watched, write));
    expect(error.message).toMatch(/could not be reached at \S+ \((ENOTFOUND|EAI_AGAIN)\)/);
    expect(error.applied).toBe("no");
    expect(watched.events).toHaveLength(4);
  });

  test("a TLS handshake that fails or times out", async () => {
    let connections = 0;
    const service = await serveRaw((socket) => {
      connections += 1;
      if (connections === 1) socket.resetAndDestroy();
    });
    const watched = clientOf({ url: service.url.replace("http:", "https:") }, { timeoutMs: 5_000 });
    const call = failureOf(skipWaits(watched, write));
    for (const connection of [2, 3, 4]) {
      await until(() => connections === connection);
      await advance(5_000);
    }
    const error = await call;
    expect(error.name).toBe("TimeoutError");
    expect(error.message).toContain(", so nothing was sent");
    expect(error.applied).toBe("no");
    expect(watched.events.map(({ status }) => status)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("beforeSend", () => {
  test("runs before every attempt", async () => {
    const service = await serveJson(update, 429, 429, 201);
    const sentBefore: number[] = [];
    const beforeSend = async () => void sentBefore.push(await Promise.resolve(service.requests.length));
    await skipWaits(clientOf(service), ({ client }) =>
      client.createIncidentUpdate("i1", news, { beforeSend }),
    );
    expect(sentBefore).toEqual([0, 1, 2]);
  });

  test("rejects: nothing is sent, and the call rejects with its reason", async () => {
    const service = await serveJson(update);
    const reason = new Error("The engine is gone.");
    const beforeSend = () => Promise.reject(reason);
    const { client } = clientOf(service);
    await expect(client.createIncidentUpdate("i1", news, { beforeSend })).rejects.toBe(reason);
    expect(service.requests).toEqual([]);
  });

  test("never settles: deadline and other calls are not held up", async () => {
    const service = await serveJson(update);
    const { client } = clientOf(service, { maxConcurrency: 1 });
    const beforeSend = () => new Promise<void>(() => undefined);
    const stuck = failureOf(client.createIncidentUpdate("i1", news, { beforeSend, deadlineMs: 1_000 }));
    await advance(1_000);
    expect((await stuck).name).toBe("TimeoutError");
    await client.createIncidentUpdate("i1", news);
    expect(service.requests).toHaveLength(1);
  });
});
