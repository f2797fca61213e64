/** The components of the plugin, which programs in every language declare, on the real engine. */
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { createStack, type Stack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

let sandbox: Sandbox;
let stack: Stack;
let before: string[];

beforeEach(async () => {
  sandbox = await startSandbox();
  before = sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id);
  // Only the explicit provider knows the service.
  stack = await createStack({});
  stack.declarePlugin();
});
afterEach(async () => {
  stack.remove();
  await sandbox.close();
});

/** What the public reads since the test began, oldest first. */
const published = (): { id: string; description: string }[] =>
  sandbox
    .incident(incidentId)
    .incidentUpdates.filter(({ id }) => !before.includes(id))
    .reverse();

/** A program that declares components as one in another language does, with a provider for the sandbox. */
const declare = (body: string): void => {
  const { url: baseUrl, apiKey, accountId } = sandbox;
  stack.write(
    "index.js",
    `const pulumi = require("@pulumi/pulumi");
    const { Provider } = require("pulumi-monitoring-service/native");
    const provider = new Provider("explicit", ${JSON.stringify({ baseUrl, apiKey, accountId })});
    const declare = (type, name, args, options) =>
      new pulumi.ComponentResource("monitoring:index:" + type, name, args, { ...options, provider }, true);
    ${body}`,
  );
};

it("a closed gate, a failed audit and an invalid entry fail the preview, and each says why", async () => {
  /** What a preview says that fails. Node prints a stack of the program, so this doesn't expect none. */
  const failureOf = async (body: string): Promise<string> => {
    declare(body);
    const { ok, output } = await stack.preview();
    expect(ok).toBe(false);
    return output;
  };
  const timeline = (name: string, status: string, options: string): string =>
    `const updates = [{ status: "MONITORING", description: "First." }, { status: "${status}", description: "Second." }];
    declare("IncidentTimeline", "${name}", { incidentId: "${incidentId}", updates }, ${options});`;
  const held = await failureOf(
    `const gate = declare("OpenIncidentGate", "gate", { atLeast: "CRITICAL" });
    ${timeline("held", "RESOLVED", "{ dependsOn: gate }")}`,
  );
  expect(held).toContain(
    'OpenIncidentGate "gate": 1 open incident: CRITICAL "Some card payments are declined"',
  );
  expect(held).not.toMatch(/IncidentTimeline::held|Internal error/);
  expect(await failureOf(timeline("invalid", "FINE", "{}"))).toContain(
    'IncidentTimeline "invalid": updates[1].status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED',
  );
  expect(
    await failureOf(`declare("AlertChannelAudit", "audit", {
      channels: [${wellKnown.alertChannels.legacyHook}], rules: { rules: { "https-hook": "error" } } });`),
  ).toMatch(
    /AlertChannelAudit "audit": the audit failed\. No resource that depends on it was changed\.\s+error +4106 +https-hook/,
  );
});

it("a timeline posts its entries once and in order, keeps a secret, and refuses an edit of what is public", async () => {
  const timeline = (...updates: string[]): void =>
    declare(`
      const gate = declare("OpenIncidentGate", "gate", { services: ["Product pages"] });
      const timeline = declare("IncidentTimeline", "story", {
        incidentId: pulumi.output("${incidentId}"), incidentUpdateIds: undefined,
        updates: [${updates.map((description) => `{ status: "MONITORING", description: ${description} }`).join()}],
      }, { dependsOn: gate });
      const audit = declare("AlertChannelAudit", "audit", {
        channels: [${wellKnown.alertChannels.legacyHook}], rules: { rules: { "https-hook": "warning" } },
        counts: undefined,
      });
      exports.ids = timeline.incidentUpdateIds;
      exports.warnings = audit.counts.warnings;`);
  timeline('"Rolling back."', 'pulumi.secret("The canary is well.")', '"Rolling back."');
  expect(await stack.up()).toMatchObject({
    ok: true,
    output: expect.stringMatching(/warning +4106 +https-hook/),
  });
  expect(published().map(({ description }) => description)).toEqual([
    "Rolling back.",
    "The canary is well.",
    "Rolling back.",
  ]);
  expect(await stack.outputs()).toEqual({ ids: published().map(({ id }) => id), warnings: 1 });
  expect(await stack.mustRun("stack", "export")).not.toContain("canary");

  timeline('"Rolled back."', 'pulumi.secret("The canary is well.")', '"Rolling back."');
  const edited = await stack.up();
  expect(edited).toMatchObject({
    ok: false,
    output: expect.stringContaining("must not change: the update is public"),
  });
  expect(published()).toHaveLength(3);
});
