/** The components on the real engine: of the dynamic provider, and of the plugin, as programs in any language declare them. */
import { wellKnown } from "../../sandbox";
import { incidentId, Service } from "./service";
import { createStack, type Ended, environmentOf, expectFailure, expectSuccess } from "./stack";

const { legacyHook, operationsMail } = wellKnown.alertChannels;
const notEditable = "must not change: the update is public";
const openIncident = 'OpenIncidentGate "gate": 1 open incident: CRITICAL "Some card payments are declined"';

const service = new Service();

const published = (): object[] =>
  service.published().map(({ status, description }) => ({ status, description }));
const publishedIds = (): string[] => service.published().map(({ id }) => id);

it("of the dynamic provider: a gate holds back what is declared after it; a timeline posts its entries in order, later only what is added, and refuses edits", async () => {
  const stack = await createStack({ env: environmentOf(service.sandbox) });
  const up = (gate: string, ...updates: object[]): Promise<Ended> => {
    stack.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
      const m = require("pulumi-monitoring-service");
      const gate = new m.OpenIncidentGate("gate", ${gate});
      new m.AlertChannel("mail", { channelId: ${operationsMail} });
      const timeline = new m.IncidentTimeline("story", { incidentId: "${incidentId}", updates: ${JSON.stringify(updates)} });
      class Other extends pulumi.dynamic.Resource {
        constructor(name, options) {
          super({ create: async () => ({ id: "made", outs: {} }) }, name, {}, options);
        }
      }
      new Other("other", { dependsOn: gate });
      exports.ids = timeline.incidentUpdateIds;`,
    );
    return stack.up();
  };
  const found = { status: "IDENTIFIED", description: "A bad release." };
  const watching = { status: "MONITORING", description: "Rolled back." };
  const done = { status: "RESOLVED", description: "All good." };

  expectFailure(await up('{ atLeast: "CRITICAL" }', found), `${openIncident} (inc_card_declines, on `);
  expect(published()).toEqual([]);
  expect(service.sandbox.requests.map(({ operation }) => operation)).not.toContain("getAlertChannel");
  expect(await stack.exported()).not.toContain('"id": "made"');

  const open = '{ services: ["Product pages"] }';
  expectSuccess(await up(open, found, watching, found));
  expect(published()).toEqual([found, watching, found]);
  const whole = [found, watching, found, done];
  expectSuccess(await up(open, ...whole));
  expect(published()).toEqual(whole);
  expect(await stack.outputs()).toEqual({ ids: publishedIds() });
  expectFailure(
    await up(open, found, { ...watching, description: "Rolled back!" }, found, done),
    notEditable,
  );
  expect(published()).toEqual(whole);
  expect(await stack.exported()).toContain('"id": "made"');
});

it("of the plugin: a closed gate fails the preview; a timeline posts its entries once and in order, and keeps a secret", async () => {
  // Only the explicit provider knows the service.
  const stack = await createStack({});
  stack.declarePlugin();
  const { url: baseUrl, apiKey, accountId } = service.sandbox;
  /** A program that declares components as one in another language does. */
  const declare = (gate: string): void =>
    stack.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
      const { Provider } = require("pulumi-monitoring-service/native");
      const provider = new Provider("explicit", ${JSON.stringify({ baseUrl, apiKey, accountId })});
      const declare = (type, name, args, options) =>
        new pulumi.ComponentResource("monitoring:index:" + type, name, args, { ...options, provider }, true);
      const gate = declare("OpenIncidentGate", "gate", ${gate});
      const texts = ["Rolling back.", pulumi.secret("The canary is well."), "Rolling back."];
      const timeline = declare("IncidentTimeline", "story", {
        incidentId: pulumi.output("${incidentId}"), incidentUpdateIds: undefined,
        updates: texts.map((description) => ({ status: "MONITORING", description })),
      }, { dependsOn: gate });
      const audit = declare("AlertChannelAudit", "audit", {
        channels: [${legacyHook}], rules: { rules: { "https-hook": "warning" } }, counts: undefined,
      });
      exports.ids = timeline.incidentUpdateIds;
      exports.warnings = audit.counts.warnings;`,
    );
  declare('{ atLeast: "CRITICAL" }');
  const { ok, output } = await stack.preview();
  expect(ok).toBe(false);
  expect(output).toContain(openIncident);
  expect(output).not.toMatch(/IncidentTimeline::story|Internal error/);

  declare('{ services: ["Product pages"] }');
  expect(expectSuccess(await stack.up())).toMatch(/warning +4106 WEBHOOK +https-hook/);
  const descriptions = ["Rolling back.", "The canary is well.", "Rolling back."];
  expect(published()).toEqual(descriptions.map((description) => ({ status: "MONITORING", description })));
  expect(await stack.outputs()).toEqual({ ids: publishedIds(), warnings: 1 });
  expect(await stack.mustRun("stack", "export")).not.toContain("canary");
});
