/** Of the behaviour of a declared update, what the engine has a part in. The rest: test/driver/behaviour.test.ts. */
import { type FaultInput, type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { createStack, expectFailure, resourcesOf, type Stack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
const words = { incidentId, status: "MONITORING", description: "We are watching it." };
const programOf = (args: object): string =>
  `const { IncidentUpdate } = require("pulumi-monitoring-service");
   new IncidentUpdate("update", ${JSON.stringify(args)});`;

let sandbox: Sandbox;
let stack: Stack;
let before: number;
beforeEach(async () => {
  sandbox = await startSandbox();
  before = sandbox.incident(incidentId).incidentUpdates.length;
  stack = await createStack({ program: programOf(words), sandbox });
});
afterEach(async () => {
  stack.remove();
  await sandbox.close();
});

const published = (): number => sandbox.incident(incidentId).incidentUpdates.length - before;
const newest = (): string => `${incidentId}/${sandbox.incident(incidentId).incidentUpdates[0]?.id}`;
const posts = (): number => sandbox.requests.filter(({ method }) => method === "POST").length;
const tracked = async (): Promise<string[]> => (await resourcesOf(stack)).map(({ id = "" }) => id);

it("is replaced when its status changes, and is forgotten when it is removed from the program; both stay public", async () => {
  expect(await stack.up()).toMatchObject({ ok: true });
  stack.write("index.js", programOf({ ...words, status: "RESOLVED" }));
  const preview = await stack.preview();
  expect(preview).toMatchObject({ ok: true });
  expect(preview.output).toContain("status changed, so a new update replaces it; the old one stays public.");
  expect(preview.output).toMatch(/\+-1 to replace/);
  expect(await stack.up()).toMatchObject({ ok: true });
  expect(await tracked()).toEqual([newest()]);
  stack.write("index.js", "");
  expect(await stack.up()).toMatchObject({
    ok: true,
    output: expect.stringContaining("The update stays public"),
  });
  expect(await tracked()).toEqual([]);
  expect([posts(), published()]).toEqual([2, 2]);
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
  expect(sandbox.incident(incidentId).incidentUpdates[0]?.description).toBe("Canary words.");
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
  sandbox.byHand.deleteUpdate(incidentId, sandbox.incident(incidentId).incidentUpdates[0]?.id ?? "");
  stack.write("index.js", program("2", '"Rolled back."'));
  expect(await stack.up()).toMatchObject({ ok: true, output: expect.stringMatching(/\+-1 replaced/) });
  expect(await tracked()).toEqual(before);
  stack.write("index.js", program("3", '"Rolled back " + id'));
  expectFailure(await stack.up(), "description must not change: the update is public");
  expect(posts()).toBe(3);
});

it("that exists is read with IncidentUpdate.get, and left alone", async () => {
  const [existing] = sandbox.incident(incidentId).incidentUpdates;
  stack.write(
    "index.js",
    `const { IncidentUpdate } = require("pulumi-monitoring-service");
     exports.said = IncidentUpdate.get("by-hand", "${incidentId}/${existing?.id}").description;`,
  );
  expect(await stack.up()).toMatchObject({ ok: true });
  expect(await stack.outputs()).toEqual({ said: existing?.description });
  expect(await stack.destroy()).toMatchObject({ ok: true });
  expect([posts(), published()]).toEqual([0, 0]);
});

it("whose response is lost fails the run, is remembered, and is not posted again until the user says so", async () => {
  // Looking in vain takes as long as it may.
  stack.env["MONITORING_DEADLINE_MS"] = "2500";
  const lost: FaultInput = { kind: "reset", operation: "createIncidentUpdate" };
  sandbox.faults.add(lost);
  expectFailure(
    await stack.up(),
    "Not found in the incident so far. The state records it: run `pulumi up` again",
  );
  sandbox.faults.clear();
  expectFailure(await stack.up(), 'set onUnconfirmed to "resend"');
  expect([posts(), published()]).toEqual([1, 0]);

  stack.write("index.js", programOf({ ...words, onUnconfirmed: "resend" }));
  expect(await stack.up()).toMatchObject({ ok: true });
  expect([posts(), published()]).toEqual([2, 1]);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ ok: true });
});
