/** What the reviewer of a pull request reads, by both adapters: what is posted, also of hostile texts, and what isn't as expected. */
import { quotation } from "../../provider/texts/printable";
import { seedData, wellKnown } from "../../sandbox";
import { run, shown } from "../cli/previewing";
import { incidentId, Service } from "../engine/service";
import { createStack, environmentOf, expectSuccess, resourcesOf } from "../engine/stack";

const { legacyHook, onCall, operationsMail, slackIncidents } = wellKnown.alertChannels;
const [{ statusPageIncidents, statusPages }] = seedData().accounts;
const [page] = statusPages;
const [existing] = statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates ?? [];
const credentials = ["canary-credential-7f3a", "not-a-secret-tickets"] as const;
const service = new Service();

/** A program with these resources, and two channels of which something is expected. */
const programOf = (entry: string, expected: string, body: string): string => `
const { secret } = require("@pulumi/pulumi");
const { AlertChannel, IncidentUpdate, StatusPage } = require("pulumi-monitoring-service${entry}");
const declare = (name, args) => new IncidentUpdate(name, { incidentId: "${incidentId}", ...args });
const observe = (name, channelId, expect) => new AlertChannel(name, { channelId, expect });
observe("pager", ${onCall}, { type: "${expected}" });
observe("mail", ${operationsMail}, { type: { not: "${expected}" }, sendFailure: false });
const hook = observe("hook", ${legacyHook}, { config: { url: { hostClass: { not: "loopback" } } } });
observe("drifted", ${slackIncidents});
const page = new StatusPage("page", { statusPageId: "${page?.id}", expect: { cards: { contains: {} } } });
exports.hostClass = hook.config.apply(({ url }) => Object(url).hostClass);
exports.cards = page.cards.apply((all) => all.map(({ name }) => name));
${body}`;

const merged = `
declare("cause", { status: "IDENTIFIED", description: "A cache was too small." });
declare("removed", { status: "MONITORING", description: "We are watching it." });`;

const evil = '</pre> <{%fg 9%}>%}>\n  MONITORING, no subscriber is emailed:\nIncidentUpdate "x" posts to';
const texts = Array.from({ length: 20 }, (_, at) => `${evil} ${at}\n\n${"It is slow. ".repeat(60)}END`);
const hostile = texts.map((description, index) => {
  const incident = statusPageIncidents[Math.floor(index / 5)]?.id;
  return [`n${index}`, { incidentId: incident, status: "MONITORING", description }];
});

/** Of the new channels, one isn't as expected, and one isn't there. */
const proposed = `
declare("cause", { status: "IDENTIFIED", description: "A cache was too small.\\nWe enlarge it." });
declare("adopted", ${JSON.stringify({ status: existing?.status, description: existing?.description })});
declare("over", { status: "RESOLVED", description: "All good.", notifySubscribers: true });
declare("embargoed", { status: "RESOLVED", description: secret("Canary words.") });
for (const [name, args] of ${JSON.stringify(hostile)}) declare(name, args);
observe("new", ${slackIncidents}, { type: "EMAIL" });
observe("gone", 999);
new StatusPage("none", { statusPageId: "none" });`;

/** Each once, beside what would be posted. */
const errors = [
  `AlertChannel ${onCall}: not as expected:`,
  `AlertChannel ${operationsMail}: not as expected:`,
  `AlertChannel ${slackIncidents}: not as expected:`,
  "AlertChannel 999: not found in",
  "StatusPage none: not found in",
  "The preview fails, because",
];

/** A text in a preview. The engine leaves out the spaces at the ends of lines. */
function quotedLines(text = ""): string {
  return quotation(text)
    .map((line) => line.trimEnd())
    .join("\n");
}

/** What a preview says of each update: its lines as they are among those of the engine, without the indentation. */
function saidIn(output: string): string[] {
  const said: string[] = [];
  for (const line of output.slice(output.indexOf("Diagnostics:")).split("\n")) {
    if (/^ {4}(?:IncidentUpdate "|AlertChannel \d)/.test(line)) said.push("");
    if (line.trim() !== "") said.push(`${said.pop() ?? ""}${line.slice(4)}\n`);
    else said.push("");
  }
  return said.filter((text) => text.startsWith("IncidentUpdate")).map((text) => text.trimEnd());
}

const isHostile = (said: string): boolean => /^IncidentUpdate "n\d+"/.test(said);

/** The lines of each update are together. */
function expectBlocks(said: readonly string[]): void {
  const blocks = said.map((text) => {
    const [head = "", content, ...lines] = text.split("\n");
    expect(content).toBe("  MONITORING, no subscriber is emailed:");
    const [, name] = /^IncidentUpdate "n(\d+)" posts to ".*" \(\S+\)$/.exec(head) ?? [];
    return [Number(name), lines] as const;
  });
  const expected = texts.map((text) => quotedLines(text).split("\n"));
  expect(blocks.sort(([one], [other]) => one - other)).toEqual(
    expected.map((lines, index) => [index, lines]),
  );
}

/** All that a preview says, one block for each update. */
function expectAllSaid(said: readonly string[]): void {
  const { incidentUpdates } = service.sandbox.incident(incidentId);
  const adopted = incidentUpdates.find((each) => each.id === existing?.id);
  const { id, status, description, created_at: since } = adopted ?? {};
  const incident = `"Checkout is slow for shoppers in Europe" (${incidentId})`;
  expect(said.filter((each) => !isHostile(each)).sort()).toEqual([
    `IncidentUpdate "adopted" adopts ${id} of ${incident}, public since ${since}\n  ${status}, nothing is posted:\n${quotedLines(description)}`,
    `IncidentUpdate "cause" posts to ${incident}\n  IDENTIFIED, no subscriber is emailed:\n  | A cache was too small.\n  | We enlarge it.`,
    'IncidentUpdate "cause" replaces an update, which stays public\n  IDENTIFIED:\n  | A cache was too small.',
    `IncidentUpdate "embargoed" posts to ${incident}\n  RESOLVED, no subscriber is emailed: (secret text)`,
    `IncidentUpdate "over" posts to ${incident}\n  RESOLVED, every subscriber is emailed:\n  | All good.`,
  ]);
  expectBlocks(said.filter(isHostile));
}

it("of the dynamic provider: refresh shows drift, field by field, and none in what another release derived from the same settings; a preview says which resource publishes which text, and what stays public; the lines of each text stay together; and it fails once, at its end, for each object that isn't as expected", async () => {
  const program = programOf("", "PAGERDUTY", merged);
  const stack = await createStack({ program, env: environmentOf(service.sandbox) });
  const up = expectSuccess(await stack.up());
  expect(await stack.outputs()).toEqual({ hostClass: "private", cards: page?.cards.map(({ name }) => name) });

  // A release that knows other services at hosts derives other facts from the same URL.
  const ofOtherRelease = '"hostClass":"public","receiver":"ticket"';
  const stored = stack.stateText.replace(/"hostClass":"private"(?=,"isReference")/, ofOtherRelease);
  expect(stored).toContain(ofOtherRelease);
  stack.stateText = stored;
  service.sandbox.byHand.change(({ accounts: [{ alertChannels }] }) => {
    const channel = alertChannels.find(({ id }) => id === slackIncidents);
    const config = { ...channel?.config, url: `https://hooks.example/${credentials[0]}` };
    if (channel) Object.assign(channel, { sslExpiryThreshold: 7, config });
  });
  const drift = expectSuccess(await stack.refresh("--diff"));
  expect(drift).toMatch(/~ sslExpiryThreshold: \d+ => 7/);
  expect(drift).toMatch(/~ fingerprint: "[0-9a-f]{12}" => "[0-9a-f]{12}"/);
  expect(drift).toMatch(/~ 1 updated\s+7 unchanged/);
  const observed = await resourcesOf(stack);
  expect(JSON.stringify(observed)).not.toContain('"receiver":"ticket"');
  expect(new Set(observed.map(({ outputs }) => outputs["__provider"]))).toEqual(
    new Set(
      ["AlertChannel", "IncidentUpdate", "StatusPage"].map(
        (kind) => `exports.handler=()=>require("pulumi-monitoring-service/provider").${kind}`,
      ),
    ),
  );

  stack.write("index.js", programOf("", "EMAIL", proposed));
  const { output } = await stack.run("preview");
  expectAllSaid(saidIn(output));
  const diagnostics = output.slice(output.indexOf("Diagnostics:"));
  const counts = errors.map((error) => [error, diagnostics.split(`error: ${error}`).length - 1]);
  expect({ output, counts }).toEqual({ output, counts: errors.map((error) => [error, 1]) });
  expect(output).not.toMatch(/Canary|__problem/);
  const revealed = await stack.revealedState();
  for (const credential of credentials)
    expect([up, drift, output, revealed].join()).not.toContain(credential);
  expect(service.posts).toHaveLength(2);
});

it("of the plugin: the same, in the comment on a pull request", async () => {
  const stack = await createStack({
    program: programOf("/native", "PAGERDUTY", merged),
    env: environmentOf(service.sandbox),
  });
  stack.declarePlugin();
  expectSuccess(await stack.up());

  stack.write("index.js", programOf("/native", "EMAIL", proposed));
  const { stdout } = await stack.run("preview", "--json");
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { message: string }[] };
  const messages = diagnostics.map(({ message }) => message.replace(/ *$/gm, "").trimEnd());
  expectAllSaid(messages.filter((message) => message.startsWith('IncidentUpdate "')));
  const failures = messages.filter((message) => message.startsWith("error: "));
  expect(failures.sort()).toEqual(
    [...errors].sort().map((error) => expect.stringContaining(`error: ${error}`) as string),
  );
  const comment = await run(["--pulumi", stack.program, "--", "--cwd", stack.folder], stack.env);
  expect(comment).toMatchObject({ code: 1, stderr: "" });
  const { text: seen } = shown(comment.stdout);
  expect(texts.filter((text) => !seen.includes(text.replace("<{%", "< {%")))).toEqual([]);
  expect(stdout).not.toMatch(/Canary|__problem/);
  expect(service.posts).toHaveLength(2);
});

/** As a program in YAML declares a timeline, whose updates may be an output. */
const remoteTimeline = `
const later = text.apply((description) => [{ status: "IDENTIFIED", description }]);
new Timeline("later", { incidentId: "${incidentId}", updates: later });`;

const waiting = (entry: string, version: string, own = "", remote = entry && remoteTimeline) => `
const { ComponentResource, dynamic, log } = require("@pulumi/pulumi");
const { IncidentTimeline, IncidentUpdate, Provider } = require("pulumi-monitoring-service${entry}");
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
declare("computed", { description: text });
class Timeline extends ComponentResource {
  constructor(name, args) {
    super("monitoring:index:IncidentTimeline", name, { incidentUpdateIds: undefined, ...args }, {}, true);
  }
}
${remote}
declare("flag", { description: "All good.", notifySubscribers: ${version === "1"} });
${own}`;

const added = `
declare("new", { description: text });
const updates = ["One.", "Two."].map((description) => ({ status: "MONITORING", description }));
const parent = new ComponentResource("shop:index:Page", "page");
new IncidentTimeline("story", { incidentId: "${incidentId}", updates }, { parent });
console.log('IncidentUpdate "z" posts to "Checkout" (inc_1)');
log.info("  | Call +1 555 0100.");`;

it.each([
  ["the dynamic provider", "", "", "2 updates will be posted, 2 updates may be posted"],
  [
    "the plugin, with a provider whose key isn't known yet",
    "/native",
    'declare("own", { description: "By another key." }, { provider: new Provider("new", { apiKey: text }) });',
    "2 updates will be posted, 4 updates may be posted",
  ],
])(
  "of %s: what only an up can tell may be posted, and nothing of the program counts",
  async (_, entry, own, verdict) => {
    const stack = await createStack({
      program: waiting(entry, "1"),
      env: environmentOf(service.sandbox),
    });
    if (entry !== "") stack.declarePlugin();
    expectSuccess(await stack.up());
    const posted = service.posts.length;

    stack.write("index.js", waiting(entry, "2", `${own}${added}`));
    const args = ["--pulumi", stack.program, "--", "--cwd", stack.folder];
    const { code, stdout } = await run(args, { ...stack.env, GITHUB_ACTIONS: "" });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`^## Preview: ${verdict}`),
    });
    expect(stdout).toContain('IncidentUpdate "flag" changes only in the state: nothing is posted');
    expect(stdout).toMatch(/IncidentUpdate "story-.*2" \(2 of 2\) posts to .*\n.*\n\n> Two\.\n/);
    expect(stdout).not.toMatch(/"z"|Call/);
    expect(service.posts).toHaveLength(posted);
  },
);
