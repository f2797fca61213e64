import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { createStack, type Ended, expectFailure, resourcesOf, type Stack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

let sandbox: Sandbox;
let stack: Stack;
let before: string[];

beforeEach(async () => {
  sandbox = await startSandbox();
  before = sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id);
  stack = await createStack({ sandbox });
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

const runProgram = async (program: string): Promise<Ended> => {
  stack.write("index.js", `const m = require("pulumi-monitoring-service");\n${program}`);
  return stack.up();
};

describe("IncidentTimeline", () => {
  type Entry = [status: string, description: string];
  const timeline = (...entries: Entry[]): Promise<Ended> => {
    const updates = entries.map(([status, description]) => ({ status, description }));
    return runProgram(`
      const timeline = new m.IncidentTimeline("story", { incidentId: "${incidentId}", updates: ${JSON.stringify(updates)} });
      exports.ids = timeline.incidentUpdateIds;`);
  };
  const found: Entry = ["IDENTIFIED", "A bad release."];
  const watching: Entry = ["MONITORING", "Rolled back."];
  const done: Entry = ["RESOLVED", "All good."];
  const asRead = (entries: Entry[]): string[] => entries.map((entry) => entry.join(" "));

  it("posts its entries in order, an identical one again, later only what is added, refuses edits, and forgets the last entry, which stays public", async () => {
    expect(await timeline(found, watching, found)).toMatchObject({ ok: true });
    expect(published()).toEqual(asRead([found, watching, found]));
    const whole = [found, watching, found, done];
    expect(await timeline(...whole)).toMatchObject({ ok: true });
    expect(published()).toEqual(asRead(whole));
    const { incidentUpdates } = sandbox.incident(incidentId);
    const ids = incidentUpdates.slice(0, whole.length).map(({ id }) => id);
    expect(await stack.outputs()).toEqual({ ids: ids.reverse() });
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ ok: true });

    const edited: Entry = ["MONITORING", "Rolled back!"];
    expectFailure(await timeline(found, edited, found, done), /must not change: the update is public/);
    expect(await timeline(found, watching, found)).toMatchObject({
      ok: true,
      output: expect.stringContaining("The update stays public"),
    });
    expect(await resourcesOf(stack)).toHaveLength(3);
    expect(published()).toEqual(asRead(whole));
  });
});

describe("OpenIncidentGate", () => {
  const deploy = (gate: string): Promise<Ended> =>
    runProgram(`
      const pulumi = require("@pulumi/pulumi");
      const gate = new m.OpenIncidentGate("deploys", ${gate});
      new m.AlertChannel("mail", { channelId: ${wellKnown.alertChannels.operationsMail} });
      new m.IncidentUpdate("deployed", { incidentId: "${incidentId}", status: "MONITORING", description: "Deployed." });
      class Other extends pulumi.dynamic.Resource {
        constructor(name, options) {
          super({ create: async () => ({ id: "made", outs: {} }) }, name, {}, options);
        }
      }
      new Other("other", { dependsOn: gate });`);

  it("holds back what is declared after it while an incident is open, and names the incident", async () => {
    const gate = '{ atLeast: "CRITICAL" }';
    const reason =
      'OpenIncidentGate "deploys": 1 open incident: CRITICAL "Some card payments are declined" (inc_card_declines, on ';
    expectFailure(await deploy(gate), reason);
    expect(published()).toEqual([]);
    expect(sandbox.requests.map(({ operation }) => operation)).not.toContain("getAlertChannel");
    expect(await stack.exported()).not.toContain('"id": "made"');
  });

  it("lets everything through when no such incident is open", async () => {
    expect(await deploy('{ services: ["Product pages"] }')).toMatchObject({ ok: true });
    expect(published()).toEqual(["MONITORING Deployed."]);
    expect(await stack.exported()).toContain('"id": "made"');
  });
});
