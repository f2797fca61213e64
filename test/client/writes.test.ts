/** A write is sent once, unless it was provably not applied. */
import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  news,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
  type Watched,
} from "./services";
import { serveTls, trustTestCertificate } from "./tls";

const write = ({ client }: Watched) => client.createIncidentUpdate("i1", news);

describe("sent once, and the result is unknown, after", () => {
  const responses: Record<string, string> = {
    "408": "HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\n\r\n",
    "500": "HTTP/1.1 500 Failed\r\nContent-Length: 0\r\n\r\n",
    "502 with a page": "HTTP/1.1 502 Bad\r\nContent-Length: 6\r\n\r\n<html>",
    "503 with Retry-After": "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    "504 with a truncated body": "HTTP/1.1 504 Slow\r\nContent-Length: 99\r\n\r\nxx",
    "HTTP 99": "HTTP/1.1 099 What\r\nContent-Length: 0\r\n\r\n",
    "HTTP 799": "HTTP/1.1 799 What\r\nContent-Length: 0\r\n\r\n",
    "201 without an id": 'HTTP/1.1 201 Created\r\nContent-Length: 19\r\n\r\n{"description":"x"}',
    "201 with null": "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nnull",
    "201 with a truncated body of no length": 'HTTP/1.1 201 Created\r\n\r\n{"id": "u1"',
    "incomplete headers": "HTTP/1.1 201 Cre",
  };

  test.each(Object.entries(responses))("%s", async (_, response) => {
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

  test("a response larger than 5 MiB", async () => {
    const service = await serve((response) =>
      response.writeHead(201).end(`"${"x".repeat(6 * 1024 * 1024)}"`),
    );
    expect((await failureOf(write(clientOf(service)))).name).toBe("OutcomeUnknownError");
    expect(service.requests).toHaveLength(1);
  });

  test("a cancellation during the request", async () => {
    const service = await serveRaw(() => undefined);
    const cancel = new AbortController();
    const call = failureOf(
      clientOf(service).client.createIncidentUpdate("i1", news, { signal: cancel.signal }),
    );
    await until(() => service.requests.length === 1);
    cancel.abort(new Error("enough"));
    expect((await call).name).toBe("OutcomeUnknownError");
    await until(() => service.connections.size === 0);
  });
});

describe("fails at once, and is not sent again, after", () => {
  test.each([300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 409, 413, 415, 418, 422, 451])(
    "HTTP %i",
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
});

describe("sent again, at most three times, when it was provably not applied:", () => {
  test("HTTP 429, then success", async () => {
    const service = await serve((response, _, turn) => send(response, update, turn < 4 ? 429 : 201));
    const watched = clientOf(service);
    await expect(skipWaits(write(watched), watched.events)).resolves.toMatchObject({ id: "u1" });
    expect(service.requests).toHaveLength(4);
  });

  test("HTTP 429 each time", async () => {
    const service = await serveJson({}, 429);
    const watched = clientOf(service);
    expect((await failureOf(skipWaits(write(watched), watched.events))).name).toBe("RateLimitError");
    expect(service.requests).toHaveLength(4);
  });

  test("an unknown host name", async () => {
    // Longer than any name may be, so that no resolver is asked.
    const watched = clientOf({ url: `https://${"x".repeat(64)}.example` });
    const error = await failureOf(skipWaits(write(watched), watched.events));
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
    const call = failureOf(skipWaits(write(watched), watched.events));
    for (const connection of [2, 3, 4]) {
      await until(() => connections === connection);
      await advance(5_000);
    }
    const error = await call;
    expect(error.name).toBe("TimeoutError");
    expect(error.message).toContain("timed out connecting, so nothing was sent");
    expect(watched.events.map(({ status }) => status)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("but not after the TLS handshake", async () => {
    trustTestCertificate();
    const service = await serveTls((response) => response.socket?.destroy());
    expect((await failureOf(write(clientOf(service)))).name).toBe("OutcomeUnknownError");
    expect(service.requests).toHaveLength(1);
  });
});

test("each write has its own connection, reads keep theirs", async () => {
  const service = await serveJson(update);
  const { client } = clientOf(service);
  const closing: (string | undefined)[] = [];
  for (let turn = 0; turn < 2; turn++) {
    await client.getIncidentUpdate("i1", "u1");
    await client.createIncidentUpdate("i1", news);
  }
  for (const { headers } of service.requests) closing.push(headers.connection);
  expect(closing).toEqual(["keep-alive", "close", "keep-alive", "close"]);
  expect(service.connections.size).toBeLessThanOrEqual(2);
});

describe("beforeSend", () => {
  test("runs before every attempt", async () => {
    const service = await serve((response, _, turn) => send(response, update, turn < 3 ? 429 : 201));
    const watched = clientOf(service);
    const sentBefore: number[] = [];
    const beforeSend = async () => void sentBefore.push(await Promise.resolve(service.requests.length));
    await skipWaits(watched.client.createIncidentUpdate("i1", news, { beforeSend }), watched.events);
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

test("a public date with an offset is sent as UTC, the only form that every deployment accepts", async () => {
  const service = await serveJson(update, 201);
  const publicIncidentUpdateDate = "2026-01-31T11:30:00+02:00";
  await clientOf(service).client.createIncidentUpdate("i1", { ...news, publicIncidentUpdateDate });
  expect(JSON.parse(service.requests[0]?.body ?? "")).toMatchObject({
    publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z",
  });
});
