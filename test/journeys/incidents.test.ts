/** The program of a planned maintenance on the real engine. test/driver/incidents.test.ts tests lost responses and kills. */
import { wellKnown } from "../../sandbox";
import { Service } from "../engine/service";
import { createStack, expectFailure, expectSuccess } from "../engine/stack";

const page = wellKnown.componentPages.shop;
const service = new Service();

const createProgram = (isBroken: boolean, number = 42, end = `db-upgrade-${number}-done`): string => `
const pulumi = require("@pulumi/pulumi");
const { Incident, IncidentUpdate } = require("pulumi-monitoring-service");
class Deployment extends pulumi.dynamic.Resource {
  constructor(name, inputs, options) {
    const create = async ({ isBroken }) => {
      if (isBroken) throw new Error("The migration has a syntax error.");
      return { id: "deployment", outs: {} };
    };
    super({ create }, name, inputs, options);
  }
}
const maintenance = new Incident("db-upgrade-${number}", {
  statusPageId: "${page}",
  name: "Database upgrade ${number}",
  impacts: [{ component: "Checkout", status: "UNDER_MAINTENANCE" }],
  status: "MONITORING",
  description: "Orders may be slow until 03:00 UTC.",
  notifySubscribers: true,
});
const deployment = new Deployment("deployment", { isBroken: ${isBroken} }, { dependsOn: maintenance });
new IncidentUpdate("${end}", {
  statusPageId: "${page}",
  incidentId: maintenance.incidentId,
  status: "RESOLVED",
  description: "The upgrade is done.",
}, { dependsOn: deployment });
`;

it("a maintenance is announced and resolved once, even if the deployment in between fails at first", async () => {
  const { sandbox } = service;
  const stack = await createStack({ program: createProgram(true), sandbox });
  const preview = expectSuccess(await stack.preview());
  for (const text of [
    "Database upgrade 42",
    "| Orders may be slow until 03:00 UTC.",
    "| The upgrade is done.",
  ])
    expect(preview).toContain(text);
  expect(preview).toMatch(/opens an incident[^]*The upgrade is done\./);
  expect(service.posts).toEqual([]);

  expectFailure(await stack.up("--skip-preview"), "The migration has a syntax error.");
  expect(service.posts.map(({ path }) => path)).toEqual([`/v3/status-pages/${page}/incidents`]);

  stack.write("index.js", createProgram(false));
  expectSuccess(await stack.up("--skip-preview"));
  const incidents = sandbox.data.accounts[0].componentPages.flatMap((each) => each.incidents);
  const opened = incidents.filter(({ name }) => name === "Database upgrade 42");
  const shown = opened.flatMap(({ id }) => service.published(id, page));
  expect(shown.map(({ status, description }) => [status, description])).toEqual([
    ["MONITORING", "Orders may be slow until 03:00 UTC."],
    ["RESOLVED", "The upgrade is done."],
  ]);
  expect(shown.map(({ id }) => sandbox.emailsSent(id) > 0)).toEqual([true, false]);

  sandbox.clearRequests();
  expect(expectSuccess(await stack.up("--skip-preview", "--expect-no-changes"))).toMatch(/unchanged/);
  expect(sandbox.requests).toEqual([]);

  // The final update of the next maintenance also needs a new name. The preview reports this before an incident is opened.
  stack.write("index.js", createProgram(false, 43, "db-upgrade-42-done"));
  expectFailure(
    await stack.preview(),
    'incidentId must not change, because the update is public, and "db-upgrade-43" opens another incident. Nothing was posted.',
  );
  expect(service.posts).toEqual([]);
  stack.write("index.js", createProgram(false, 43));
  expect(expectSuccess(await stack.preview())).toContain(
    'IncidentUpdate "db-upgrade-43-done" posts to the incident that "db-upgrade-43" opens\n',
  );
  expectSuccess(await stack.up("--skip-preview"));
  expect(service.posts).toHaveLength(2);
});
