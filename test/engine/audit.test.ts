import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { incidentId, Service } from "./service";
import { createStack, environmentOf, expectFailure } from "./stack";

const { legacyHook, onCall, operationsMail } = wellKnown.alertChannels;
const absent = 99;

const service = new Service();

/** The audit's arguments are in a file beside it. What is declared after it is an update, and a thing of others. */
const program = `
  const pulumi = require("@pulumi/pulumi");
  const m = require("pulumi-monitoring-service");
  const audit = new m.AlertChannelAudit("alerting", require("./args.json"));
  new m.IncidentUpdate("found", { incidentId: "${incidentId}", status: "IDENTIFIED", description: "Found it." });
  class Other extends pulumi.dynamic.Resource {
    constructor(name, props, options) {
      super({ create: async (inputs) => ({ id: "made", outs: inputs }) }, name, { rules: [], ...props }, options);
    }
  }
  new Other("other", {}, { dependsOn: audit });
  const user = new Other("user", { rules: audit.findings.apply((all) => all.map(({ rule }) => rule)) });
  exports.counts = audit.counts;
  exports.rules = user.rules;
  exports.firstFinding = audit.findings.apply(([first]) => first);
  exports.report = audit.report.apply((file) => require("node:fs").readFileSync(file, "utf8").slice(0, 15));`;

it("that is mandatory fails with all that it found, before anything that waits for it; that is advisory warns and goes on, and the program uses what it gives", async () => {
  const names = { "on-call": onCall, mail: operationsMail, hook: legacyHook };
  const env = { ...environmentOf(service.sandbox), MONITORING_ALERT_CHANNELS: JSON.stringify(names) };
  const stack = await createStack({ program, env });
  stack.write("audit.yaml", "extends: recommended\nrules: { stale: off }\n");
  const declare = (args: object): void =>
    stack.write("args.json", JSON.stringify({ rules: "audit.yaml", report: "audit.html", ...args }));

  declare({ channels: ["mail", "hook", absent] });
  const ended = await stack.up();
  const { output } = ended;
  expectFailure(
    ended,
    'AlertChannelAudit "alerting": the audit failed. No resource that depends on it was changed.',
    /error +4107 mail +send-failure +sendFailure: false, expected true/,
    /error +4106 hook +https-hook +config\.url: http, expected https/,
    /not evaluable +99 +channel-read +channel: getAlertChannel 99: not found \(HTTP 404\)/,
  );
  expect(output.match(/^ *error +4107 mail/gm)).toHaveLength(1);
  expect(output).not.toContain("error serializing property");
  const report = readFileSync(join(stack.folder, "audit.html"), "utf8");
  expect(report).toContain("https-hook");
  expect(service.posts).toEqual([]);
  const state = await stack.exported();
  const { apiKey } = service.sandbox;
  expect(state).not.toContain("monitoring:IncidentUpdate");
  expect(state).not.toContain('"id": "made"');
  for (const text of [output, report, state]) {
    expect(text).not.toContain(apiKey);
    expect(text).not.toContain("not-a-secret");
  }

  declare({ channels: ["mail", absent], enforcement: "advisory" });
  const up = await stack.up();
  expect(up.output).toMatch(/warning: AlertChannelAudit "alerting":\n +not evaluable +99 +channel-read/);
  expect(up.output).toMatch(/\n +error +4107 mail +send-failure/);
  expect(up.ok).toBe(true);
  expect(service.posts).toHaveLength(1);
  const outputs = await stack.outputs();
  expect(outputs).toMatchObject({
    counts: { channels: 1, blocking: 1, waived: 0 },
    rules: expect.arrayContaining(["send-failure"]),
    firstFinding: { severity: "error", channel: { id: operationsMail } },
    report: "<!doctype html>",
  });
});
