/** Of the behaviour of a declared update, what the engine has a part in. The rest: test/driver/behaviour.test.ts. */
import { incidentId, Service, words } from "./service";
import { createStack, environmentOf, expectFailure, expectSuccess, resourcesOf } from "./stack";

const service = new Service();

it("keeps a secret, is posted once although the engine replaces it without asking, and stays public when a replacement fails", async () => {
  const stack = await createStack({ env: environmentOf(service.sandbox) });
  const [existing] = service.sandbox.incident(incidentId).incidentUpdates;
  const declare = (args: object, options: object = {}): void =>
    stack.write(
      "index.js",
      `const { secret } = require("@pulumi/pulumi");
       const { IncidentUpdate } = require("pulumi-monitoring-service");
       const { description, ...args } = ${JSON.stringify({ ...words, description: "Canary words.", ...args })};
       new IncidentUpdate("update", { ...args, description: secret(description) }, ${JSON.stringify(options)});
       exports.said = IncidentUpdate.get("by-hand", "${incidentId}/${existing?.id}").description;`,
    );
  declare({}, { deleteBeforeReplace: true });
  const up = await stack.up("--diff");
  expectSuccess(up);
  expect(service.published()).toMatchObject([{ description: "Canary words." }]);
  expect(await stack.outputs()).toEqual({ said: existing?.description });
  expect(up.output + (await stack.mustRun("stack", "export"))).not.toContain("Canary");

  // The replacement fails between its delete and its create.
  const [update] = (await resourcesOf(stack)).filter(({ urn }) => urn.endsWith("::update"));
  service.sandbox.faults.add({ kind: "status", code: 403, operation: "getStatusPageIncident" });
  const failed = await stack.up("--replace", update?.urn ?? "");
  expectFailure(failed, "HTTP 403", "The update stays public");
  // Once, by the message alone.
  const [, said = failed.output] = /IncidentUpdate \(update\):\n((?: {4}.*\n)+)/.exec(failed.output) ?? [];
  expect(said.trim()).toMatch(/^error: getStatusPageIncident \S+: not allowed \(HTTP 403\): .*$/);
  service.sandbox.faults.clear();
  const refusing = { onChange: "refuse" };
  declare(refusing, { replacementTrigger: "release 1" });
  expectSuccess(await stack.up());
  expect((await resourcesOf(stack)).map(({ id }) => id)).toContain(update?.id);

  // With another `replacementTrigger` the engine replaces it without a call of `diff`.
  declare({ ...refusing, description: "It is over." }, { replacementTrigger: "release 2" });
  expectFailure(await stack.up(), "description must not change: the update is public");
  expect(service.posts).toHaveLength(1);
});
