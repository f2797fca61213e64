/** What the engine leaves out: the selection of `--exclude` and `--target`. */
import { incidentId, Service, words } from "../engine/service";
import { createStack, environmentOf, expectFailure, expectSuccess, type Stack } from "../engine/stack";

const service = new Service();

const mailed = { ...words, notifySubscribers: true };
const urnOf = (type: string, name: string): string => `urn:pulumi:test::test::${type}::${name}`;

const programOf = (entry: "" | "/native", statements: string): string =>
  `const { IncidentTimeline, IncidentUpdate } = require("pulumi-monitoring-service${entry}");\n${statements}`;
const updateOf = (resource: string, args: object): string =>
  `new IncidentUpdate("${resource}", ${JSON.stringify(args)});\n`;

/** A stack whose program finds the plugin, too. */
async function stackOf(program: string): Promise<Stack> {
  const stack = await createStack({ program, env: environmentOf(service.sandbox) });
  stack.declarePlugin();
  return stack;
}

it("an entry isn't posted without the one before it, which --exclude or --target leaves out", async () => {
  const updates = ["MONITORING", "RESOLVED"].map((status) => ({
    status,
    description: `${status}.`,
    notifySubscribers: true,
  }));
  const args = JSON.stringify({ incidentId, updates });
  const stack = await stackOf(programOf("", `new IncidentTimeline("outage", ${args});`));
  const type = "monitoring:index:IncidentTimeline$pulumi-nodejs:dynamic/monitoring:IncidentUpdate";
  const urn = (entry: number) => urnOf(type, `outage-${entry}`);
  const refused = await stack.up(`--exclude=${urn(1)}`);
  const why = /\(outage-2\):\n.*the entry before this one isn't shown.* without `--exclude` and `--target`/;
  expectFailure(refused, why);
  // The engine refuses this itself.
  expectFailure(await stack.up(`--target=${urn(2)}`), /depends on '.*outage-1' which was .*--target/);
  expect(service.posts).toEqual([]);
  expectSuccess(await stack.up());
  expect(service.published().map(({ status }) => status)).toEqual(["MONITORING", "RESOLVED"]);
});

it("plain updates are posted once after `pulumi state repair`, where --exclude left out the first", async () => {
  const words = ["First.", "Second."];
  const updates = words.map((description, index) =>
    updateOf(`update-${index + 1}`, { ...mailed, description }),
  );
  const stack = await stackOf(programOf("/native", updates.join("")));
  const excluded = await stack.up(`--exclude=${urnOf("monitoring:index:IncidentUpdate", "update-1")}`);
  expectFailure(excluded, "snapshot integrity failure");
  expect(await stack.up()).toMatchObject({ ok: false });
  await stack.mustRun("state", "repair", "--yes");
  expectSuccess(await stack.up());
  expect(service.published().map(({ description }) => description)).toEqual([...words].reverse());
  expect(service.posts).toHaveLength(2);
});
