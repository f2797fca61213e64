import {
  ask,
  created,
  failure,
  incidentId,
  incidentPath,
  news,
  post,
  read,
  until,
  updatesPath,
  withFault,
} from "./sandboxes";

describe("faults in the response", () => {
  test.each<["service" | "error" | "message" | "string" | "html", string]>([
    ["service", '{"statusCode":502,"error":"Bad Gateway","message":"Down."}'],
    ["error", '{"error":"Down."}'],
    ["message", '{"message":"Down.","errorCode":"E502"}'],
    ["string", '"Down."'],
  ])("status: an error in the format %s", async (body, text) => {
    const sandbox = await withFault({
      kind: "status",
      code: 502,
      body,
      message: "Down.",
      headers: { "x-via": "proxy" },
    });
    const response = await read(sandbox);
    expect([response.status, await response.text()]).toEqual([502, text]);
    expect(response.headers.get("x-via")).toBe("proxy");
  });

  test("status: an error as a page of a proxy", async () => {
    const response = await read(await withFault({ kind: "status", code: 502, body: "html" }));
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  test.each<[object, RegExp | null]>([
    [{}, null],
    [{ retryAfter: 7 }, /^7$/],
    [{ retryAfter: 60, as: "date" }, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/],
  ])("rateLimit: 429 with %j", async (how, retryAfter) => {
    const response = await read(await withFault({ kind: "rateLimit", ...how }));
    expect(response.status).toBe(429);
    const header = response.headers.get("retry-after");
    if (retryAfter === null) expect(header).toBeNull();
    else expect(header).toMatch(retryAfter);
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

  test("quota: requests succeed again after the period", async () => {
    const sandbox = await withFault({ kind: "quota", requests: 1, perSeconds: 0.05 });
    expect((await read(sandbox)).status).toBe(200);
    let status = 429;
    while (status === 429) ({ status } = await read(sandbox));
    expect(status).toBe(200);
  });

  test("redirect: a location", async () => {
    const location = "https://elsewhere.example/v1";
    const response = await read(await withFault({ kind: "redirect", location, code: 307 }));
    expect([response.status, response.headers.get("location")]).toEqual([307, location]);
  });

  test("html: success with a page", async () => {
    const response = await read(await withFault({ kind: "html" }));
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  test("wrongJson: another structure, or invalid JSON", async () => {
    const shape = await post(await withFault({ kind: "wrongJson" }));
    expect([shape.status, await shape.json()]).toEqual([201, { data: { ok: true } }]);
    const syntax = await post(await withFault({ kind: "wrongJson", wrong: "syntax" }));
    await expect(syntax.json()).rejects.toThrow("JSON");
  });

  test("empty: success without a body", async () => {
    const response = await post(await withFault({ kind: "empty" }));
    expect([response.status, await response.text(), response.headers.get("content-length")]).toEqual([
      201,
      "",
      "0",
    ]);
  });

  test("answer: exactly these bytes", async () => {
    const gzip = Buffer.from("1f8b08000000000000034bcc4d05009b0a3c0403000000", "hex").toString("base64");
    const headers = ["Content-Type: application/json", "Content-Type: text/plain", "Content-Length: 5"];
    const plain = await read(await withFault({ kind: "answer", code: 299, headers, body: "hello" }));
    expect([plain.status, plain.headers.get("content-type"), await plain.text()]).toEqual([
      299,
      "application/json, text/plain",
      "hello",
    ]);
    const binary = await read(await withFault({ kind: "answer", body: gzip, encoding: "base64" }));
    expect(Buffer.from(await binary.arrayBuffer()).toString("base64")).toBe(gzip);
  });
});

describe("faults in the connection", () => {
  test("latency: the same response, later", async () => {
    const sandbox = await withFault({ kind: "latency", ms: 40 });
    const start = performance.now();
    expect((await read(sandbox)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(39);
  });

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
    const all = receive(await ask(sandbox, incidentPath, { signal: abort.signal }), (part) => {
      text += part.toString();
      if (text.endsWith("   ")) abort.abort();
    });
    await expect(all).rejects.toThrow("aborted");
    expect(JSON.parse(text)).toEqual(sandbox.incident(incidentId));
  });

  test.each([undefined, 0, 10])(
    "cut: the body ends after half of it, or after a number of bytes: %s",
    async (afterBytes) => {
      const sandbox = await withFault({ kind: "cut", afterBytes });
      const response = await read(sandbox);
      const length = Number(response.headers.get("content-length"));
      let received = 0;
      const all = receive(response, ({ length: bytes }) => (received += bytes));
      await expect(all).rejects.toThrow("terminated");
      expect(received).toBe(afterBytes ?? Math.floor(length / 2));
      expect(sandbox.requests).toMatchObject([{ status: 200, ended: "cut" }]);
    },
  );

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
      const response = expect(
        ask(sandbox, updatesPath, { json: news, signal: abort.signal }),
      ).rejects.toThrow("aborted");
      await until(() => sandbox.requests[0]?.ended === "hang");
      abort.abort();
      await response;
      expect(sandbox.requests).toMatchObject([{ status: null, ended: "hang", applied }]);
      expect(created(sandbox)).toBe(applied ? 1 : 0);
    },
  );

  test("a client that disconnects early is recorded, and its write is applied", async () => {
    const sandbox = await withFault({ kind: "latency", ms: 30 });
    const abort = new AbortController();
    const response = expect(ask(sandbox, updatesPath, { json: news, signal: abort.signal })).rejects.toThrow(
      "aborted",
    );
    await until(() => sandbox.requests[0]?.faults.includes("latency") ?? false);
    abort.abort();
    await response;
    await until(() => sandbox.requests[0]?.applied ?? false);
    expect(sandbox.requests).toMatchObject([{ status: null, ended: "client left" }]);
    expect(created(sandbox)).toBe(1);
  });
});
