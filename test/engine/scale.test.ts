/** What many updates cost, as far as it can be counted. */
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { type Resource, Stack } from "./stack";

const { checkoutLatency, cardDeclines, webhookDelays } = wellKnown.statusPageIncidents;
const incidentIds = [checkoutLatency, cardDeclines, webhookDelays];
const hours = [1, 2, 3, 4, 5, 6, 7, 8];

const program = `
const { IncidentUpdate } = require("pulumi-monitoring-service");
for (const incidentId of ${JSON.stringify(incidentIds)}) {
  for (const hour of ${JSON.stringify(hours)}) {
    const description = "Hour " + hour + ": still watching it.";
    new IncidentUpdate(incidentId + "-" + hour, { incidentId, status: "MONITORING", description });
  }
}`;

let sandbox: Sandbox;
let stack: Stack;
let resources: Resource[];

beforeAll(async () => {
  sandbox = await startSandbox();
  stack = await Stack.create({ program, sandbox });
  expect(await stack.up()).toMatchObject({ code: 0 });
  resources = await stack.resources();
});
afterAll(async () => {
  stack.remove();
  await sandbox.close();
});

it("posts each update once, after one look at its incident", () => {
  const count = incidentIds.length * hours.length;
  expect(resources).toHaveLength(count);
  expect(sandbox.requests.filter(({ method }) => method === "POST")).toHaveLength(count);
  expect(sandbox.requests).toHaveLength(2 * count);
});

it("refreshes all updates of an incident by one request", async () => {
  sandbox.clearRequests();
  expect(await stack.refresh()).toMatchObject({ code: 0 });
  expect(sandbox.requests.map(({ path }) => path.split("/").at(-1)).sort()).toEqual([...incidentIds].sort());
});

it("asks nothing in a preview", async () => {
  sandbox.clearRequests();
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(sandbox.requests).toEqual([]);
});

it("keeps of an update at most 1.35 times what a native plugin would keep of the same fields", () => {
  const bytes = (resource: object): number => Buffer.byteLength(JSON.stringify(resource));
  for (const resource of resources) expect(bytes(resource)).toBeLessThan(1.35 * bytes(asNative(resource)));
});

/** The same, without the text of the provider, and with a token of a native plugin. */
function asNative(resource: Resource): object {
  const text = JSON.stringify(resource, (name, value: unknown) =>
    name === "__provider" ? undefined : value,
  );
  return JSON.parse(
    text
      .replaceAll("pulumi-nodejs:dynamic/monitoring:IncidentUpdate", "monitoring:index:IncidentUpdate")
      .replaceAll("pulumi:providers:pulumi-nodejs", "pulumi:providers:monitoring"),
  ) as object;
}
