/** Tests each kind of fault: what a client receives, which requests it affects, whether writes are applied, and what reads show. */
import { type FaultInput, type Sandbox, SandboxError, wellKnown } from "../../sandbox";
import { until } from "../client/services";
import {
  ask,
  created,
  failure,
  incidentId,
  latestId,
  news,
  post,
  read,
  updatesPath,
  withFault,
} from "./sandboxes";

const account = wellKnown.accounts.labs;
const list = "/v1/status-pages?limit=100";
const requests: Record<string, (sandbox: Sandbox) => Promise<Response>> = {
  read,
  post,
  list: (sandbox) => ask(sandbox, list),
  labs: (sandbox) => ask(sandbox, list, { account }),
  keyless: (sandbox) => ask(sandbox, list, { apiKey: null }),
};
const responses = async (sandbox: Sandbox, names: string) => {
  const statuses: unknown[] = [];
  for (const name of names.split(" ")) statuses.push((await requests[name]?.(sandbox))?.status);
  return statuses;
};
const unavailable = { kind: "status", code: 503 } as const;
const broken = { kind: "status", code: 500 } as const;
const delay = { kind: "latency", ms: 20 } as const;

test.each<[faults: FaultInput[], names: string, statuses: number[]]>([
  [[unavailable], "read read post", [503, 503, 503]],
  [[{ ...unavailable, operation: "createIncidentUpdate" }], "read post", [200, 503]],
  [[{ ...unavailable, account }], "list labs", [200, 503]],
  // A request without a key isn't affected, and isn't counted.
  [[{ ...unavailable, times: 1 }], "keyless list list", [401, 503, 200]],
  [[{ ...unavailable, skip: 1, times: 2 }], "read read read read read", [200, 503, 503, 200, 200]],
  // If several faults replace the response, the first one is used.
  [[{ ...unavailable, times: 1 }, broken], "read read", [503, 500]],
])("a fault %j makes the statuses of %s %j", async (faults, names, statuses) => {
  expect(await responses(await withFault(...faults), names)).toEqual(statuses);
});

test("delays are added, and the faults of each request are recorded", async () => {
  const sandbox = await withFault(delay, { ...unavailable, times: 1 }, delay);
  const start = performance.now();
  expect(await responses(sandbox, "read")).toEqual([503]);
  expect(performance.now() - start).toBeGreaterThanOrEqual(38);
  await read(sandbox);
  const kinds = sandbox.requests.map(({ faults }) => faults);
  expect(kinds).toEqual([
    ["latency", "status", "latency"],
    ["latency", "latency"],
  ]);
  expect(sandbox.faults.list().map(({ struck }) => struck)).toEqual([2, 1, 2]);
});

test("every error of an invalid fault is reported, and the fault has no effect", async () => {
  const { faults } = await withFault();
  const adding = () => faults.add({ kind: "status", code: 99, times: 0 });
  expect(adding).toThrow(SandboxError);
  expect(adding).toThrow(/\[0\]\.times: .*\n.*\[0\]\.code: /);
  expect(() => faults.add({ kind: "lateVisibility" })).toThrow("ms or reads is missing");
  expect(faults.list()).toEqual([]);
});

const inFront: FaultInput[] = [...(["reset", "answer"] as const).map((kind) => ({ kind })), unavailable];
const inResponse: FaultInput[] = [{ kind: "cut" }, { kind: "drip", bytes: 1000 }];
test.each([
  ...inFront.map((fault) => [fault, false] as const),
  ...[...inResponse, delay].map((fault) => [fault, true] as const),
  ...inFront.map((fault) => [{ ...fault, applied: true } as FaultInput, true] as const),
  ...inResponse.map((fault) => [{ ...fault, applied: false } as FaultInput, false] as const),
])("a write with %j is applied: %p", async (fault, applied) => {
  const sandbox = await withFault(fault);
  await failure(post(sandbox));
  expect(created(sandbox)).toBe(applied ? 1 : 0);
  expect(sandbox.requests).toMatchObject([{ applied, faults: [fault.kind] }]);
});

test("a write that the service rejects isn't applied, whatever the fault", async () => {
  const sandbox = await withFault({ kind: "reset", applied: true });
  expect(await failure(post(sandbox, { ...news, status: "CLOSED" }))).toBe("ECONNRESET");
  await failure(ask(sandbox, updatesPath, { json: news, apiKey: null }));
  expect([created(sandbox), sandbox.requests]).toMatchObject([0, [{ applied: false }]]);
});

const shows = async (sandbox: Sandbox, id = latestId(sandbox)) =>
  (await ask(sandbox, `${updatesPath}/${id}`)).status === 200;

test.each<[FaultInput & { kind: "lateVisibility" }, isCleared: boolean]>([
  [{ kind: "lateVisibility", reads: 4 }, false],
  [{ kind: "lateVisibility", ms: 600_000 }, true],
])(
  "reads show a write late with %j, but the page shows it at once, and its emails are sent",
  async (fault, isCleared) => {
    const sandbox = await withFault(fault);
    await post(sandbox, { ...news, notifySubscribers: true });
    const older = { lastUpdateStatus: "IDENTIFIED", incidentUpdates: [{}, {}] };
    expect(await (await read(sandbox)).json()).toMatchObject(older);
    expect(await (await ask(sandbox, list)).text()).not.toContain(latestId(sandbox));
    expect([await shows(sandbox), await shows(sandbox)]).toEqual([false, false]);
    expect(await (await ask(sandbox, "/")).text()).toContain(latestId(sandbox));
    expect(sandbox.emailsSent(latestId(sandbox))).toBeGreaterThan(0);
    if (isCleared) expect(await shows(sandbox)).toBe(false);
    if (isCleared) sandbox.faults.clear();
    expect(await shows(sandbox)).toBe(true);
    expect(await (await read(sandbox)).json()).toMatchObject({ lastUpdateStatus: "MONITORING" });
  },
);

const page = expect.stringMatching(/^<!doctype html>/);
const any = expect.any(String);
const down = { kind: "status", code: 502, message: "Down.", headers: { "x-via": "proxy" } } as const;
const via = { "x-via": "proxy" };
const error = '{"statusCode":502,"error":"Bad Gateway","message":"Down."}';
const headers = ["Content-Type: application/json", "Content-Type: text/plain", "Content-Length: 5"];
const hello = { kind: "answer", code: 299, headers, body: "hello" } as const;
const bytes = Buffer.from("1f8b08000000000000034bcc4d05009b0a3c0403000000", "hex");
const gzip = { kind: "answer", body: bytes.toString("base64"), encoding: "base64" } as const;

test.each<[FaultInput, typeof read, status: number, body: unknown, headers?: Record<string, unknown>]>([
  [{ ...down, body: "service" }, read, 502, error, via],
  [{ ...down, body: "html" }, read, 502, page, { "content-type": "text/html; charset=utf-8" }],
  [{ kind: "status", code: 429, headers: { "retry-after": "7" } }, read, 429, any, { "retry-after": "7" }],
  [hello, read, 299, "hello", { "content-type": "application/json, text/plain" }],
  [gzip, read, 200, bytes.toString("latin1")],
])("a client receives the requested response of %j", async (fault, request, status, body, expected = {}) => {
  const response = await request(await withFault(fault));
  const received = Buffer.from(await response.arrayBuffer()).toString("latin1");
  expect([response.status, received]).toEqual([status, body]);
  expect(Object.keys(expected).map((name) => response.headers.get(name))).toEqual(Object.values(expected));
});

/** Passes on each part of a body as it arrives. */
const receive = (response: Response, take: (part: Buffer) => void) =>
  response.body?.pipeTo(new WritableStream<Uint8Array>({ write: (part) => take(Buffer.from(part)) }));

test("a drip is the complete response, sent slowly and followed by white space", async () => {
  const sandbox = await withFault({ kind: "drip", bytes: 250, everyMs: 10, endless: true });
  const start = performance.now();
  const abort = new AbortController();
  let text = "";
  const all = receive(await read(sandbox, abort.signal), (part) => {
    text += part.toString();
    if (text.endsWith("   ")) abort.abort();
  });
  await expect(all).rejects.toThrow("aborted");
  expect(JSON.parse(text)).toEqual(sandbox.incident(incidentId));
  expect(performance.now() - start).toBeGreaterThanOrEqual(Math.floor(text.trim().length / 250) * 9);
});

test.each([undefined, 10])(
  "a cut ends a body after its first half, or after %s bytes",
  async (afterBytes) => {
    const response = await read(await withFault({ kind: "cut", afterBytes }));
    let received = 0;
    const all = receive(response, ({ length }) => (received += length));
    await expect(all).rejects.toThrow("terminated");
    expect(received).toBe(afterBytes ?? Math.floor(Number(response.headers.get("content-length")) / 2));
  },
);

test.each<[FaultInput, ended: string, before: string | null, applied: boolean]>([
  [{ kind: "hang" }, "hang", "hang", false],
  [{ kind: "hang", applied: true }, "hang", "hang", true],
  [{ kind: "latency", ms: 300 }, "client left", null, true],
])("%j sends nothing until the client leaves, then %s", async (fault, ended, before, applied) => {
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
