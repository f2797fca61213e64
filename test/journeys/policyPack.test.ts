/** What a policy pack lets pass on the engine, and what it says of its own mistakes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { incidentId, Service } from "../engine/service";
import { inlineStack } from "../policy/inlineStack";

const { slackIncidents } = wellKnown.alertChannels;

const update = (description: string, notifySubscribers: boolean) =>
  `new (require("pulumi-monitoring-service").IncidentUpdate)("found", ${JSON.stringify({
    incidentId,
    status: "IDENTIFIED",
    description,
    notifySubscribers,
  })});`;

const service = new Service();

const stackOf = (name: string, pack: Readonly<Record<string, string>>) =>
  inlineStack({ sandbox: service.sandbox, name, pack });

it("lets pass, as the README's pack, a good channel and an update of a stack that may mail", async () => {
  const run = await stackOf("production", packOfReadme());
  const channel = `new (require("pulumi-monitoring-service").AlertChannel)("hook", { channelId: ${slackIncidents} });`;
  const { code, output } = await run("up", channel + update("Found it.", true));
  expect(output).toContain("monitoring@v1.0.0");
  expect(output).not.toMatch(/\[mandatory\]/);
  expect(code).toBe(0);
  expect(service.posts).toHaveLength(1);
});

it("isn't served with mistakes: a rule file's are told with line and column, without a stack", async () => {
  const run = await stackOf("test", {
    "index.js": `require("pulumi-monitoring-service/policy").monitoringPolicyPack("monitoring", { rules: "audit.yaml" });`,
    "audit.yaml": "rules:\n  https-hok: error\n",
  });
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
