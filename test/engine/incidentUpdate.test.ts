/** Of the behaviour of a declared update, what the engine has a part in. The rest: test/driver/behaviour.test.ts. */
import { incidentId, Service, words } from "./service";
import { createStack, environmentOf, expectFailure, expectSuccess, resourcesOf, type Stack } from "./stack";

const service = new Service();
let stack: Stack;
beforeAll(async () => {
  stack = await createStack({});
});
beforeEach(() => {
  Object.assign(stack.env, environmentOf(service.sandbox));
});

const tracked = async (): Promise<string[]> => (await resourcesOf(stack)).map(({ id = "" }) => id);

it("keeps a secret, is posted once although the engine replaces it without asking, and is replaced when it changes", async () => {
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
  expectFailure(await stack.up("--replace", update?.urn ?? ""), "HTTP 403", "The update stays public");
  service.sandbox.faults.clear();
  const refusing = { onChange: "refuse" };
  declare(refusing, { replacementTrigger: "release 1" });
  expectSuccess(await stack.up());
  expect(await tracked()).toContain(update?.id);

  // With another `replacementTrigger` the engine replaces it without a call of `diff`.
  declare({ ...refusing, description: "It is over." }, { replacementTrigger: "release 2" });
  expectFailure(await stack.up(), "description must not change: the update is public");
  expect(service.posts).toHaveLength(1);

  declare({ status: "RESOLVED" }, { replacementTrigger: "release 1" });
  const preview = await stack.preview();
  expectSuccess(preview);
  expect(preview.output).toMatch(
    new RegExp(`posts to "Checkout is slow for shoppers in Europe" \\(${incidentId}\\)\\s+RESOLVED, `),
  );
  expect(preview.output).toMatch(/\+-1 to replace/);
});

it("stays refused when a change failed while it was unconfirmed, and the engine replaces it without asking", async () => {
  const declare = (description: string, replacementTrigger: string): void =>
    stack.write(
      "index.js",
      `const { IncidentUpdate } = require("pulumi-monitoring-service");
       const args = ${JSON.stringify({ ...words, description, onChange: "refuse" })};
       new IncidentUpdate("refusing", args, ${JSON.stringify({ replacementTrigger })});`,
    );
  stack.env["MONITORING_DEADLINE_MS"] = "1200";
  service.sandbox.faults.add({ kind: "lateVisibility", ms: 600_000 });
  service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", applied: true, times: 1 });
  declare(words.description, "release 1");
  expectFailure(await stack.up(), "Not found in the incident so far");
  declare("It is over.", "release 1");
  expectFailure(await stack.up(), "a previous run sent this update and received no response");
  // Now the update is shown. With another `replacementTrigger` the engine calls no `diff`.
  service.sandbox.faults.clear();
  declare("It is over.", "release 2");
  expectFailure(await stack.up(), "description must not change: the update is public");
  expect(service.published()).toMatchObject([{ description: words.description }]);
  delete stack.env["MONITORING_DEADLINE_MS"];
});

it("of a timeline is left alone when the engine replaces a resource that its text depends on", async () => {
  const program = (version: string, text: string): string => `
    const pulumi = require("@pulumi/pulumi");
    const { IncidentTimeline } = require("pulumi-monitoring-service");
    const provider = {
      create: async ({ version }) => ({ id: "release-" + version, outs: { version } }),
      diff: async (_, { version }, news) => {
        const changes = version !== news.version;
        return { changes, replaces: changes ? ["version"] : [], deleteBeforeReplace: true };
      },
    };
    class Release extends pulumi.dynamic.Resource {
      constructor(version) {
        super(provider, "release", { version });
      }
    }
    new IncidentTimeline("story", { incidentId: "${incidentId}", updates: [
      { status: "IDENTIFIED", description: "A bad release." },
      { status: "MONITORING", description: new Release("${version}").id.apply((id) => ${text}) },
      { status: "RESOLVED", description: "All good." },
    ] });`;
  stack.write("index.js", program("1", '"Rolled back."'));
  expectSuccess(await stack.up());
  const before = await tracked();
  // An update that isn't there any more would be posted again.
  service.sandbox.byHand.deleteUpdate(incidentId, service.newestId);
  stack.write("index.js", program("2", '"Rolled back."'));
  expect(expectSuccess(await stack.up())).toMatch(/\+-1 replaced/);
  expect(await tracked()).toEqual(before);
  expect(service.posts).toHaveLength(3);
});

it("is not chained to updates that wait for its component: a program that is valid with other resources is valid with it", async () => {
  stack.write(
    "index.js",
    `const pulumi = require("@pulumi/pulumi");
     const { IncidentUpdate } = require("pulumi-monitoring-service");
     const update = (name, options, more) =>
       new IncidentUpdate(name, { ...${JSON.stringify(words)}, description: name, ...more }, options);
     const part = (name, options) => new pulumi.ComponentResource("test:index:Part", name, {}, options);
     const [waited, inherited, transitive, input, nested] =
       ["waited", "inherited", "transitive", "input", "nested"].map((name) => part(name));
     update("after-waited", { dependsOn: waited });
     update("in-waited", { parent: waited });
     update("in-waiting", { parent: part("waiting", { dependsOn: inherited }) });
     update("in-inherited", { parent: inherited });
     const between = update("between", { dependsOn: transitive }, { incidentId: "inc_search_lag" });
     update("after-between", { dependsOn: between });
     update("in-transitive", { parent: transitive });
     let resolve;
     const later = new Promise((done) => (resolve = done));
     update("with-input", { parent: part("early") }, { description: pulumi.output(later) });
     update("in-input", { parent: input }).incidentUpdateId.apply((id) => resolve("after " + id));
     update("after-nested", { dependsOn: nested });
     update("in-nested", { parent: part("inner", { parent: nested }) });`,
  );
  expectSuccess(await stack.up());
  expect(service.posts).toHaveLength(11);
});
