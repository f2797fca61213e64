import { type FaultInput } from "../../sandbox";
import { created, failure, incidentId, news, post, read, until, withFault } from "./sandboxes";

describe("faults in the response", () => {
  const page = expect.stringMatching(/^<!doctype html>/);
  const any = expect.any(String);
  const date = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  const down = { kind: "status", code: 502, message: "Down.", headers: { "x-via": "proxy" } } as const;
  const via = { "x-via": "proxy" };
  const error = '{"statusCode":502,"error":"Bad Gateway","message":"Down."}';
  const location = "https://elsewhere.example/v1";
  const headers = ["Content-Type: application/json", "Content-Type: text/plain", "Content-Length: 5"];
  const hello = { kind: "answer", code: 299, headers, body: "hello" } as const;
  const bytes = Buffer.from("1f8b08000000000000034bcc4d05009b0a3c0403000000", "hex");
  const gzip = { kind: "answer", body: bytes.toString("base64"), encoding: "base64" } as const;

  test.each<[FaultInput, typeof read, status: number, body: unknown, headers: Record<string, unknown>]>([
    [{ ...down, body: "service" }, read, 502, error, via],
    [{ ...down, body: "error" }, read, 502, '{"error":"Down."}', via],
    [{ ...down, body: "message" }, read, 502, '{"message":"Down.","errorCode":"E502"}', via],
    [{ ...down, body: "string" }, read, 502, '"Down."', via],
    [{ ...down, body: "html" }, read, 502, page, { "content-type": "text/html; charset=utf-8" }],
    [{ kind: "rateLimit" }, read, 429, any, { "retry-after": null }],
    [{ kind: "rateLimit", retryAfter: 7 }, read, 429, any, { "retry-after": "7" }],
    [{ kind: "rateLimit", retryAfter: 60, as: "date" }, read, 429, any, { "retry-after": date }],
    [{ kind: "redirect", location, code: 307 }, read, 307, any, { location }],
    [{ kind: "html" }, read, 200, page, {}],
    [{ kind: "wrongJson" }, post, 201, '{"data":{"ok":true}}', {}],
    [{ kind: "empty" }, post, 201, "", { "content-length": "0" }],
    [hello, read, 299, "hello", { "content-type": "application/json, text/plain" }],
    [gzip, read, 200, bytes.toString("latin1"), {}],
  ])("%j", async (fault, request, status, body, expectedHeaders) => {
    const response = await request(await withFault(fault));
    const names = Object.keys(expectedHeaders);
    expect({
      status: response.status,
      body: Buffer.from(await response.arrayBuffer()).toString("latin1"),
      headers: Object.fromEntries(names.map((name) => [name, response.headers.get(name)])),
    }).toEqual({ status, body, headers: expectedHeaders });
  });

  test("quota: 429 with the time to wait after a number of requests", async () => {
    const sandbox = await withFault({ kind: "quota", requests: 3, perSeconds: 60 });
    const responses = [];
    for (let turn = 0; turn < 5; turn += 1) responses.push(await read(sandbox));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    const seconds = Number(responses[4]?.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(sandbox.requests.at(-1)).toMatchObject({ status: 429, faults: ["quota"] });
    expect(sandbox.requests[0]).toMatchObject({ faults: [] });
  });
});

describe("faults in the connection", () => {
  /** Hands over each part of a body as it arrives. */
  const receive = (response: Response, take: (part: Buffer) => void) =>
    response.body?.pipeTo(new WritableStream<Uint8Array>({ write: (part) => take(Buffer.from(part)) }));

  test("drip: the complete response, slowly", async () => {
    const sandbox = await withFault({ kind: "drip", bytes: 250, everyMs: 10 });
    const start = performance.now();
    const text = await (await read(sandbox)).text();
    expect(JSON.parse(text)).toEqual(sandbox.incident(incidentId));
    expect(performance.now() - start).toBeGreaterThanOrEqual(Math.floor(text.length / 250) * 9);
  });

  test("drip: an endless one continues after the last byte", async () => {
    const sandbox = await withFault({ kind: "drip", bytes: 4000, everyMs: 1, endless: true });
    const abort = new AbortController();
    let text = "";
    const all = receive(await read(sandbox, abort.signal), (part) => {
      text += part.toString();
      if (text.endsWith("   ")) abort.abort();
    });
    await expect(all).rejects.toThrow("aborted");
    expect(JSON.parse(text)).toEqual(sandbox.incident(incidentId));
  });

  test.each([undefined, 0, 10])("cut: after half of the body, or after %s bytes", async (afterBytes) => {
    const sandbox = await withFault({ kind: "cut", afterBytes });
    const response = await read(sandbox);
    const length = Number(response.headers.get("content-length"));
    let received = 0;
    const all = receive(response, ({ length: bytes }) => (received += bytes));
    await expect(all).rejects.toThrow("terminated");
    expect(received).toBe(afterBytes ?? Math.floor(length / 2));
    expect(sandbox.requests).toMatchObject([{ status: 200, ended: "cut" }]);
  });

  test("reset: no response", async () => {
    const sandbox = await withFault({ kind: "reset" });
    expect(await failure(read(sandbox))).toBe("ECONNRESET");
    expect(sandbox.requests).toMatchObject([{ status: null, ended: "reset" }]);
  });

  test.each([false, true])(
    "hang: no response until the client disconnects (applied: %s)",
    async (applied) => {
      const sandbox = await withFault({ kind: "hang", applied });
      const abort = new AbortController();
      const response = expect(post(sandbox, news, abort.signal)).rejects.toThrow("aborted");
      await until(() => sandbox.requests[0]?.ended === "hang");
      abort.abort();
      await response;
      expect(sandbox.requests).toMatchObject([{ status: null, ended: "hang", applied }]);
      expect(created(sandbox)).toBe(applied ? 1 : 0);
    },
  );

  test("a client that disconnects early is recorded, and its write is applied", async () => {
    const sandbox = await withFault({ kind: "latency", ms: 300 });
    const abort = new AbortController();
    const response = expect(post(sandbox, news, abort.signal)).rejects.toThrow("aborted");
    await until(() => sandbox.requests[0]?.faults.includes("latency") ?? false);
    abort.abort();
    await response;
    await until(() => sandbox.requests[0]?.applied ?? false);
    expect(sandbox.requests).toMatchObject([{ status: null, ended: "client left" }]);
    expect(created(sandbox)).toBe(1);
  });
});
