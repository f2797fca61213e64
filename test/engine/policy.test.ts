/** A policy pack in a run of the engine. What else it does: test/journeys/policyPack.test.ts. */
import { wellKnown } from "../../sandbox";
import { inlineStack } from "../policy/inlineStack";
import { incidentId, Service } from "./service";

const { legacyHook } = wellKnown.alertChannels;

const pack = {
  "index.js": `
    const { monitoringPolicyPack } = require("pulumi-monitoring-service/policy");
    monitoringPolicyPack("monitoring", {
      rules: "audit.yaml",
      mailOnlyFrom: { stacks: ["shop/production"] },
      forbiddenWords: ["blame"],
    });`,
  "audit.yaml": "{ rules: { https-hook: error, webhook-secret: warning, on-call-type: warning } }",
};

const channel = (channelId: number) =>
  `new (require("pulumi-monitoring-service").AlertChannel)("hook", { channelId: ${channelId} });`;
const update = (description: string, notifySubscribers: boolean) =>
  `new (require("pulumi-monitoring-service").IncidentUpdate)("found", ${JSON.stringify({
    incidentId,
    status: "IDENTIFIED",
    description,
    notifySubscribers,
  })});`;

const plainHttp =
  "4106 hook: config.url: http, expected https. Use the hook's https URL, and replace its token: the old one may have been read.";
const mayNotMail = "only shop/production may email subscribers, and this is shop/test.";

const violationOf = (level: string, rule: string, resource: string): RegExp =>
  new RegExp(`\\[${level}\\] +${rule} +\\(pulumi-nodejs:dynamic/monitoring:${resource}\\)`);

const service = new Service();

it("fails a run over an update that may not mail, and an up over a bad channel: nothing is posted", async () => {
  const run = await inlineStack({ sandbox: service.sandbox, name: "test", pack });
  const refused = await run("up", channel(legacyHook) + update("Nobody is to blame.", true));
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(violationOf("mandatory", "mail-only-from", "IncidentUpdate: found"));
  expect(refused.output).toMatch(violationOf("mandatory", "forbidden-words", "IncidentUpdate: found"));
  expect(refused.output).toContain(mayNotMail);
  expect(refused.output).not.toContain("Nobody is to");

  const { code, output } = await run("up", channel(legacyHook));
  expect(code).not.toBe(0);
  expect(output).toMatch(violationOf("mandatory", "https-hook", "AlertChannel: hook"));
  expect(output).toMatch(/\[advisory\] +on-call-type +\(pulumi:pulumi:Stack: shop-test\)/);
  expect(output).toContain(plainHttp);
  expect(output).not.toContain("not-a-secret-tickets");
  expect(service.posts).toEqual([]);
});
