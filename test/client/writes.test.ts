/** A write is sent once, unless it was provably not applied. */
import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  news,
  rawResponse,
  serveJson,
  serveRaw,
  serve,
  until,
  update,
  write,
} from "./services";
import { serveTls, trustTestCertificate } from "./tls";

describe("sent once, and the result is unknown, after", () => {
  // brokenResponses.test.ts has more: every response that can't be read.
  test.each([
    ["HTTP 99", rawResponse("099")],
    ...[408, 500, 799].map((status) => [`HTTP ${status}`, rawResponse(status)]),
    ["HTTP 502 with a page", rawResponse(502, "<html>")],
    ["HTTP 503 with Retry-After", rawResponse(503, "", "Retry-After: 1")],
    ["HTTP 504 with a truncated body", "HTTP/1.1 504 Slow\r\nContent-Length: 99\r\n\r\nxx"],
    ["HTTP 201 without an id", rawResponse(201, '{"description":"x"}')],
    ["HTTP 201 with null", rawResponse(201, "null")],
    ["HTTP 201 with a truncated body of no length", 'HTTP/1.1 201 Created\r\n\r\n{"id": "u1"'],
    ["incomplete headers", "HTTP/1.1 201 Cre"],
  ])("%s", async (_, response = "") => {
    const service = await serveRaw((socket) => socket.end(response));
    const watched = clientOf(service);
    const error = await failureOf(write(watched));
    expect(error.name).toBe("OutcomeUnknownError");
    expect(error.message).toMatch(
      /^createIncidentUpdate i1: sent once, and the service .* It was not sent again\. Read the incident/,
    );
    expect(service.requests).toHaveLength(1);
    expect(watched.events).toHaveLength(1);
    expect(watched.events[0]).not.toHaveProperty("waitMs");
  });

  test("an attempt that timed out", async () => {
    const service = await serveRaw(() => undefined);
    const call = failureOf(write(clientOf(service, { timeoutMs: 5_000 })));
    await until(() => service.requests.length === 1);
    await advance(5_000);
    expect((await call).name).toBe("OutcomeUnknownError");
    await advance(60_000);
    expect(service.requests).toHaveLength(1);
  });

  test("a cancellation during the request", async () => {
    const service = await serveRaw(() => undefined);
    const cancel = new AbortController();
    const call = failureOf(write(clientOf(service, { signal: cancel.signal })));
    await until(() => service.requests.length === 1);
    cancel.abort(new Error("enough"));
    expect((await call).name).toBe("OutcomeUnknownError");
    await until(() => service.connections.size === 0);
  });

  test("a connection that is lost after the TLS handshake", async () => {
    trustTestCertificate();
    const service = await serveTls((response) => response.socket?.destroy());
    expect((await failureOf(write(clientOf(service)))).name).toBe("OutcomeUnknownError");
    expect(service.requests).toHaveLength(1);
  });
});

test.each([300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 409, 413, 415, 418, 422, 451])(
  "fails at once, and is not sent again, after HTTP %i",
  async (status) => {
    const other = await serveJson(update);
    const service = await serve((response) =>
      response.writeHead(status, { location: `${other.url}/v1/elsewhere` }).end(),
    );
    const error = await failureOf(write(clientOf(service)));
    expect(error).toMatchObject({ status, operation: "createIncidentUpdate" });
    expect(service.requests).toHaveLength(1);
    expect(other.requests).toHaveLength(0);
  },
);

describe("sent again, at most three times, when it was provably not applied:", () => {
  test("HTTP 429, then success", async () => {
    const service = await serveJson(update, 429, 429, 429, 201);
    await expect(skipWaits(clientOf(service), write)).resolves.toMatchObject({ id: "u1" });
    expect(service.requests).toHaveLength(4);
  });

  test("HTTP 429 each time", async () => {
    const service = await serveJson({}, 429);
    expect((await failureOf(skipWaits(clientOf(service), write))).name).toBe("RateLimitError");
    expect(service.requests).toHaveLength(4);
  });

  test("an unknown host name", async () => {
    // Longer than any name may be, so that no resolver is asked.
    const watched = clientOf({ url: `https://${"x".repeat(64)}.example` });
    const error = await failureOf(skipWaits(watched, write));
    expect(error.message).toMatch(/could not be reached \((ENOTFOUND|EAI_AGAIN)\)/);
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
    expect(error.message).toContain("timed out connecting, so nothing was sent");
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
