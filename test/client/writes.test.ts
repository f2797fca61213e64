/** A write is on the wire once, unless it provably did nothing. */
import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  news,
  nobodyListens,
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

describe("with no way to know, it is sent once and the outcome is unknown", () => {
  const answers: Record<string, string> = {
    "408": "HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\n\r\n",
    "500": "HTTP/1.1 500 Failed\r\nContent-Length: 0\r\n\r\n",
    "502 with a page": "HTTP/1.1 502 Bad\r\nContent-Length: 6\r\n\r\n<html>",
    "503 that says when to come back": "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    "504 that is cut": "HTTP/1.1 504 Slow\r\nContent-Length: 99\r\n\r\nxx",
    "a status below all": "HTTP/1.1 099 What\r\nContent-Length: 0\r\n\r\n",
    "a status of its own making": "HTTP/1.1 799 What\r\nContent-Length: 0\r\n\r\n",
    "201 with an empty body": "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
    "204": "HTTP/1.1 204 No Content\r\n\r\n",
    "201 with a cut body": 'HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{"id": "u1"',
    "201 with a body of no length that stops short": 'HTTP/1.1 201 Created\r\n\r\n{"id": "u1"',
    "201 with a page": "HTTP/1.1 201 Created\r\nContent-Length: 6\r\n\r\n<html>",
    "201 without an id": 'HTTP/1.1 201 Created\r\nContent-Length: 19\r\n\r\n{"description":"x"}',
    "201 with null": "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nnull",
    "200 in an encoding that it is not":
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    "what isn't HTTP": "SSH-2.0-OpenSSH_9.6\r\n",
    "half a head": "HTTP/1.1 201 Cre",
    nothing: "",
  };

  test.each(Object.entries(answers))("%s", async (_, answer) => {
    const service = await serveRaw((socket) => socket.end(answer));
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

  test("a reset after it was sent", async () => {
    const service = await serveRaw((socket) => socket.resetAndDestroy());
    expect((await failureOf(write(clientOf(service)))).message).toContain(
      "closed the connection (ECONNRESET)",
    );
    expect(service.requests).toHaveLength(1);
  });

  test("no answer until the attempt's time is up", async () => {
    const service = await serveRaw(() => undefined);
    const call = failureOf(write(clientOf(service, { timeoutMs: 5_000 })));
    await until(() => service.requests.length === 1);
    await advance(5_000);
    expect((await call).name).toBe("OutcomeUnknownError");
    await advance(60_000);
    expect(service.requests).toHaveLength(1);
  });

  test("an answer that is larger than 5 MiB", async () => {
    const service = await serve((response) =>
      response.writeHead(201).end(`"${"x".repeat(6 * 1024 * 1024)}"`),
    );
    expect((await failureOf(write(clientOf(service)))).name).toBe("OutcomeUnknownError");
    expect(service.requests).toHaveLength(1);
  });

  test("the caller cancels while it is under way", async () => {
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

describe("with a clear no, it fails at once and is not sent again", () => {
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

describe("what provably did nothing is sent again, three times more", () => {
  test("turned away by 429, then accepted", async () => {
    const service = await serve((response, _, turn) => send(response, update, turn < 4 ? 429 : 201));
    const watched = clientOf(service);
    await expect(skipWaits(write(watched), watched.events)).resolves.toMatchObject({ id: "u1" });
    expect(service.requests).toHaveLength(4);
  });

  test("429 for ever is a RateLimitError", async () => {
    const service = await serveJson({}, 429);
    const watched = clientOf(service);
    expect((await failureOf(skipWaits(write(watched), watched.events))).name).toBe("RateLimitError");
    expect(service.requests).toHaveLength(4);
  });

  test("nobody listens", async () => {
    const watched = clientOf({ url: nobodyListens });
    const error = await failureOf(skipWaits(write(watched), watched.events));
    expect(error.name).toBe("ConnectionError");
    expect(error.message).toContain("could not be reached (ECONNREFUSED)");
    expect(watched.events).toHaveLength(4);
  });

  test("the host's name is not known", async () => {
    // Longer than any name may be, so that no resolver is asked.
    const watched = clientOf({ url: `https://${"x".repeat(64)}.example` });
    const error = await failureOf(skipWaits(write(watched), watched.events));
    expect(error.message).toMatch(/could not be reached \((ENOTFOUND|EAI_AGAIN)\)/);
    expect(watched.events).toHaveLength(4);
  });

  test("the certificate is not trusted", async () => {
    const service = await serveTls((response) => send(response, update, 201));
    const watched = clientOf(service);
    const error = await failureOf(skipWaits(write(watched), watched.events));
    expect(error.message).toContain("could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT)");
    expect(watched.events).toHaveLength(4);
    expect(service.requests).toEqual([]);
  });

  test("the connection is made and then no TLS comes of it, in time or at all", async () => {
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

  test("over TLS, what comes after the handshake counts as sent", async () => {
    trustTestCertificate();
    const service = await serveTls((response) => response.socket?.destroy());
    expect((await failureOf(write(clientOf(service)))).name).toBe("OutcomeUnknownError");
    expect(service.requests).toHaveLength(1);
  });
});

test("each write has a connection of its own, reads keep theirs", async () => {
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

describe("what is to be done before each sending", () => {
  test("is done before every attempt", async () => {
    const service = await serve((response, _, turn) => send(response, update, turn < 3 ? 429 : 201));
    const watched = clientOf(service);
    const sentBefore: number[] = [];
    const beforeSend = async () => void sentBefore.push(await Promise.resolve(service.requests.length));
    await skipWaits(watched.client.createIncidentUpdate("i1", news, { beforeSend }), watched.events);
    expect(sentBefore).toEqual([0, 1, 2]);
  });

  test("stops the sending with its own reason when it rejects", async () => {
    const service = await serveJson(update);
    const reason = new Error("The engine is gone.");
    const beforeSend = () => Promise.reject(reason);
    const { client } = clientOf(service);
    await expect(client.createIncidentUpdate("i1", news, { beforeSend })).rejects.toBe(reason);
    expect(service.requests).toEqual([]);
  });

  test("holds neither the deadline nor others up when it never ends", async () => {
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
