/**
 * A run of the dynamic provider that is killed while it posts. The next `up` posts the remaining updates, and each update is public once.
 * docs/guides/interrupted-runs.md tests Ctrl-C.
 */
import { signalIfThere } from "../../tools/pulumi";
import { until } from "../client/services";
import { incidentId, Service } from "../engine/service";
import { createStack, toEnvironment, listResources } from "../engine/stack";

const hours = [1, 2, 3, 4, 5];
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
const published = (): string[] => service.published().map(({ description }) => description);

it("after a kill, the next up posts the remaining updates in order, and each update is public once", async () => {
  const stack = await createStack({ program, env: toEnvironment(service.sandbox) });
  // The service applies the post immediately, but doesn't respond.
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
    expect(published()).toEqual(hours.map((hour) => `Hour ${hour}`));
    expect(service.posts).toHaveLength(hours.length);
    const tracked = (await listResources(stack)).map(({ id }) => id);
    const ids = service.published().map(({ id }) => `${incidentId}/${id}`);
    expect(tracked.sort()).toEqual(ids.sort());
  } finally {
    endOrphans();
  }
});
