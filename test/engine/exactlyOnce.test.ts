import { type FaultInput, type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { Stack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

const declares = (args: object = {}): string => `
const { IncidentUpdate } = require("pulumi-monitoring-service");
new IncidentUpdate("update", ${JSON.stringify({ incidentId, status: "MONITORING", description: "We are watching it.", ...args })});
`;

let sandbox: Sandbox;
let stack: Stack;
let before: number;

beforeEach(async () => {
  sandbox = await startSandbox();
  before = sandbox.incident(incidentId).incidentUpdates.length;
  stack = await Stack.create({ program: declares(), sandbox });
});
afterEach(async () => {
  stack.remove();
  await sandbox.close();
});

const posts = (): Sandbox["requests"] => sandbox.requests.filter(({ method }) => method === "POST");
const published = (): number => sandbox.incident(incidentId).incidentUpdates.length - before;
const tracked = async (): Promise<string[]> => (await stack.resources()).map(({ id = "" }) => id);
const newest = (): string => `${incidentId}/${sandbox.incident(incidentId).incidentUpdates[0]?.id}`;

const lostAnswers: [string, FaultInput][] = [
  ["the connection is reset", { kind: "reset", applied: true }],
  ["the answer is cut", { kind: "cut" }],
  ["the response is empty", { kind: "empty" }],
  ["the answer is no JSON", { kind: "wrongJson", wrong: "syntax" }],
  ["the answer has no id", { kind: "wrongJson", wrong: "shape" }],
  ["a proxy answers 502", { kind: "status", code: 502, body: "html", applied: true }],
  ["the request times out", { kind: "hang", applied: true }],
];

it.each(lostAnswers)("an update that was applied is found, and tracked, when %s", async (_, fault) => {
  sandbox.faults.add({ ...fault, operation: "createIncidentUpdate" });
  // What times out needn't take as long as it may. An attempt that is too slow for it is another lost answer.
  stack.setEnvironment({ MONITORING_TIMEOUT_MS: "2500" });
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0 });
  expect([posts().length, published()]).toEqual([1, 1]);
  expect(await tracked()).toEqual([newest()]);
});

describe("an update of which nothing tells whether it was applied", () => {
  const lost: FaultInput = { kind: "reset", operation: "createIncidentUpdate" };

  // Looking in vain takes as long as it may. All else is done in a fraction of this.
  beforeEach(() => stack.setEnvironment({ MONITORING_DEADLINE_MS: "4000" }));

  it("fails the run, is remembered, and is not posted again until the user says so", async () => {
    sandbox.faults.add(lost);
    const first = await stack.up();
    expect(first.code).not.toBe(0);
    expect(first.output).toContain(
      "Not found in the incident so far. The state records it: run `pulumi up` again",
    );
    expect(await tracked()).toEqual([expect.stringMatching(/\/unconfirmed-[0-9a-f]{16}$/)]);

    sandbox.faults.clear();
    const refresh = await stack.refresh();
    expect(refresh).toMatchObject({ code: 0, output: expect.stringContaining("still unconfirmed") });

    const second = await stack.up();
    expect(second.code).not.toBe(0);
    expect(second.output).toContain(
      'When you are sure that it was not published, set onUnconfirmed to "resend"',
    );
    expect([posts().length, published()]).toEqual([1, 0]);

    stack.write("index.js", declares({ onUnconfirmed: "resend" }));
    const third = await stack.up();
    expect(third).toMatchObject({ code: 0 });
    expect([posts().length, published()]).toEqual([2, 1]);
    await stack.refresh();
    expect(await tracked()).toEqual([newest()]);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });

  it("is found by the next run when the service shows it late", async () => {
    sandbox.faults.add({ ...lost, applied: true }, { kind: "lateVisibility", reads: 20 });
    const first = await stack.up();
    expect(first.code).not.toBe(0);
    sandbox.faults.clear();
    for (let read = 0; read < 20; read++) {
      await fetch(`${sandbox.url}/v1/status-pages/incidents/${incidentId}`, {
        headers: { authorization: `Bearer ${sandbox.apiKey}` },
      });
    }
    const second = await stack.up();
    expect(second).toMatchObject({ code: 0, output: expect.stringContaining("it was published") });
    expect([posts().length, published()]).toEqual([1, 1]);
    await stack.refresh();
    expect(await tracked()).toEqual([newest()]);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});

it("is not posted when the service refuses it, and the next run may post it", async () => {
  sandbox.faults.add({ kind: "status", code: 403, operation: "createIncidentUpdate" });
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("createIncidentUpdate inc_checkout_latency: not allowed (HTTP 403)");
  expect(await tracked()).toEqual([]);
  sandbox.faults.clear();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect([posts().length, published()]).toEqual([2, 1]);
});
