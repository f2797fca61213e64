/** Features of the native plugin that the dynamic provider doesn't have, on the real engine. docs/guides/interrupted-runs.md tests Ctrl-C. */
import { type Sandbox, wellKnown } from "../../sandbox";
import { incidentId, Service, words } from "../engine/service";
import { createStack, expectFailure } from "../engine/stack";

const { cardDeclines, searchLag } = wellKnown.statusPageIncidents;
const { legacyHook, onCall } = wellKnown.alertChannels;
const openIncident =
  /OpenIncidentGate "gate": 3 open incidents:\n +- CRITICAL "Some card payments are declined"/;

const service = new Service();

/** Declares components as a program in another language does, with an explicit provider for each of two accounts. */
const ofTwoAccounts = ({ url, accountId, apiKey }: Sandbox, key: string, gate: object, more = ""): string => `
const pulumi = require("@pulumi/pulumi");
const { AlertChannel, IncidentUpdate, Provider } = require("pulumi-monitoring-service/native");
const service = { baseUrl: "${url}", accountId: "${accountId}" };
const eu = new Provider("eu", { ...service, apiKey: "${key}" });
const us = new Provider("us", { ...service, apiKey: "${apiKey}" });
const update = new IncidentUpdate("eu", ${JSON.stringify({ ...words, incidentId: searchLag })}, { provider: eu });
new AlertChannel("channel", { channelId: ${onCall}, expect: { sendFailure: true } }, { provider: us });
const existing = new AlertChannel("existing", { channelId: ${onCall} }, { provider: us, import: "${onCall}" });

const component = (type, name, args, dependsOn, protect) =>
  new pulumi.ComponentResource("monitoring:index:" + type, name, args, { dependsOn, protect, provider: us }, true);
const gate = component("OpenIncidentGate", "gate", ${JSON.stringify(gate)}, [update, existing]);
const texts = ["Rolling back.", pulumi.secret("The canary is well."), "Rolling back."];
const timeline = component("IncidentTimeline", "story", {
  incidentId: pulumi.output("${incidentId}"), incidentUpdateIds: undefined,
  updates: texts.map((description, index) => ({ key: "part-" + index, status: "MONITORING", description })),
}, gate, true);
const audit = component("AlertChannelAudit", "audit", {
  channels: [${legacyHook}], rules: { rules: { "https-hook": "warning" } }, counts: undefined,
}, timeline);
exports.ids = timeline.incidentUpdateIds;
exports.warnings = audit.counts.warnings;
${more}`;

it("a stack can use explicit providers, imports and components, which stay unchanged when an API key is rotated", async () => {
  const { sandbox } = service;
  const [imported] = sandbox.incident(cardDeclines).incidentUpdates;
  const other = { incidentId: cardDeclines, status: imported?.status, description: "Other words." };
  const options = `{ provider: us, import: "${cardDeclines}/${imported?.id}", dependsOn: audit }`;
  const stack = await createStack({
    program: ofTwoAccounts(sandbox, sandbox.apiKey, { atLeast: "CRITICAL" }),
  });
  stack.declarePlugin();
  // An argument takes precedence over the environment variable of the same setting.
  stack.env["MONITORING_API_KEY"] = "of-another-account";
  const closed = await stack.up();
  expectFailure(closed, /AlertChannel existing imported/, openIncident);
  expect(closed.output).not.toMatch(/IncidentTimeline::story|Internal error/);
  expect(service.posts).toHaveLength(1);
  expect(stack.stateText).not.toContain(sandbox.apiKey);
  const declared = (await stack.resources()).filter(({ urn }) => /::(eu|us|existing)$/.test(urn));
  expect(declared.map(({ sourcePosition = "" }) => sourcePosition.split("#")[0])).toEqual(
    Array(declared.length).fill("project:///index.js"),
  );

  const isOpen = { services: ["Product pages"] };
  const importing = `new IncidentUpdate("other", ${JSON.stringify(other)}, ${options});`;
  stack.write("index.js", ofTwoAccounts(sandbox, "rotated", isOpen, importing));
  expectFailure(
    await stack.up(),
    /IncidentUpdate \(other\):\s+error: IncidentUpdate "other" on incident \S+: description must not change, because the update is public/,
    /providers:monitoring eu updated/,
    /~ 1 updated\n.*\n.* 6 unchanged/,
    /warning +4106 Old ticket system +WEBHOOK +https-hook/,
  );
  const descriptions = ["Rolling back.", "The canary is well.", "Rolling back."];
  expect(service.published().map(({ description }) => description)).toEqual(descriptions);
  expect(service.posts).toHaveLength(4);
  expect(await stack.outputs()).toEqual({ ids: service.published().map(({ id }) => id), warnings: 1 });
  expect(stack.stateText).not.toContain("canary");
  const story = (await stack.resources()).filter(({ urn }) => /IncidentTimeline\b.*::story/.test(urn));
  expect(story.map(({ protect }) => protect)).toEqual([true, true, true, true]);
  const [, first = "", second = "", third] = story.map(({ urn }) => urn);
  const waitsFor = new Map(story.map(({ urn, dependencies }) => [urn, dependencies]));
  expect(waitsFor.get(second)).toContain(first);
  expect(waitsFor.get(third ?? "")).toContain(second);
});

it("an update that two Providers declare is posted once, although each Provider has its own process", async () => {
  const { url, accountId, apiKey } = service.sandbox;
  const program = `
    const { IncidentUpdate, Provider } = require("pulumi-monitoring-service/native");
    const [one, two] = ["one", "two"].map((name) => new Provider(name, ${JSON.stringify({ baseUrl: url, accountId, apiKey })}));
    const args = ${JSON.stringify(words)};
    const first = new IncidentUpdate("one", args, { provider: one });
    new IncidentUpdate("two", args, { provider: two, dependsOn: first });`;
  const stack = await createStack({ program });
  stack.declarePlugin();
  const both = /"two" on .*: a resource of another Provider already declares this update/;
  expectFailure(await stack.up(), both);
  expect(service.posts).toHaveLength(1);
});
