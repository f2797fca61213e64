/** Runs on several machines whose state is in a bucket: each update is posted once, whoever posts it. On PostgreSQL: guide.test.ts. */
import { randomUUID } from "node:crypto";
import { until } from "../client/services";
import { incidentId, Service } from "../engine/service";
import { createStack, expectFailure, expectSuccess, type Stack } from "../engine/stack";
import { temporaryFolder } from "../temporaryFolder";
import { type Backend, startBucket } from "./servers";

const service = new Service();
const descriptions = ["Orders are slow.", "A node is back.", "Orders are fast."];
const program = `
const { IncidentTimeline } = require("pulumi-monitoring-service");
new IncidentTimeline("orders", {
  incidentId: "${incidentId}",
  updates: ${JSON.stringify(descriptions)}.map((description) => ({ status: "MONITORING", description })),
});`;

const published = (): string[] => service.published().map(({ description }) => description);
// Which stack is selected is a machine's own.
const upNow = ["up", "--stack", "test", "--yes", "--skip-preview"];

let backend: Backend;
let stack: Stack;
beforeAll(async () => {
  backend = await startBucket();
});
afterAll(() => backend.close());
beforeEach(async () => {
  const env = backend.env(`t${randomUUID().replaceAll("-", "")}`);
  stack = await createStack({ program, sandbox: service.sandbox, env });
  moveToAnotherMachine();
});

/** From now on, runs find nothing that earlier ones left on their machine. */
const moveToAnotherMachine = (): void => {
  const home = temporaryFolder();
  Object.assign(stack.env, { PULUMI_HOME: home, MONITORING_LOCK_DIRECTORY: home });
};

it("a fresh runner continues where another one ended, and posts nothing again", async () => {
  expectSuccess(await stack.run(...upNow));
  moveToAnotherMachine();
  expect(expectSuccess(await stack.run(...upNow))).toMatch(/5 unchanged/);
  moveToAnotherMachine();
  const refresh = ["refresh", ...upNow.slice(1), "--expect-no-changes"];
  expectSuccess(await stack.run(...refresh));
  expect(published()).toEqual(descriptions);
  expect(service.posts).toHaveLength(descriptions.length);
});

it("a run on another machine is refused during one that is under way or was killed, until `pulumi cancel`", async () => {
  // The service has it immediately, and doesn't respond.
  service.sandbox.faults.add({ kind: "hang", operation: "createIncidentUpdate", applied: true, times: 1 });
  const { ended, kill } = stack.start(...upNow);
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  await until(() => hasEnded || service.applied > 0);
  expect(hasEnded).toBe(false);
  moveToAnotherMachine();
  expectFailure(await stack.run(...upNow), "the stack is currently locked by 1 lock(s)");
  const endOrphans = kill("SIGKILL");
  try {
    await ended;
    expectFailure(await stack.run(...upNow), "the stack is currently locked by 1 lock(s)");
    expectSuccess(await stack.run("cancel", "test", "--yes"));
    expectSuccess(await stack.run(...upNow));
    expect(published()).toEqual(descriptions);
    expect(service.posts).toHaveLength(descriptions.length);
  } finally {
    endOrphans();
  }
});
