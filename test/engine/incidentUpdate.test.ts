/** Of the behaviour of a declared update, what the engine has a part in. The rest: test/driver/behaviour.test.ts. */
import { incidentId, Service, words } from "./service";
import { createStack, expectFailure, expectSuccess, resourcesOf, type Stack } from "./stack";

const programOf = (args: object, options: object = {}): string =>
  `const { IncidentUpdate } = require("pulumi-monitoring-service");
   new IncidentUpdate("update", ${JSON.stringify(args)}, ${JSON.stringify(options)});`;

const service = new Service();
let stack: Stack;
beforeEach(async () => {
  stack = await createStack({ program: programOf(words), sandbox: service.sandbox });
});

const counts = () => [service.posts.length, service.published().length];
const tracked = async (): Promise<string[]> => (await resourcesOf(stack)).map(({ id = "" }) => id);

it("is replaced when its status changes, and is forgotten when it is removed from the program; both stay public", async () => {
  expect(await stack.up()).toMatchObject({ ok: true });
  stack.write("index.js", programOf({ ...words, status: "RESOLVED" }));
  const preview = await stack.preview();
  expect(preview).toMatchObject({ ok: true });
  expect(preview.output).toContain(
    `posts to "Checkout is slow for shoppers in Europe" (${incidentId}); no subscriber is emailed.`,
  );
  expect(preview.output).toMatch(/\+-1 to replace/);
  expect(await stack.up()).toMatchObject({ ok: true });
  expect(await tracked()).toEqual([`${incidentId}/${service.newestId}`]);
  stack.write("index.js", "");
  expect(await stack.up()).toMatchObject({
    ok: true,
    output: expect.stringContaining("The update stays public"),
  });
  expect(await tracked()).toEqual([]);
  expect(counts()).toEqual([2, 2]);
});

it("keeps a secret description out of the plain state, the messages and the screen", async () => {
  stack.write(
    "index.js",
    `const pulumi = require("@pulumi/pulumi");
     const { IncidentUpdate } = require("pulumi-monitoring-service");
     new IncidentUpdate("update", { ...${JSON.stringify(words)}, description: pulumi.secret("Canary words.") });`,
  );
  const { output, ok } = await stack.run("up", "--yes", "--diff");
  expect(ok).toBe(true);
  expect(service.published()).toMatchObject([{ description: "Canary words." }]);
  const refresh = await stack.refresh();
  const state = await stack.mustRun("stack", "export");
  expect([output, refresh.output, state].join()).not.toContain("Canary");
});

it("of a timeline is left alone when the engine replaces a resource that its text depends on, and refuses another text", async () => {
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
  expect(await stack.up()).toMatchObject({ ok: true });
  const before = await tracked();
  // An update that isn't there any more would be posted again.
  service.sandbox.byHand.deleteUpdate(incidentId, service.newestId);
  stack.write("index.js", program("2", '"Rolled back."'));
  expect(await stack.up()).toMatchObject({ ok: true, output: expect.stringMatching(/\+-1 replaced/) });
  expect(await tracked()).toEqual(before);
  stack.write("index.js", program("3", '"Rolled back " + id'));
  expectFailure(await stack.up(), "description must not change: the update is public");
  expect(service.posts).toHaveLength(3);
});

describe("is posted once although the engine replaces it without asking", () => {
  it("with other content that may not be posted (replacementTrigger)", async () => {
    const kept = { ...words, onChange: "refuse" };
    stack.write("index.js", programOf(kept, { replacementTrigger: "release 1" }));
    expectSuccess(await stack.up());
    const changed = { ...kept, description: "It is over." };
    stack.write("index.js", programOf(changed, { replacementTrigger: "release 2" }));
    expectFailure(await stack.up(), "description must not change: the update is public");
    expect(counts()).toEqual([1, 1]);
  });

  it("after a replacement that failed between its delete and its create", async () => {
    stack.write("index.js", programOf(words, { deleteBeforeReplace: true }));
    expectSuccess(await stack.up());
    const before = await tracked();
    const [update] = await resourcesOf(stack);
    service.sandbox.faults.add({ kind: "status", code: 403 });
    expectFailure(
      await stack.run("up", "--yes", "--skip-preview", "--replace", update?.urn ?? ""),
      "HTTP 403",
    );
    service.sandbox.faults.clear();
    expectSuccess(await stack.up());
    expect(await tracked()).toEqual(before);
    expect(counts()).toEqual([1, 1]);
  });

  it("while its first post is unconfirmed (replaceOnChanges)", async () => {
    // It is looked for in vain until then.
    stack.env["MONITORING_DEADLINE_MS"] = "2000";
    stack.write("index.js", programOf(words, { replaceOnChanges: ["*"] }));
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    expectFailure(await stack.up());
    const before = await tracked();
    expect(before).toEqual([expect.stringContaining("/unconfirmed-")]);
    stack.write("index.js", programOf({ ...words, description: "Other." }, { replaceOnChanges: ["*"] }));
    expectFailure(await stack.up(), "a previous run sent this update and received no response");
    expect(await tracked()).toContain(before[0]);
    expect(counts()).toEqual([1, 0]);
  });
});

it("that exists is read with IncidentUpdate.get, and left alone", async () => {
  const [existing] = service.sandbox.incident(incidentId).incidentUpdates;
  stack.write(
    "index.js",
    `const { IncidentUpdate } = require("pulumi-monitoring-service");
     exports.said = IncidentUpdate.get("by-hand", "${incidentId}/${existing?.id}").description;`,
  );
  expect(await stack.up()).toMatchObject({ ok: true });
  expect(await stack.outputs()).toEqual({ said: existing?.description });
  expect(await stack.destroy()).toMatchObject({ ok: true });
  expect(counts()).toEqual([0, 0]);
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
