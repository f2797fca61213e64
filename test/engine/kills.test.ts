import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { signalIfThere } from "../../scripts/processes";
import { until } from "../client/services";
import { Stack } from "./stack";

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
  const stack = await Stack.create({ program: sixUpdates, sandbox });
  const before = sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id);
  let endOrphans = (): void => undefined;
  try {
    // The service has it at once, and doesn't come to answer.
    sandbox.faults.add({ kind: "hang", operation: "createIncidentUpdate", applied: true, times: 1 });
    const { ended, kill, providers } = stack.start("up", "--yes", "--skip-preview");
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    await until(() => hasEnded || posted(sandbox));
    expect(hasEnded).toBe(false);
    const [provider = 0] = providers();
    expect(signalIfThere(provider, 0)).toBe(true);
    endOrphans = kill("SIGKILL");
    await ended;
    await until(() => !signalIfThere(provider, 0));
    await stack.run("cancel", "--yes");

    expect(await stack.up()).toMatchObject({ code: 0 });

    const updates = sandbox.incident(incidentId).incidentUpdates.filter(({ id }) => !before.includes(id));
    expect(updates.map(({ description }) => description).sort()).toEqual(
      [1, 2, 3, 4, 5, 6].map((hour) => `Hour ${hour}: still watching it.`),
    );
    const tracked = (await stack.resources()).map(({ id }) => id).sort();
    expect(tracked).toEqual(updates.map(({ id }) => `${incidentId}/${id}`).sort());
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  } finally {
    endOrphans();
    stack.remove();
    await sandbox.close();
  }
});

it("a stack whose sidecar a kill has left empty is whole again when that is deleted, as the troubleshooting guide says", async () => {
  const stack = await Stack.create({ program: "" });
  try {
    const sidecar = join(stack.folder, "state/.pulumi/stacks/test/test.json.attrs");
    writeFileSync(sidecar, "");
    const unreadable = await stack.up();
    expect(unreadable.code).not.toBe(0);
    expect(unreadable.output).toContain("failed to load checkpoint: EOF");
    rmSync(sidecar);
    expect(await stack.up()).toMatchObject({ code: 0 });
  } finally {
    stack.remove();
  }
});
