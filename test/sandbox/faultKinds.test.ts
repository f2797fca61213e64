/** What a client receives of each kind of fault. */
import { type FaultInput } from "../../sandbox";
import { created, failure, incidentId, news, post, read, until, withFault } from "./sandboxes";

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

test.each<[FaultInput, typeof read, status: number, body: unknown, headers?: Record<string, unknown>]>([
  [{ ...down, body: "service" }, read, 502, error, via],
  [{ ...down, body: "error" }, read, 502, '{"error":"Down."}', via],
  [{ ...down, body: "message" }, read, 502, '{"message":"Down.","errorCode":"E502"}', via],
  [{ ...down, body: "string" }, read, 502, '"Down."', via],
  [{ ...down, body: "html" }, read, 502, page, { "content-type": "text/html; charset=utf-8" }],
  [{ kind: "rateLimit" }, read, 429, any, { "retry-after": null }],
  [{ kind: "rateLimit", retryAfter: 7 }, read, 429, any, { "retry-after": "7" }],
  [{ kind: "rateLimit", retryAfter: 60, as: "date" }, read, 429, any, { "retry-after": date }],
  [{ kind: "redirect", location, code: 307 }, read, 307, any, { location }],
  [{ kind: "html" }, read, 200, page],
  [{ kind: "wrongJson" }, post, 201, '{"data":{"ok":true}}'],
  [{ kind: "empty" }, post, 201, "", { "content-length": "0" }],
  [hello, read, 299, "hello", { "content-type": "application/json, text/plain" }],
  [gzip, read, 200, bytes.toString("latin1")],
])("%j", async (fault, request, status, body, expected = {}) => {
  const response = await request(await withFault(fault));
  expect([response.status, Buffer.from(await response.arrayBuffer()).toString("latin1")]).toEqual([
    status,
    body,
  ]);
  expect(Object.keys(expected).map((name) => response.headers.get(name))).toEqual(Object.values(expected));
});

test("quota: 429 with the time to wait after a number of requests", async () => {
  const sandbox = await withFault({ kind: "quota", requests: 3, perSeconds: 60 });
  const waits: number[] = [];
  for (let turn = 0; turn < 5; turn++) waits.push(Number((await read(sandbox)).headers.get("retry-after")));
  expect(waits.map((seconds) => seconds > 50 && seconds <= 60)).toEqual([false, false, false, true, true]);
  const [good, limited] = [
    { status: 200, faults: [] },
    { status: 429, faults: ["quota"] },
  ];
  expect(sandbox.requests).toMatchObject([good, good, good, limited, limited]);
});

/** Hands over each part of a body as it arrives. */
const receive = (response: Response, take: (part: Buffer) => void) =>
  response.body?.pipeTo(new WritableStream<Uint8Array>({ write: (part) => take(Buffer.from(part)) }));

test.each([false, true])("drip: the complete response, slowly, and then white space: %p", async (endless) => {
  const sandbox = await withFault({ kind: "drip", bytes: 250, everyMs: 10, endless });
  const start = performance.now();
  const abort = new AbortController();
  let text = "";
  const all = receive(await read(sandbox, abort.signal), (part) => {
    text += part.toString();
    if (text.endsWith("   ")) abort.abort();
  });
  await (endless ? expect(all).rejects.toThrow("aborted") : all);
  expect(JSON.parse(text)).toEqual(sandbox.incident(incidentId));
  expect(performance.now() - start).toBeGreaterThanOrEqual(Math.floor(text.trim().length / 250) * 9);
});

test.each([undefined, 0, 10])("cut: after half of the body, or after %s bytes", async (afterBytes) => {
  const sandbox = await withFault({ kind: "cut", afterBytes });
  const response = await read(sandbox);
  let received = 0;
  const all = receive(response, ({ length }) => (received += length));
  await expect(all).rejects.toThrow("terminated");
  expect(received).toBe(afterBytes ?? Math.floor(Number(response.headers.get("content-length")) / 2));
  expect(sandbox.requests).toMatchObject([{ status: 200, ended: "cut" }]);
});

test("reset: no response", async () => {
  const sandbox = await withFault({ kind: "reset" });
  expect(await failure(read(sandbox))).toBe("ECONNRESET");
  expect(sandbox.requests).toMatchObject([{ status: null, ended: "reset" }]);
});

test.each<[FaultInput, ended: string, before: string | null, applied: boolean]>([
  [{ kind: "hang" }, "hang", "hang", false],
  [{ kind: "hang", applied: true }, "hang", "hang", true],
  [{ kind: "latency", ms: 300 }, "client left", null, true],
])("%j: no response until the client disconnects, then %s", async (fault, ended, before, applied) => {
  const sandbox = await withFault(fault);
  const entry = () => sandbox.requests[0];
  const abort = new AbortController();
  const response = expect(post(sandbox, news, abort.signal)).rejects.toThrow("aborted");
  await until(() => entry()?.faults.length === 1 && entry()?.ended === before);
  abort.abort();
  await response;
  await until(() => entry()?.ended === ended && entry()?.applied === applied);
  expect([entry()?.status, created(sandbox)]).toEqual([null, applied ? 1 : 0]);
});
