/** The components on the real engine: of the dynamic provider, and of the plugin, as programs in any language declare them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { incidentId, Service } from "./service";
import { createStack, environmentOf, expectFailure, expectSuccess, resourcesOf } from "./stack";

const { legacyHook, onCall, operationsMail } = wellKnown.alertChannels;
const openIncident = 'OpenIncidentGate "gate": 1 open incident: CRITICAL "Some card payments are declined"';
const absent = 99;

const service = new Service();

const published = (): object[] =>
  service.published().map(({ status, description }) => ({ status, description }));
const publishedIds = (): string[] => service.published().map(({ id }) => id);

/** What it declares is in a file beside it. What waits for the audit and for the gate is of this package, and of others. */
const program = `
  const pulumi = require("@pulumi/pulumi");
  const m = require("pulumi-monitoring-service");
  const { audited, open, release, updates } = require("./declared.json");
  class Other extends pulumi.dynamic.Resource {
    constructor(name, props, options) {
      const diff = async (_, olds, news) => {
        const changes = olds.version !== news.version;
        return { changes, replaces: changes ? ["version"] : [], deleteBeforeReplace: true };
      };
      super({ create: async (outs) => ({ id: "made", outs }), diff }, name, props, options);
    }
  }
  const audit = new m.AlertChannelAudit("alerting", audited);
  const gate = new m.OpenIncidentGate("gate", open);
  new Other("after-audit", {}, { dependsOn: audit });
  new Other("after-gate", {}, { dependsOn: gate });
  const user = new Other("user", { rules: audit.findings.apply((all) => all.map(({ rule }) => rule)) });
  // Another resource decides on the text of each entry.
  const { id } = new Other("release", { version: release }, { dependsOn: gate });
  const { incidentUpdateIds } = new m.IncidentTimeline("story", {
    incidentId: "${incidentId}",
    updates: updates.map(({ status, description }) => ({ status, description: id.apply(() => description) })),
  });
  exports.ids = incidentUpdateIds;
  exports.counts = audit.counts;
  exports.rules = user.rules;
  exports.firstFinding = audit.findings.apply(([first]) => first);
  exports.report = audit.report.apply((file) => require("node:fs").readFileSync(file, "utf8").slice(0, 15));`;

const found = { status: "IDENTIFIED", description: "A bad release." };
const watching = { status: "MONITORING", description: "Rolled back." };
const done = { status: "RESOLVED", description: "All good." };

it("of the dynamic provider: a gate and a mandatory audit fail with all that they found, before anything that waits for them; then the program uses what an advisory one gives, and a timeline posts in order, later only what is added", async () => {
  const names = { "on-call": onCall, mail: operationsMail, hook: legacyHook };
  const env = { ...environmentOf(service.sandbox), MONITORING_ALERT_CHANNELS: JSON.stringify(names) };
  const stack = await createStack({ program, env });
  stack.write("audit.yaml", "extends: recommended\nrules: { stale: off }\n");
  const up = (audited: object, open: object, release: number, ...updates: object[]) => {
    const args = { rules: "audit.yaml", report: "audit.html", ...audited };
    stack.write("declared.json", JSON.stringify({ audited: args, open, release, updates }));
    return stack.up();
  };

  const ended = await up({ channels: ["mail", "hook", absent] }, { atLeast: "CRITICAL" }, 1, found);
  expectFailure(
    ended,
    `${openIncident} (inc_card_declines, on `,
    'AlertChannelAudit "alerting": the audit failed. No resource that depends on it was changed.',
    /error +4107 mail +send-failure +sendFailure: false, expected true/,
    /error +4106 hook +https-hook +config\.url: http, expected https/,
    /not evaluable +99 +channel-read +channel: getAlertChannel 99: not found \(HTTP 404\)/,
  );
  expect(ended.output.match(/^ *error +4107 mail/gm)).toHaveLength(1);
  expect(ended.output).not.toContain("error serializing property");
  const report = readFileSync(join(stack.folder, "audit.html"), "utf8");
  expect(report).toContain("https-hook");
  expect(service.posts).toEqual([]);
  const state = await stack.exported();
  expect(state).not.toContain("monitoring:IncidentUpdate");
  expect(state).not.toContain('"id": "made"');
  for (const text of [ended.output, report, state]) {
    expect(text).not.toContain(service.sandbox.apiKey);
    expect(text).not.toContain("not-a-secret");
  }

  const advisory = { channels: ["mail", absent], enforcement: "advisory" };
  const open = { services: ["Product pages"] };
  const output = expectSuccess(await up(advisory, open, 1, found, watching, found));
  expect(output).toMatch(/warning: AlertChannelAudit "alerting":\n +not evaluable +99 +channel-read/);
  expect(output).toMatch(/\n +error +4107 mail +send-failure/);
  expect(published()).toEqual([found, watching, found]);
  expect(await stack.outputs()).toMatchObject({
    ids: publishedIds(),
    counts: { channels: 1, blocking: 1, waived: 0 },
    rules: expect.arrayContaining(["send-failure"]),
    firstFinding: { severity: "error", channel: { id: operationsMail } },
    report: "<!doctype html>",
  });

  // The engine replaces the resource that the texts depend on. An update that isn't there any more would be posted again.
  const tracked = (await resourcesOf(stack)).map(({ id }) => id);
  service.sandbox.byHand.deleteUpdate(incidentId, service.newestId);
  expect(expectSuccess(await up(advisory, open, 2, found, watching, found, done))).toMatch(/\+-1 replaced/);
  expect((await resourcesOf(stack)).map(({ id }) => id)).toEqual([
    ...tracked,
    `${incidentId}/${service.newestId}`,
  ]);
  expect(published()).toEqual([found, watching, done]);
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
