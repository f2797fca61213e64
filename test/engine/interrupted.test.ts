/** Runs of the dynamic provider that end in the middle: each update is public once, and the next `up` does the rest. */
import { signalIfThere } from "../../scripts/processes";
import { until } from "../client/services";
import { incidentId, Service } from "./service";
import { createStack, environmentOf, resourcesOf, type Stack } from "./stack";

const hours = [1, 2, 3, 4, 5];
const descriptions = hours.map((hour) => `Hour ${hour}`);
const program = `
const { IncidentUpdate } = require("pulumi-monitoring-service");
for (const hour of ${JSON.stringify(hours)}) {
  new IncidentUpdate("hour-" + hour, {
    incidentId: "${incidentId}",
    status: "MONITORING",
    description: "Hour " + hour,
    notifySubscribers: true,
  });
}`;

const service = new Service();
let stack: Stack;
beforeEach(async () => {
  stack = await createStack({ program, env: environmentOf(service.sandbox) });
});

const published = (): string[] => service.published().map(({ description }) => description);

it("Ctrl-C during the first of five updates publishes that one alone; the next `up` publishes the others, in order", async () => {
  service.sandbox.faults.add({ kind: "latency", ms: 1_500, operation: "createIncidentUpdate", times: 1 });
  const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
  await until(() => service.sandbox.requests.some(({ operation }) => operation === "createIncidentUpdate"));
  kill("SIGINT");
  expect(await ended).toMatchObject({ ok: false });
  expect(published()).toEqual(["Hour 1"]);

  expect(await stack.up()).toMatchObject({ ok: true });
  expect(published()).toEqual(descriptions);
  expect(service.posts).toHaveLength(hours.length);
});

it("updates are public once each, and all tracked, when the engine is killed during the first post and `up` runs again at once", async () => {
  // The service has it immediately, and doesn't come to answer.
  service.sandbox.faults.add({ kind: "hang", operation: "createIncidentUpdate", applied: true, times: 1 });
  const { ended, kill, processes } = stack.start("up", "--yes", "--skip-preview");
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  await until(() => hasEnded || service.applied > 0);
  expect(hasEnded).toBe(false);
  const { pid: provider = 0 } =
    processes().find(({ command }) => /^node .*dynamic-provider/.test(command)) ?? {};
  expect(signalIfThere(provider, 0)).toBe(true);
  const endOrphans = kill("SIGKILL");
  try {
    await ended;
    await until(() => !signalIfThere(provider, 0));
    await stack.run("cancel", "--yes");

    expect(await stack.up()).toMatchObject({ ok: true });
    expect(published().sort()).toEqual(descriptions);
    const tracked = (await resourcesOf(stack)).map(({ id }) => id);
    expect(tracked.sort()).toEqual(
      service
        .published()
        .map(({ id }) => `${incidentId}/${id}`)
        .sort(),
    );
  } finally {
    endOrphans();
  }
});
