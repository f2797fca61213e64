/** Which requests a fault affects, whether writes are applied, and what reads show. */
import { type FaultInput, type Sandbox, SandboxError, wellKnown } from "../../sandbox";
import {
  ask,
  created,
  failure,
  latestId,
  news,
  post,
  read,
  updatesOf,
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
const delay = { kind: "latency", ms: 20 } as const;

test.each<[faults: FaultInput[], names: string, statuses: number[]]>([
  [[unavailable], "read read post", [503, 503, 503]],
  [[{ ...unavailable, operation: "createIncidentUpdate" }], "read post", [200, 503]],
  [[{ ...unavailable, account }], "list labs", [200, 503]],
  // A request without a key doesn't count.
  [[{ ...unavailable, times: 1 }], "keyless list list", [401, 503, 200]],
  [[{ ...unavailable, skip: 1, times: 2 }], "read read read read read", [200, 503, 503, 200, 200]],
  // The first one that replaces the response wins.
  [
    [
      { ...unavailable, times: 1 },
      { kind: "status", code: 500 },
    ],
    "read read",
    [503, 500],
  ],
])("with %j the statuses of %s are %j", async (faults, names, statuses) => {
  expect(await responses(await withFault(...faults), names)).toEqual(statuses);
});

test("a probability affects some requests, the same for a seed", async () => {
  const reads = "read ".repeat(100).trim();
  const draw = async (seed: number) =>
    responses(await withFault({ ...unavailable, probability: 0.3, seed }), reads);
  const [one, again, other] = [await draw(1), await draw(1), await draw(2)];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  const struck = one.filter((status) => status === 503).length;
  expect([struck > 15, struck < 45]).toEqual([true, true]);
});

test("delays add up, and what affected each request is recorded", async () => {
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

test("every mistake of an invalid fault is reported, and it affects nothing", async () => {
  const { faults } = await withFault();
  const adding = () => faults.add({ kind: "status", code: 99, times: 0 });
  expect(adding).toThrow(SandboxError);
  expect(adding).toThrow(/\[0\]\.times: .*\n.*\[0\]\.code: /);
  expect(() => faults.add({ kind: "lateVisibility" })).toThrow("ms or reads is missing");
  expect(faults.list()).toEqual([]);
});

const inFront: FaultInput[] = [
  ...(["html", "reset", "answer"] as const).map((kind) => ({ kind })),
  ...[unavailable, { kind: "redirect", location: "https://elsewhere.example/" } as const],
];
const inResponse: FaultInput[] = [
  ...(["wrongJson", "empty", "cut"] as const).map((kind) => ({ kind })),
  { kind: "drip", bytes: 1000 },
];
test.each([
  ...[...inFront, { kind: "rateLimit" } as const].map((fault) => [fault, false] as const),
  ...[...inResponse, delay].map((fault) => [fault, true] as const),
  ...inFront.map((fault) => [{ ...fault, applied: true } as FaultInput, true] as const),
  ...inResponse.map((fault) => [{ ...fault, applied: false } as FaultInput, false] as const),
])("a write with %j is applied: %p", async (fault, applied) => {
  const sandbox = await withFault(fault);
  await failure(post(sandbox));
  expect(created(sandbox)).toBe(applied ? 1 : 0);
  expect(sandbox.requests).toMatchObject([{ applied, faults: [fault.kind] }]);
});

test("a write that the service rejects is not applied, whatever the fault", async () => {
  const sandbox = await withFault({ kind: "reset", applied: true });
  await failure(post(sandbox, { ...news, status: "CLOSED" }));
  await failure(ask(sandbox, updatesPath, { json: news, apiKey: null }));
  expect([created(sandbox), sandbox.requests]).toMatchObject([0, [{ applied: false }]]);
});

const shows = async (sandbox: Sandbox, id = latestId(sandbox)) =>
  (await ask(sandbox, `${updatesPath}/${id}`)).status === 200;

test.each<[FaultInput & { kind: "lateVisibility" }, isCleared: boolean]>([
  [{ kind: "lateVisibility", reads: 4 }, false],
  [{ kind: "lateVisibility", ms: 600_000 }, true],
])(
  "reads show a write late with %j, but it is on the page, and its emails are sent",
  async (fault, isCleared) => {
    const sandbox = await withFault(fault);
    await post(sandbox, { ...news, notifySubscribers: true });
    const older = { lastUpdateStatus: "IDENTIFIED", incidentUpdates: [{}, {}] };
    expect(await (await read(sandbox)).json()).toMatchObject(older);
    expect(await (await ask(sandbox, list)).text()).not.toContain(latestId(sandbox));
    expect([await shows(sandbox), await shows(sandbox)]).toEqual([false, false]);
    expect(await (await ask(sandbox, "/")).text()).toContain(latestId(sandbox));
    expect(sandbox.mailed(latestId(sandbox))).toBeGreaterThan(0);
    if (isCleared) expect(await shows(sandbox)).toBe(false);
    if (isCleared) sandbox.faults.clear();
    expect(await shows(sandbox)).toBe(true);
    expect(await (await read(sandbox)).json()).toMatchObject({ lastUpdateStatus: "MONITORING" });
  },
);

test("reads show only the latest updates, of which one may be there twice", async () => {
  const sandbox = await withFault({ kind: "repeatedUpdate" });
  const [newest, oldest] = updatesOf(sandbox);
  expect(await (await read(sandbox)).json()).toMatchObject({ incidentUpdates: [newest, newest, oldest] });
  sandbox.faults.add({ kind: "cutHistory", latest: 2 });
  expect(await (await read(sandbox)).json()).toMatchObject({ incidentUpdates: [newest, newest] });
  expect(await shows(sandbox, oldest?.id)).toBe(true);
});
