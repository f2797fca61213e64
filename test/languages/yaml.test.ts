/** Programs in YAML: one that a command of this package writes, and one whose updates are edited. Others: guides.test.ts. */
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { nastyTexts, showNastyTexts } from "../cli/nastyTexts";
import { run } from "../cli/running";
import { Service } from "../engine/service";
import { environmentOf, expectSuccess, repository } from "../engine/stack";
import { createStackOf } from "./stacks";

const { checkoutLatency } = wellKnown.statusPageIncidents;
const service = new Service();

it("a program of `monitoring adopt` adopts what is public, and posts nothing", async () => {
  const { sandbox } = service;
  showNastyTexts(sandbox, checkoutLatency, nastyTexts.length + 1);
  const { stdout } = await run("adopt", [checkoutLatency, "--format", "yaml"], environmentOf(sandbox));
  const stack = await createStackOf("yaml", sandbox);
  const plugin = join(repository, "plugin");
  const program = stdout.replace("node_modules/pulumi-monitoring-service/plugin", plugin);
  stack.write("Pulumi.yaml", program.replace(/^name: .*/, "name: test"));
  expectSuccess(await stack.up());
  expect(expectSuccess(await stack.up())).toContain(`${nastyTexts.length + 3} unchanged`);
  expect(service.posts).toEqual([]);
});

it("a mistake in an update and in an entry of a timeline is corrected where it stands", async () => {
  const { sandbox } = service;
  const [page, incident] = [wellKnown.componentPages.shop, wellKnown.componentPageIncidents.checkoutOutage];
  const stack = await createStackOf("yaml", sandbox);
  const declare = (single: string, entry: string) => {
    const common = `statusPageId: ${page}, incidentId: ${incident}, onChange: edit`;
    const update = (text: string) => `status: MONITORING, description: ${text}`;
    const oneUpdate = `{ type: monitoring:IncidentUpdate, properties: { ${common}, ${update(single)} } }`;
    const updates = `updates: [{ key: first, ${update(entry)} }, { key: second, ${update("Second.")} }]`;
    const story = `{ type: monitoring:IncidentTimeline, properties: { ${common}, ${updates} } }`;
    const plugin = `plugins: { providers: [{ name: monitoring, path: "${join(repository, "plugin")}" }] }`;
    stack.write(
      "Pulumi.yaml",
      `name: test\nruntime: yaml\n${plugin}\nresources:\n  single: ${oneUpdate}\n  story: ${story}\n`,
    );
  };
  const shown = () =>
    sandbox
      .incident(incident, page)
      .incidentUpdates.slice(0, 3)
      .map(({ description }) => description)
      .sort();
  declare("On it.", "Frist.");
  expectSuccess(await stack.up());
  const before = shown();
  declare("We are on it.", "First.");
  sandbox.clearRequests();
  expectSuccess(await stack.up());
  expect([before, shown()]).toEqual([
    ["Frist.", "On it.", "Second."],
    ["First.", "Second.", "We are on it."],
  ]);
  const writes = sandbox.requests.filter(({ method }) => method !== "GET");
  expect(writes.map(({ method }) => method)).toEqual(["PUT", "PUT"]);
});
