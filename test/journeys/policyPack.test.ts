/** Policy packs on the real engine. test/policy/pack.test.ts tests their checks and messages, and test/dynamic tests packs that change inputs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { incidentId, Service } from "../engine/service";
import { inlineStack } from "./inlineStack";

const { legacyHook, slackIncidents } = wellKnown.alertChannels;

const update = (description: string, notifySubscribers: boolean) =>
  `new (require("pulumi-monitoring-service").IncidentUpdate)("found", ${JSON.stringify({
    incidentId,
    status: "IDENTIFIED",
    description,
    notifySubscribers,
  })});`;

const channel = (channelId: number) =>
  `new (require("pulumi-monitoring-service").AlertChannel)("hook", { channelId: ${channelId} });`;
const service = new Service();

it("the README's policy pack accepts a valid channel and an update of a stack that may email subscribers", async () => {
  const run = await inlineStack(service.sandbox, "production", packOfReadme());
  const { code, output } = await run(channel(slackIncidents) + update("Found it.", true));
  expect(output).toContain("monitoring@v1.0.0");
  expect(output).not.toMatch(/\[mandatory\]/);
  expect(code).toBe(0);
  expect(service.posts).toHaveLength(1);
});

it("a policy pack rejects an invalid channel, and an email from a stack that may not email subscribers", async () => {
  const run = await inlineStack(service.sandbox, "test", {
    "index.js": `require("pulumi-monitoring-service/policy").monitoringPolicyPack("monitoring", {
      rules: "audit.yaml",
      emailOnlyFrom: { stacks: ["shop/production"] },
      forbiddenWords: ["blame"],
    });`,
    "audit.yaml": "rules: { https-hook: error, on-call-type: warning }\n",
  });
  const ofType = (type: string, name: string) => `\\(pulumi-nodejs:dynamic/monitoring:${type}: ${name}\\)`;
  const ofUpdate = ofType("IncidentUpdate", "found");
  for (const [program, ...said] of [
    [
      channel(legacyHook),
      `\\[mandatory\\] +https-hook +${ofType("AlertChannel", "hook")}`,
      "\\[advisory\\] +on-call-type +\\(pulumi:pulumi:Stack: shop-test\\)",
      "4106 hook: config.url: http, expected https. Use the webhook's https URL, and rotate its token",
    ],
    [
      update("Nobody is to blame.", true),
      `\\[mandatory\\] +email-only-from +${ofUpdate}`,
      `\\[mandatory\\] +forbidden-words +${ofUpdate}`,
      "notifySubscribers is true in shop/test, but only shop/production may email subscribers.",
    ],
  ]) {
    const { code, output } = await run(program ?? "");
    expect(code).not.toBe(0);
    for (const each of said) expect(output).toMatch(new RegExp(each));
    expect(output).not.toMatch(/not-a-secret-tickets|Nobody is to/);
  }
  expect(service.posts).toEqual([]);
});

/** Returns the files in the README, by name. */
function packOfReadme(): Record<string, string> {
  const readme = readFileSync(join(__dirname, "../../policy/README.md"), "utf8");
  const shown = readme.matchAll(/^`(\S+)`\n\n```\w+\n(.*?)^```$/gms);
  return Object.fromEntries([...shown].map(([, name = "", text = ""]) => [name, text]));
}
