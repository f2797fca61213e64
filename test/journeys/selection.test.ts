/** What the engine leaves out: the selection of `--exclude`. */
import { incidentId, Service } from "../engine/service";
import { createStack, environmentOf, expectFailure, expectSuccess } from "../engine/stack";

const service = new Service();

it("an entry isn't posted without the one before it, which --exclude leaves out", async () => {
  const program = `
    new (require("pulumi-monitoring-service").IncidentTimeline)("outage", {
      incidentId: "${incidentId}",
      updates: ["MONITORING", "RESOLVED"].map((status) => ({ status, description: status, notifySubscribers: true })),
    });`;
  const stack = await createStack({ program, env: environmentOf(service.sandbox) });
  const type = "monitoring:index:IncidentTimeline$pulumi-nodejs:dynamic/monitoring:IncidentUpdate";
  expectFailure(
    await stack.up(`--exclude=urn:pulumi:test::test::${type}::outage-1`),
    /\(outage-2\):\n.*the entry before this one isn't shown.* without `--exclude` and `--target`/,
  );
  expect(service.posts).toEqual([]);
  expectSuccess(await stack.up());
  expect(service.published().map(({ status }) => status)).toEqual(["MONITORING", "RESOLVED"]);
});
