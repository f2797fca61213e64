/** Tests YAML programs that `monitoring adopt` writes. guides.test.ts tests other YAML programs. */
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { nastyTexts, showNastyTexts } from "../cli/nastyTexts";
import { run } from "../cli/running";
import { Service } from "../engine/service";
import { toEnvironment, expectSuccess, repository } from "../engine/stack";
import { createLanguageStack } from "./stacks";

const { checkoutLatency } = wellKnown.statusPageIncidents;
const { checkoutOutage } = wellKnown.componentPageIncidents;
const service = new Service();

async function createAdoptingStack(...args: string[]) {
  const { sandbox } = service;
  const { stdout } = await run("adopt", [...args, "--format", "yaml"], toEnvironment(sandbox));
  const stack = await createLanguageStack("yaml", sandbox);
  const plugin = join(repository, "plugin");
  const program = stdout.replace("node_modules/pulumi-monitoring-service/plugin", plugin);
  stack.write("Pulumi.yaml", program.replace(/^name: .*/, "name: test"));
  return stack;
}

it("a program of `monitoring adopt` adopts the public updates, and posts nothing", async () => {
  showNastyTexts(service.sandbox, checkoutLatency, nastyTexts.length + 1);
  const stack = await createAdoptingStack(checkoutLatency);
  expectSuccess(await stack.up());
  expect(expectSuccess(await stack.up())).toContain(`${nastyTexts.length + 3} unchanged`);
  expect(service.posts).toEqual([]);
});

it("a program with the incident adopts the incident and its later updates, and posts nothing", async () => {
  const page = wellKnown.componentPages.shop;
  const stack = await createAdoptingStack(checkoutOutage, "--status-page", page, "--with-incident");
  const adopted = expectSuccess(await stack.up());
  expect(adopted).toContain("adopted the identical incident");
  expect(adopted).toContain("adopted the identical update");
  expect(expectSuccess(await stack.up())).toContain("4 unchanged");
  expect(service.posts).toEqual([]);
});
