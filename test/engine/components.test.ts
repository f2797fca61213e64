/** The components on the real engine: of the dynamic provider, and of the plugin, as programs in any language declare them. */
import { wellKnown } from "../../sandbox";
import { incidentId, Service } from "./service";
import { createStack, type Ended, expectFailure, resourcesOf, type Stack } from "./stack";

const { legacyHook, operationsMail } = wellKnown.alertChannels;
const notEditable = "must not change: the update is public";
const openIncident = 'OpenIncidentGate "gate": 1 open incident: CRITICAL "Some card payments are declined"';

const service = new Service();
let stack: Stack;

const published = (): object[] =>
  service.published().map(({ status, description }) => ({ status, description }));
const publishedIds = (): string[] => service.published().map(({ id }) => id);

describe("of the dynamic provider,", () => {
  beforeEach(async () => {
    stack = await createStack({ sandbox: service.sandbox });
  });

  const up = (program: string): Promise<Ended> => {
    stack.write("index.js", `const m = require("pulumi-monitoring-service");\n${program}`);
    return stack.up();
  };

  it("a timeline posts its entries in order, an identical one again, later only what is added, refuses edits, and forgets the last entry, which stays public", async () => {
    const timeline = (...updates: object[]): Promise<Ended> =>
      up(`
        const timeline = new m.IncidentTimeline("story", { incidentId: "${incidentId}", updates: ${JSON.stringify(updates)} });
        exports.ids = timeline.incidentUpdateIds;`);
    const found = { status: "IDENTIFIED", description: "A bad release." };
    const watching = { status: "MONITORING", description: "Rolled back." };
    const done = { status: "RESOLVED", description: "All good." };
    expect(await timeline(found, watching, found)).toMatchObject({ ok: true });
    expect(published()).toEqual([found, watching, found]);
    const whole = [found, watching, found, done];
    expect(await timeline(...whole)).toMatchObject({ ok: true });
    expect(published()).toEqual(whole);
    expect(await stack.outputs()).toEqual({ ids: publishedIds() });
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ ok: true });

    const edited = { ...watching, description: "Rolled back!" };
    expectFailure(await timeline(found, edited, found, done), notEditable);
    expect(await timeline(found, watching, found)).toMatchObject({
      ok: true,
      output: expect.stringContaining("The update stays public"),
    });
    expect(await resourcesOf(stack)).toHaveLength(3);
    expect(published()).toEqual(whole);
  });

  describe("a gate", () => {
    const deploy = (gate: string): Promise<Ended> =>
      up(`
        const pulumi = require("@pulumi/pulumi");
        const gate = new m.OpenIncidentGate("gate", ${gate});
        new m.AlertChannel("mail", { channelId: ${operationsMail} });
        new m.IncidentUpdate("deployed", { incidentId: "${incidentId}", status: "MONITORING", description: "Deployed." });
        class Other extends pulumi.dynamic.Resource {
          constructor(name, options) {
            super({ create: async () => ({ id: "made", outs: {} }) }, name, {}, options);
          }
        }
        new Other("other", { dependsOn: gate });`);

    it("holds back what is declared after it while an incident is open, and names the incident", async () => {
      expectFailure(await deploy('{ atLeast: "CRITICAL" }'), `${openIncident} (inc_card_declines, on `);
      expect(published()).toEqual([]);
      expect(service.sandbox.requests.map(({ operation }) => operation)).not.toContain("getAlertChannel");
      expect(await stack.exported()).not.toContain('"id": "made"');
    });

    it("lets everything through when no such incident is open", async () => {
      expect(await deploy('{ services: ["Product pages"] }')).toMatchObject({ ok: true });
      expect(published()).toEqual([{ status: "MONITORING", description: "Deployed." }]);
      expect(await stack.exported()).toContain('"id": "made"');
    });
  });
});

describe("of the plugin,", () => {
  beforeEach(async () => {
    // Only the explicit provider knows the service.
    stack = await createStack({});
    stack.declarePlugin();
  });

  /** A program that declares components as one in another language does, with a provider for the sandbox. */
  const declare = (body: string): void => {
    const { url: baseUrl, apiKey, accountId } = service.sandbox;
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
    expect(held).toContain(openIncident);
    expect(held).not.toMatch(/IncidentTimeline::held|Internal error/);
    expect(await failureOf(timeline("invalid", "FINE", "{}"))).toContain(
      'IncidentTimeline "invalid": updates[1].status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED',
    );
    const audit = `declare("AlertChannelAudit", "audit", {
      channels: [${legacyHook}], rules: { rules: { "https-hook": "error" } } });`;
    expect(await failureOf(audit)).toMatch(
      /AlertChannelAudit "audit": the audit failed\. No resource that depends on it was changed\.\s+error +4106 +https-hook/,
    );
  });

  it("a timeline posts its entries once and in order, keeps a secret, and refuses an edit of what is public", async () => {
    const timeline = (...updates: string[]): Promise<Ended> => {
      declare(`
        const gate = declare("OpenIncidentGate", "gate", { services: ["Product pages"] });
        const timeline = declare("IncidentTimeline", "story", {
          incidentId: pulumi.output("${incidentId}"), incidentUpdateIds: undefined,
          updates: [${updates.map((description) => `{ status: "MONITORING", description: ${description} }`).join()}],
        }, { dependsOn: gate });
        const audit = declare("AlertChannelAudit", "audit", {
          channels: [${legacyHook}], rules: { rules: { "https-hook": "warning" } },
          counts: undefined,
        });
        exports.ids = timeline.incidentUpdateIds;
        exports.warnings = audit.counts.warnings;`);
      return stack.up();
    };
    const secret = 'pulumi.secret("The canary is well.")';
    expect(await timeline('"Rolling back."', secret, '"Rolling back."')).toMatchObject({
      ok: true,
      output: expect.stringMatching(/warning +4106 +https-hook/),
    });
    const descriptions = ["Rolling back.", "The canary is well.", "Rolling back."];
    const whole = descriptions.map((description) => ({ status: "MONITORING", description }));
    expect(published()).toEqual(whole);
    expect(await stack.outputs()).toEqual({ ids: publishedIds(), warnings: 1 });
    expect(await stack.mustRun("stack", "export")).not.toContain("canary");

    expect(await timeline('"Rolled back."', secret, '"Rolling back."')).toMatchObject({
      ok: false,
      output: expect.stringContaining(notEditable),
    });
    expect(published()).toEqual(whole);
  });
});
