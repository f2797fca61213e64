/** A program in YAML that a command of this package writes. Others: guides.test.ts. */
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
