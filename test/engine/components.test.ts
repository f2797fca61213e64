import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { type Run, Stack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

let sandbox: Sandbox;
let stack: Stack;
let before: string[];

beforeEach(async () => {
  sandbox = await startSandbox();
  before = sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id);
  stack = await Stack.create({ program: "", sandbox });
});
afterEach(async () => {
  stack.remove();
  await sandbox.close();
});

/** What the public reads since the test began, oldest first. */
const published = (): string[] =>
  sandbox
    .incident(incidentId)
    .incidentUpdates.filter(({ id }) => !before.includes(id))
    .map(({ status, description }) => `${status} ${description}`)
    .reverse();

const runProgram = async (program: string): Promise<Run> => {
  stack.write("index.js", `const m = require("pulumi-monitoring-service");\n${program}`);
  return stack.run("up", "--yes");
};

describe("IncidentTimeline", () => {
  type Entry = [status: string, description: string];
  const timeline = (...entries: Entry[]): Promise<Run> => {
    const updates = entries.map(([status, description]) => ({ status, description }));
    return runProgram(`
      const timeline = new m.IncidentTimeline("story", { incidentId: "${incidentId}", updates: ${JSON.stringify(updates)} });
      exports.ids = timeline.incidentUpdateIds;`);
  };
  const found: Entry = ["IDENTIFIED", "A bad release."];
  const watching: Entry = ["MONITORING", "Rolled back."];
  const again: Entry = ["IDENTIFIED", "A bad release."];
  const done: Entry = ["RESOLVED", "All good."];
  const asRead = (entries: Entry[]): string[] => entries.map((entry) => entry.join(" "));

  it("posts its entries in order, the same words twice if they stand in it twice, and later only what is added", async () => {
    expect(await timeline(found, watching, again)).toMatchObject({ code: 0 });
    expect(published()).toEqual(asRead([found, watching, again]));
    expect(await timeline(found, watching, again, done)).toMatchObject({ code: 0 });
    expect(published()).toEqual(asRead([found, watching, again, done]));
    const ids = sandbox
      .incident(incidentId)
      .incidentUpdates.map(({ id }) => id)
      .reverse()
      .slice(before.length);
    expect(await stack.outputs()).toEqual({ ids });
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });

  it.each<[string, Entry[]]>([
    ["edited", [found, ["MONITORING", "Rolled back!"], done]],
    ["moved", [watching, found, done]],
    ["taken out", [found, done]],
  ])("refuses a public entry that is %s, and says the way out", async (_, changed) => {
    expect(await timeline(found, watching, done)).toMatchObject({ code: 0 });
    const refused = await timeline(...changed);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/must not change: the update is public/);
    expect(published()).toEqual(asRead([found, watching, done]));
    expect(await timeline(found, watching, done)).toMatchObject({ code: 0 });
    expect(published()).toHaveLength(3);
  });

  it("forgets the last entry when it is taken out; it stays public", async () => {
    expect(await timeline(found, watching)).toMatchObject({ code: 0 });
    expect(await timeline(found)).toMatchObject({
      code: 0,
      output: expect.stringContaining("it stays public"),
    });
    expect(await stack.resources()).toHaveLength(1);
    expect(published()).toEqual(asRead([found, watching]));
  });
});

describe("OpenIncidentGate", () => {
  const deploy = (gate: string): Promise<Run> =>
    runProgram(`
      const pulumi = require("@pulumi/pulumi");
      const gate = new m.OpenIncidentGate("deploys", ${gate});
      new m.IncidentUpdate("deployed", { incidentId: "${incidentId}", status: "MONITORING", description: "Deployed." });
      class Other extends pulumi.dynamic.Resource {
        constructor(name, options) {
          super({ create: async () => ({ id: "made", outs: {} }) }, name, {}, options);
        }
      }
      new Other("other", { dependsOn: gate });`);

  it("holds back what is declared after it while an incident is open, and names the incident", async () => {
    const held = await deploy('{ atLeast: "CRITICAL" }');
    expect(held.code).not.toBe(0);
    expect(held.output).toContain(
      'OpenIncidentGate "deploys": 1 open: CRITICAL "Some card payments are declined" (inc_card_declines, on ',
    );
    expect(held.output).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(published()).toEqual([]);

    // Also without a preview, which would have failed first.
    const skipped = await stack.up();
    expect(skipped.code).not.toBe(0);
    expect(published()).toEqual([]);
    expect(await stack.exported()).not.toContain('"id": "made"');
  });

  it("lets everything through when no such incident is open", async () => {
    expect(await deploy('{ services: ["no such service"] }')).toMatchObject({ code: 0 });
    expect(published()).toEqual(["MONITORING Deployed."]);
    expect(await stack.exported()).toContain('"id": "made"');
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});
