import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { signalIfThere } from "../../scripts/processes";
import { until } from "../client/services";
import { createStack, resourcesOf } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

const sixUpdates = `
const { IncidentUpdate } = require("pulumi-monitoring-service");
for (const hour of [1, 2, 3, 4, 5, 6]) {
  new IncidentUpdate("hour-" + hour, {
    incidentId: "${incidentId}",
    status: "MONITORING",
    description: "Hour " + hour + ": still watching it.",
    notifySubscribers: true,
  });
}`;

const posted = ({ requests }: Sandbox): boolean => requests.some(({ applied }) => applied);

it("six updates are public once each, and all tracked, when the engine is killed during the first post and `up` runs again at once", async () => {
  const sandbox = await startSandbox();
  const stack = await createStack({ program: sixUpdates, sandbox });
  const before = sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id);
  let endOrphans = (): void => undefined;
  try {
    // The service has it at once, and doesn't come to answer.
    sandbox.faults.add({ kind: "hang", operation: "createIncidentUpdate", applied: true, times: 1 });
    const { ended, kill, processes } = stack.start("up", "--yes", "--skip-preview");
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    await until(() => hasEnded || posted(sandbox));
    expect(hasEnded).toBe(false);
    const { pid: provider = 0 } =
      processes().find(({ command }) => /^node .*dynamic-provider/.test(command)) ?? {};
    expect(signalIfThere(provider, 0)).toBe(true);
    endOrphans = kill("SIGKILL");
    await ended;
    await until(() => !signalIfThere(provider, 0));
    await stack.run("cancel", "--yes");

    expect(await stack.up()).toMatchObject({ ok: true });

    const updates = sandbox.incident(incidentId).incidentUpdates.filter(({ id }) => !before.includes(id));
    expect(updates.map(({ description }) => description).sort()).toEqual(
      [1, 2, 3, 4, 5, 6].map((hour) => `Hour ${hour}: still watching it.`),
    );
    const tracked = (await resourcesOf(stack)).map(({ id }) => id).sort();
    expect(tracked).toEqual(updates.map(({ id }) => `${incidentId}/${id}`).sort());
  } finally {
    endOrphans();
    stack.remove();
    await sandbox.close();
  }
});
