/** What a policy pack lets pass on the engine, what it finds in channels, and what it says of its own mistakes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { incidentId, Service } from "../engine/service";
import { inlineStack } from "../policy/inlineStack";

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
const packWith = (rules: string) => ({
  "index.js": `require("pulumi-monitoring-service/policy").monitoringPolicyPack("monitoring", { rules: "audit.yaml" });`,
  "audit.yaml": rules,
});

const service = new Service();

const stackOf = (name: string, pack: Readonly<Record<string, string>>) =>
  inlineStack({ sandbox: service.sandbox, name, pack });

it("lets pass, as the README's pack, a good channel and an update of a stack that may mail", async () => {
  const run = await stackOf("production", packOfReadme());
  const { code, output } = await run("up", channel(slackIncidents) + update("Found it.", true));
  expect(output).toContain("monitoring@v1.0.0");
  expect(output).not.toMatch(/\[mandatory\]/);
  expect(code).toBe(0);
  expect(service.posts).toHaveLength(1);
});

it("fails an up over a bad channel by a rule that is an error, and advises by one that is a warning", async () => {
  const run = await stackOf("test", packWith("rules: { https-hook: error, on-call-type: warning }\n"));
  const { code, output } = await run("up", channel(legacyHook));
  expect(code).not.toBe(0);
  expect(output).toMatch(
    /\[mandatory\] +https-hook +\(pulumi-nodejs:dynamic\/monitoring:AlertChannel: hook\)/,
  );
  expect(output).toMatch(/\[advisory\] +on-call-type +\(pulumi:pulumi:Stack: shop-test\)/);
  expect(output).toContain(
    "4106 hook: config.url: http, expected https. Use the hook's https URL, and replace its token: the old one may have been read.",
  );
  expect(output).not.toContain("not-a-secret-tickets");
});

it("isn't served with mistakes: a rule file's are told with line and column, without a stack", async () => {
  const run = await stackOf("test", packWith("rules:\n  https-hok: error\n"));
  const { code, output } = await run("preview", update("Found it.", false));
  expect(code).not.toBe(0);
  expect(output).toContain('audit.yaml:2:3: rules.https-hok is not known (did you mean "https-hook"?)');
  expect(output).not.toMatch(/^\s+at /m);
});

/** The files that the README shows, each under its name. */
function packOfReadme(): Record<string, string> {
  const readme = readFileSync(join(__dirname, "../../policy/README.md"), "utf8");
  const shown = readme.matchAll(/^`(\S+)`\n\n```\w+\n(.*?)^```$/gms);
  return Object.fromEntries([...shown].map(([, name = "", text = ""]) => [name, text]));
}
