/**
 * The preview that a reviewer of a pull request reads. It contains the updates that will be posted, including hostile texts, and objects that
 * aren't as expected. test/driver tests previews with each adapter.
 */
import { seedData, wellKnown } from "../../sandbox";
import { run, shown } from "../cli/preview/previewing";
import { incidentId, Service } from "../engine/service";
import { createStack, toEnvironment, expectSuccess } from "../engine/stack";

const { legacyHook, onCall, operationsMail, slackIncidents } = wellKnown.alertChannels;
const [{ statusPageIncidents, statusPages }] = seedData().accounts;
const [page] = statusPages;
const [existing] = statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates ?? [];
const service = new Service();

/** Creates a program with these resources, three observed channels and an observed page. */
const createProgram = (expected: string, body: string): string => `
const { secret } = require("@pulumi/pulumi");
const { AlertChannel, IncidentUpdate, StatusPage } = require("pulumi-monitoring-service/native");
const declare = (name, args) => new IncidentUpdate(name, { incidentId: "${incidentId}", ...args });
const observe = (name, channelId, expect) => new AlertChannel(name, { channelId, expect });
observe("pager", ${onCall}, { type: "${expected}" });
observe("mail", ${operationsMail}, { type: { not: "${expected}" }, sendFailure: false });
observe("hook", ${legacyHook}, { config: { url: { hostClass: { not: "loopback" } } } });
new StatusPage("page", { statusPageId: "${page?.id}", expect: { cards: { contains: {} } } });
${body}`;

const merged = `
declare("cause", { status: "IDENTIFIED", description: "A cache was too small." });
declare("removed", { status: "MONITORING", description: "We are watching it." });`;

const evil = '</pre> <{%fg 9%}>%}>\n  MONITORING, no subscriber is emailed:\nIncidentUpdate "x" posts to';
const hostile = `${evil}\n\n${"It is slow. ".repeat(60)}END`;

/** New resources. One new channel isn't as expected, and the other channel and the page don't exist. */
const proposed = `
declare("cause-2", { status: "IDENTIFIED", description: "A cache was too small.\\nWe enlarge it." });
declare("adopted", ${JSON.stringify({ status: existing?.status, description: existing?.description })});
declare("over", { status: "RESOLVED", description: "All good.", notifySubscribers: true });
declare("embargoed", { status: "RESOLVED", description: secret("Canary words.") });
declare("hostile", { status: "MONITORING", description: ${JSON.stringify(hostile)} });
observe("new", ${slackIncidents}, { type: "EMAIL" });
observe("gone", 999);
new StatusPage("none", { statusPageId: "none" });`;

/** The errors that the comment must contain exactly once. */
const errors = [
  `AlertChannel "pager", ${onCall}: not as expected:`,
  `AlertChannel "mail", ${operationsMail}: not as expected:`,
  `AlertChannel "new", ${slackIncidents}: not as expected:`,
  'AlertChannel "gone", 999: not found in',
  'StatusPage "none", none: not found in',
];

it("the comment on a pull request contains each text and each unexpected object once", async () => {
  const stack = await createStack({
    program: createProgram("PAGERDUTY", merged),
    env: toEnvironment(service.sandbox),
  });
  stack.declarePlugin();
  expectSuccess(await stack.up());

  stack.write("index.js", createProgram("EMAIL", proposed));
  const args = ["--format", "markdown", "--pulumi", stack.program, "--", "--cwd", stack.folder];
  const comment = await run(args, stack.env);
  expect(comment.code).toBe(1);
  const { text: seen } = shown(comment.stdout);
  expect(seen).toContain(hostile.replace("<{%", "< {%"));
  expect(errors.map((error) => seen.split(error).length - 1)).toEqual(errors.map(() => 1));
  expect(comment.stdout + comment.stderr).not.toMatch(/Canary|__call/);
  expect(service.posts).toHaveLength(2);
});

/** Declares a text that is unknown in a preview, including in a timeline that is declared as in a YAML program. */
const waiting = (version: string, more = "") => `
const { ComponentResource, dynamic, log, secret } = require("@pulumi/pulumi");
const { getStatusPagesOutput, IncidentTimeline, IncidentUpdate, Provider } = require("pulumi-monitoring-service/native");
const words = {
  diff: async (id, old, { version }) => ({ changes: old.version !== version, replaces: ["version"] }),
  create: async (inputs) => ({ id: "w", outs: { ...inputs, text: "Words of " + inputs.version } }),
};
class Words extends dynamic.Resource {
  constructor(name, args) { super(words, name, { text: undefined, ...args }); }
}
const { text } = new Words("words", { version: "${version}" });
const declare = (name, args, options) =>
  new IncidentUpdate(name, { incidentId: "${incidentId}", status: "MONITORING", ...args }, options);
declare("computed-${version}", { description: text });
class Timeline extends ComponentResource {
  constructor(name, args) {
    super("monitoring:index:IncidentTimeline", name, { incidentUpdateIds: undefined, ...args }, {}, true);
  }
}
const later = text.apply((description) => [{ key: "${version}", status: "IDENTIFIED", description }]);
new Timeline("later", { incidentId: "${incidentId}", updates: later });
declare("flag", { description: "All good.", notifySubscribers: ${version === "1"} });
${more}`;

const added = `
declare("new", { description: text });
const provider = new Provider("new", { apiKey: text });
declare("own", { description: "By another key.", notifySubscribers: true }, { provider });
declare("embargoed", { description: secret("Canary words.") }, { provider });
declare("empty", { description: " " }, { provider });
exports.pages = getStatusPagesOutput({}, { provider }).apply(({ statusPages }) => statusPages.map(({ name }) => name));
const updates = ["One.", "Two."].map((description) => ({ key: description[0], status: "MONITORING", description }));
const parent = new ComponentResource("shop:index:Page", "page");
new IncidentTimeline("story", { incidentId: "${incidentId}", updates }, { parent });
console.log('IncidentUpdate "z" posts to "Checkout" (inc_1)');
log.info("  | Call +1 555 0100.");`;

it("a preview reports updates that may be posted, and ignores similar output of the program", async () => {
  const env = toEnvironment(service.sandbox);
  const stack = await createStack({ program: waiting("1"), env });
  stack.declarePlugin();
  expectSuccess(await stack.up());
  const posted = service.posts.length;

  stack.write("index.js", waiting("2", added));
  const args = ["--pulumi", stack.program, "--", "--cwd", stack.folder];
  const { code, stdout, stderr } = await run(args, { ...stack.env, GITHUB_ACTIONS: "" });
  const verdict =
    /^The preview \(\w+\) failed\n\nIncidentUpdate "empty" is rejected; nothing is posted\n {2}description must not be empty\n/;
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(verdict) });
  expect(stdout).toContain(
    '1 IncidentUpdate changed only in the state (nothing is posted or emailed)\n  "flag".\n',
  );
  expect(stdout).toMatch(/IncidentUpdate "story-T" \(2 of 2\) posts to [^|]*\n {2}\| Two\.\n/);
  expect(stdout).not.toMatch(/"z"|Call|Canary/);
  // The provider of these resources is unknown in a preview, so the engine doesn't call it.
  expect(stdout).toMatch(
    /IncidentUpdate "own" posts to [^|]*\n {2}Unknown until `pulumi up`: provider\.\n {2}MONITORING, every subscriber is emailed:\n {2}\| By another key\.\n/,
  );
  expect(stdout).toMatch(/IncidentUpdate "embargoed" posts to [^|]*\(secret text\)\n/);
  expect(stderr).toMatch(/^\| create {2}monitoring:index:IncidentUpdate {2}own$/m);
  expect(stderr).not.toContain("Canary");
  expect(service.posts).toHaveLength(posted);
});

const createDeclared = (texts: Readonly<Record<string, string>>, name: string): string => `
const { Incident, IncidentUpdate } = require("pulumi-monitoring-service");
const texts = ${JSON.stringify(texts)};
for (const [key, description] of Object.entries(texts))
  new IncidentUpdate(key, { incidentId: "${incidentId}", status: "MONITORING", description });
new Incident("maintenance", {
  statusPageId: "${wellKnown.componentPages.shop}",
  name: "${name}",
  status: "MONITORING",
  description: "Orders may be slow.",
});`;

it("a preview of the dynamic provider reports all rejected changes, and accepts the text that the dashboard shows", async () => {
  const program = createDeclared({ first: "One.", second: "Two.", third: "Three." }, "Database upgrade 42");
  const stack = await createStack({ program, env: toEnvironment(service.sandbox) });
  expectSuccess(await stack.up());
  const third = service.published().find(({ description }) => description === "Three.")?.id ?? "";
  service.sandbox.dashboard.editUpdate(incidentId, third, { description: "Three!" });
  stack.write(
    "index.js",
    createDeclared({ first: "1", second: "2", third: "Three!" }, "Database upgrade 43"),
  );
  const args = ["--format", "json", "--pulumi", stack.program, "--", "--cwd", stack.folder];
  const { code, stdout } = await run(args, stack.env);
  const { counts, errors } = JSON.parse(stdout) as { counts: object; errors: string[] };
  expect({ code, counts }).toMatchObject({ code: 1, counts: { refused: 3 } });
  expect(errors.join("\n")).toMatch(/the incident "Database upgrade 42" is public[^]*"One\."[^]*"Two\."/);
  expect(errors.join("\n")).not.toContain("Three");
  expect(service.posts).toHaveLength(4);
});
