/**
 * Tests the components, and an update of the dynamic provider, where the engine is involved. test/journeys/native.test.ts tests the
 * plugin's components.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seedData, wellKnown } from "../../sandbox";
import { nobodyListens } from "../client/services";
import { withoutIdsAndTimes } from "../docs/markdown";
import { incidentId, Service } from "./service";
import { createStack, toEnvironment, expectFailure, expectSuccess, listResources, type Stack } from "./stack";

const { legacyHook, onCall, operationsMail } = wellKnown.alertChannels;
const { searchLag } = wellKnown.statusPageIncidents;
const openIncidents = 'OpenIncidentGate "gate": 2 open incidents:';
const absent = 99;
/** A setting that is overridden by the variable with the same name. */
const plainKey = "mon_plain";
const [existing] =
  seedData().accounts[0].statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates ?? [];

const service = new Service(beforeAll, afterAll);

const published = (): object[] =>
  service.published().map(({ status, description }) => ({ status, description }));
/** Returns the IDs of updates in the state whose names start with this text. */
const tracked = async (stack: Stack, name: string): Promise<unknown[]> =>
  (await listResources(stack)).flatMap(({ urn, id }) => (urn.includes(`::${name}`) ? id : []));

/**
 * The program's declarations are in a separate file. Resources of this package and of other packages wait for the audit and for the gate.
 */
const program = `
  const pulumi = require("@pulumi/pulumi");
  const m = require("pulumi-monitoring-service");
  const { audited, open, release, rewritten, updates, mistaken } = require("./declared.json");
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
  // This update only waits for the audit.
  const single = { incidentId: "${searchLag}", status: "MONITORING" };
  const secret = new m.IncidentUpdate(
    "secret", { ...single, description: pulumi.secret("Canary words.") }, { deleteBeforeReplace: true },
  );
  const gate = new m.OpenIncidentGate("gate", open);
  new Other("after-audit", {}, { dependsOn: audit });
  new Other("after-gate", {}, { dependsOn: gate });
  // Another resource determines the description of each entry.
  const { id } = new Other("release", { version: release }, { dependsOn: gate });
  const story = new m.IncidentTimeline("story", {
    incidentId: "${incidentId}",
    updates: updates.map(({ status, description }, index) => ({
      key: "part-" + index, status, description: id.apply(() => description),
    })),
  });
  // With another \`replacementTrigger\`, the engine replaces the update without a call of \`diff\`.
  new m.IncidentUpdate(
    "kept",
    { ...single, description: "Kept words." + rewritten },
    { dependsOn: [story, secret], replacementTrigger: "release " + release },
  );
  exports.said = m.IncidentUpdate.get("by-hand", "${incidentId}/${existing?.id}").description;
  exports.ids = story.incidentUpdateIds;
  exports.findings = audit.findings.apply((all) => all.map(({ rule }) => rule));
  if (mistaken) {
    const { id } = m.getStatusPageIncidentOutput({ incidentId: "inc_checkout_latencyy" });
    new m.IncidentUpdate("of-none", { incidentId: id, status: "MONITORING", description: "Slow." });
    exports.none = pulumi.interpolate\`\${m.getAlertChannelOutput({ name: "on-cal" }).type} channel\`;
    exports.unread = m.getStatusPageOutput({ name: "Shop", account: "away" });
  }`;

const found = { status: "IDENTIFIED", description: "A bad release." };
const watching = { status: "MONITORING", description: "Rolled back." };
const done = { status: "RESOLVED", description: "All good." };

/** Runs one stack four times. Returns the output and the state after each run. */
async function run() {
  const names = { "on-call": onCall, mail: operationsMail, hook: legacyHook };
  const env = { ...toEnvironment(service.sandbox), MONITORING_ALERT_CHANNELS: JSON.stringify(names) };
  const unreachable = { apiKey: "unused", baseUrl: nobodyListens };
  const settings = {
    "monitoring:timeoutms": "1",
    "monitoring:apiKey": plainKey,
    "monitoring:accounts!": JSON.stringify({ away: unreachable }),
  };
  const stack = await createStack({ program, settings, env });
  stack.write("audit.yaml", "extends: recommended\nrules: { stale: off }\n");
  const up = async (
    declared: Readonly<Record<string, unknown>> & { readonly audited: object },
    ...args: string[]
  ) => {
    const audited = { rules: "audit.yaml", report: "audit.html", ...declared.audited };
    stack.write("declared.json", JSON.stringify({ rewritten: "", ...declared, audited }));
    const ended = await stack.up(...args);
    return {
      ended,
      published: published(),
      singles: service.published(searchLag).map(({ description }) => description),
      posts: service.posts.length,
      state: stack.stateText,
      entries: await tracked(stack, "story-"),
      secret: await tracked(stack, "secret"),
    };
  };

  const closed = await up({
    ...{
      audited: { channels: ["mail", "hook", absent] },
      open: { atLeast: "CRITICAL", atLeastImpact: "MAJOR_OUTAGE" },
    },
    ...{ release: 1, updates: [found], mistaken: true },
  });
  const report = readFileSync(join(stack.folder, "audit.html"), "utf8");

  const advisory = { channels: ["mail", absent], enforcement: "advisory" };
  const next = { audited: advisory, open: { services: ["Product pages"] } };
  const first = { ...next, release: 1, updates: [found, watching, found] };
  const passed = await up(first, "--diff");
  const outputs = await stack.outputs();
  const ids = service.published().map(({ id }) => id);

  // The replacement fails between its deletion and its creation.
  service.sandbox.faults.add({ kind: "status", code: 403, operation: "getStatusPageIncident" });
  const [secret] = (await listResources(stack)).filter(({ urn }) => urn.endsWith("::secret"));
  const failed = await up(first, "--replace", secret?.urn ?? "");

  // The engine replaces the resource that the descriptions depend on. A deleted update would be posted again.
  service.sandbox.faults.clear();
  service.sandbox.dashboard.deleteUpdate(incidentId, service.newestId);
  const updates = [found, watching, found, done];
  const replaced = await up({ ...next, release: 2, rewritten: " Other words.", updates });
  return { closed, report, passed, outputs, ids, failed, replaced };
}

describe("the components of a program", () => {
  let ran: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => (ran = await run()));

  it("the components of a program fail before dependent resources: a closed gate and a mandatory audit with all findings", () => {
    const { ended, posts, state } = ran.closed;
    expectFailure(
      ended,
      openIncidents,
      /^ +- CRITICAL "Some card payments are declined" \(inc_card_declines, on .*\n +- MAJOR_OUTAGE "Orders can't be placed" \(inc_checkout_outage, on Shop\)\.\n +No resource/m,
      'AlertChannelAudit "alerting": the audit failed. No resource that depends on it was changed.',
      /error +4107 mail +EMAIL +send-failure +sendFailure: false, expected true/,
      /error +4106 hook +WEBHOOK +https-hook +config\.url: http, expected https/,
      /not evaluable +99 +channel-read +channel: getAlertChannel 99: not found \(HTTP 404\)/,
    );
    expect(ended.output.match(/^ *error +4107 mail/gm)).toHaveLength(1);
    expect(ended.output).not.toContain("error serializing property");
    expect(ran.report).toContain("https-hook");
    expect(posts).toBe(0);
    expect(state).not.toContain('"id":"made"');
  });

  it("the components of a program report errors in settings and data sources without a stack trace", () => {
    const { stdout } = ran.closed.ended;
    const said = withoutIdsAndTimes(/Diagnostics:\n(.*?)\n\n/s.exec(stdout)?.[1] ?? stdout);
    for (const warning of [
      `monitoring:timeoutms is not a known setting and has no effect (did you mean "timeoutMs"?). Known settings: apiKey,`,
      "monitoring:apiKey is stored in plain text. Run `pulumi config set --secret monitoring:apiKey`",
    ])
      expect(said.split(warning)).toHaveLength(2);
    // A complete error object in the log would be endless and use all memory.
    const errors = [...said.matchAll(/^    error: (.*)$/gm)].map(([, error]) => error);
    expect(errors.sort()).toEqual([
      'AlertChannelAudit "alerting": the audit failed. No resource that depends on it was changed.',
      openIncidents,
      expect.stringMatching(
        /^getAlertChannel with name "on-cal": not found \(did you mean "on-call"\?\)\. Available: on-call, mail, hook, On call \(ID 4101\), /,
      ),
      'getStatusPageIncident inc_checkout_latencyy: not found (HTTP 404): "There is no status-page incident "inc_checkout_latencyy" in this account". Did you mean "inc_checkout_latency"? If the incident is on a status page with components, also set `statusPageId`. Otherwise, the ID may belong to a different account. Check the account ID and the base URL. Request ID: <id>.',
      "listStatusPages: the service could not be reached at http://<here> (ECONNREFUSED). Check monitoring:accounts.away.baseUrl, the network and any proxy.",
    ]);
  });

  it("the components of a program write no credential to the log, the report or the state", () => {
    const { closed, passed, report } = ran;
    expect(closed.ended.output).not.toContain(plainKey);
    for (const text of [closed.ended.output, report, closed.state, passed.state]) {
      expect(text).not.toContain(service.sandbox.apiKey);
      expect(text).not.toContain("not-a-secret");
    }
  });

  it("the components of a program return their results to the program: an advisory audit with warnings and an existing update", () => {
    const output = expectSuccess(ran.passed.ended);
    expect(output).toMatch(/warning: AlertChannelAudit "alerting":\n *not evaluable +99 +channel-read/);
    expect(output).toMatch(/\n *error +4107 mail +EMAIL +send-failure/);
    const { ids, findings, said } = ran.outputs;
    expect([ids, said]).toEqual([ran.ids, existing?.description]);
    expect(findings).toContain("send-failure");
  });

  it("the components of a program keep a secret description secret", () => {
    const { ended, singles, state } = ran.passed;
    expect(singles).toContain("Canary words.");
    expect(ended.output + state).not.toContain("Canary");
  });

  it("the components of a program leave an update public if its replacement fails, and report that once", () => {
    const { ended, state } = ran.failed;
    expectFailure(ended, "HTTP 403", "The update stays public");
    const [, said = ended.output] = /IncidentUpdate \(secret\):\n((?: {4}.*\n)+)/.exec(ended.output) ?? [];
    expect(said.trim()).toMatch(
      /^error: IncidentUpdate "secret": getStatusPageIncident \S+: permission denied \(HTTP 403\): .*$/,
    );
    expect(state).toContain('"pendingReplacement":true');
  });

  it("the components of a program later post only added updates, in order, and don't repeat replaced updates", () => {
    const { entries, published, secret, singles, state } = ran.replaced;
    expect(entries).toEqual([...ran.passed.entries, `${incidentId}/${service.newestId}`]);
    expect(published).toEqual([found, watching, done]);
    expect(secret).toEqual(ran.passed.secret);
    expect(state).not.toContain('"pendingReplacement":true');
    expect(singles).toHaveLength(2);
  });

  it("the components of a program reject a change that isn't allowed, even if the engine replaces it without a diff", () => {
    expectFailure(ran.replaced.ended, "description must not change, because the update is public");
  });
});
