/** A program of `monitoring adopt`, for an incident with many updates. In YAML: test/languages/yaml.test.ts. */
import { showNastyTexts } from "../cli/nastyTexts";
import { run } from "../cli/running";
import { incidentId, Service } from "./service";
import { createStack, environmentOf, expectSuccess, resourcesOf } from "./stack";

const service = new Service();

it("adopts 25 updates with any text, posts nothing, and has nothing to do afterwards", async () => {
  showNastyTexts(service.sandbox, incidentId, 25);
  const env = environmentOf(service.sandbox);
  const { stdout: program } = await run("adopt", [incidentId, "--format", "javascript"], env);
  const stack = await createStack({ program, env });
  expectSuccess(await stack.up());
  expect(new Set((await resourcesOf(stack)).map(({ id }) => id)).size).toBe(25);
  expectSuccess(await stack.run("preview", "--expect-no-changes"));
  expect(service.posts).toEqual([]);
});
