import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { until } from "../client/services";
import { createStack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
const hours = [1, 2, 3, 4, 5, 6, 7, 8];

const eightUpdates = `
const { IncidentUpdate } = require("pulumi-monitoring-service");
for (const hour of ${JSON.stringify(hours)}) {
  new IncidentUpdate("hour-" + hour, {
    incidentId: "${incidentId}",
    status: "MONITORING",
    description: "Hour " + hour,
    notifySubscribers: true,
  });
}`;

const posts = ({ requests }: Sandbox) => requests.filter(({ method }) => method === "POST");

it("Ctrl-C during the first of eight updates publishes that one alone; the next `up` publishes the others, in order", async () => {
  const sandbox = await startSandbox();
  const stack = await createStack({ program: eightUpdates, sandbox });
  const before = new Set(sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id));
  const published = () =>
    sandbox
      .incident(incidentId)
      .incidentUpdates.filter(({ id }) => !before.has(id))
      .map(({ description }) => description)
      .reverse();
  try {
    sandbox.faults.add({ kind: "latency", ms: 1_500, operation: "createIncidentUpdate", times: 1 });
    const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
    await until(() => sandbox.requests.some(({ operation }) => operation === "createIncidentUpdate"));
    kill("SIGINT");
    expect(await ended).toMatchObject({ ok: false });
    expect(published()).toEqual(["Hour 1"]);

    expect(await stack.up()).toMatchObject({ ok: true });
    expect(published()).toEqual(hours.map((hour) => `Hour ${hour}`));
    expect(posts(sandbox)).toHaveLength(hours.length);
  } finally {
    stack.remove();
    await sandbox.close();
  }
});
