/** Of the behaviour of a declared update, what the engine has a part in. The rest: test/driver/behaviour.test.ts. */
import { incidentId, Service, words } from "./service";
import { createStack, expectFailure, resourcesOf, type Stack } from "./stack";

const programOf = (args: object): string =>
  `const { IncidentUpdate } = require("pulumi-monitoring-service");
   new IncidentUpdate("update", ${JSON.stringify(args)});`;

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
  expect(preview.output).toContain("status changed, so a new update replaces it; the old one stays public.");
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
