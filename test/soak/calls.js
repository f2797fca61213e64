/**
 * Plays random scenarios with a process of each adapter and with a run without an adapter, and compares them. Their messages, posts and
 * states must be equal. The explorer tests whether the shared behavior is correct.
 */
const os = require("node:os");
const path = require("node:path");
const { inspect } = require("node:util");
const fc = require("fast-check");
const { root } = require("../../tools/setup");
const { inParallel, step } = require("../../tools/setup/run");
const { all } = require("../../tools/tables");
const { adapters, isSecret, secret } = require("../driver/adapters");
const { Clock } = require("../driver/clock");
const { ProviderProcess } = require("../driver/provider");
const { RunThread } = require("../driver/runs");
const { Project } = require("../driver/scenario");

/**
 * @import { Sandbox } from "../../sandbox"
 * @import { Begin, Step } from "../driver/scenario"
 */

/** @type {typeof import("../../sandbox")} */
const { startSandbox, wellKnown } = require(path.join(root, "dist", "sandbox"));
const { unknownValue } = /** @type {typeof import("../../provider/engine")} */ (
  require(path.join(root, "dist", "provider", "engine"))
);

const incidents = [wellKnown.statusPageIncidents.checkoutLatency, wellKnown.statusPageIncidents.searchLag];
const { legacyHook, operationsMail } = wellKnown.alertChannels;
const some = fc.constantFrom;
const text = some("Alpha.", "Beta.", "Gamma.", "Späť  — 警報 🚨 <b>");
/** Invalid arguments are rare, because a resource that `check` rejects isn't tested any further. */
const wrong = fc.oneof(
  { arbitrary: fc.constant({}), weight: 12 },
  some(
    { publicIncidentUpdateDate: "soon" },
    { account: "eu" },
    { status: "FINE" },
    { incidentId: "gone" },
    { typo: 1 },
  ),
);
const update = fc
  .tuple(
    fc.record(
      {
        incidentId: some(...incidents, ...incidents, unknownValue),
        status: some("MONITORING", "MONITORING", "RESOLVED", secret("MONITORING")),
        description: fc.oneof({ arbitrary: text, weight: 5 }, text.map(secret), some(unknownValue)),
        notifySubscribers: some(true, false, unknownValue),
      },
      { requiredKeys: ["incidentId", "status", "description"] },
    ),
    wrong,
  )
  .map(([declared, mistake]) => ({ ...declared, ...mistake }));
/** Contains no invalid arguments. The SDK collects problems of observed resources, but here the plugin is called without the SDK. */
const channel = fc.record(
  {
    channelId: some(
      legacyHook,
      operationsMail,
      String(operationsMail),
      operationsMail,
      999_999,
      unknownValue,
    ),
    expect: some({ sslExpiry: true }, { sendFailure: true }, { sendFailure: false }, unknownValue),
  },
  { requiredKeys: ["channelId"] },
);
const opening = fc.record({
  statusPageId: some(wellKnown.componentPages.shop),
  name: some("Upgrade 42", "Upgrade 42", "Upgrade 43"),
  impacts: some([], [{ component: "Cart", status: "UNDER_MAINTENANCE" }]),
  status: some("MONITORING"),
  description: text,
  notifySubscribers: some(true),
});
const program = fc.record(
  { opened: opening, a: update, b: update, c: update, mail: channel },
  { requiredKeys: [] },
);
const names = some("a", "b", "c");
const operation = "createIncidentUpdate";
const opens = "openComponentPageIncident";
const seldom = { requiredKeys: /** @type {never[]} */ ([]) };
const happening = fc.record(
  {
    refresh: some(true),
    answers: some(true),
    // No update is deleted. In a preview, the `check` of a dynamic provider decides about a new resource before it receives the other
    // resources' states, so it would wait because of their notes.
    dashboard: fc.dictionary(names, some({ description: "By hand." }), { maxKeys: 1 }),
    policy: fc.dictionary(
      names,
      some({ description: "Remediated." }, { notifySubscribers: true }, { tags: "x" }),
      {
        maxKeys: 1,
      },
    ),
    faults: some(
      [{ kind: "reset", operation, times: 1 }],
      [{ kind: "reset", operation, times: 1, applied: true }],
      [{ kind: "reset", operation: opens, times: 1, applied: true }],
      [{ kind: "status", operation, code: 400, times: 1 }],
      [{ kind: "status", operation, code: 503, times: 1, applied: true }],
    ),
  },
  seldom,
);

/** @type {fc.Arbitrary<Step>} */
const command = fc
  .tuple(some("preview", "up", "up", "killed"), program, happening, fc.boolean(), some(operation, opens))
  .map(
    ([what, declared, happens, applied, killedAt]) =>
      /** @type {Step} */ (
        what === "preview"
          ? // In a preview, a dynamic provider decides about new resources in `check`, before a policy changes the inputs.
            { ...happens, policy: {}, faults: [], preview: declared }
          : what === "up"
            ? { ...happens, up: omitUnknown(declared) }
            : {
                ...happens,
                up: omitUnknown(declared),
                killed: "SIGKILL",
                faults: [{ kind: "hang", operation: killedAt, applied }],
              }
      ),
  );
/** Scenarios without the prototypes that fast-check adds. @type {fc.Arbitrary<Step[]>} */
const scenario = fc
  .array(command, { minLength: 2, maxLength: 5 })
  .map((steps) => JSON.parse(JSON.stringify(steps)));

/** Replaces unknown values, because all values are known in an `up`. @param {import("../driver/stack").Program} declared */
function omitUnknown(declared) {
  const values = {
    incidentId: incidents[0],
    description: "Known.",
    notifySubscribers: false,
    channelId: legacyHook,
  };
  const text = JSON.stringify(declared, (key, value) =>
    value === unknownValue ? Object(values)[key] : value,
  );
  return JSON.parse(text);
}

/** @param {import(".").Options} options @returns {Promise<import(".").Figure[]>} */
async function stage({ short, seed, replay, random = short ? 20 : 300 }) {
  const drawn = [...fc.sample(scenario, { seed, numRuns: random }).entries()];
  const wanted = replay === undefined ? drawn : drawn.filter(([index]) => index === Number(replay));
  const results = await step("Calls", `${wanted.length} scenarios, seconds each`, (tell) =>
    inParallel(
      wanted,
      async ([index, steps]) => {
        const difference = await findDifference(steps);
        if (difference !== undefined)
          console.log(`Scenario ${index}: ${difference}\n${inspect(steps, { depth: null })}`);
        return difference === undefined;
      },
      tell,
      // Scenarios mostly wait, so more of them than processors run concurrently.
      2 * os.availableParallelism(),
    ),
  );
  return [
    all(
      "random scenarios with the same results in both adapters",
      results.filter(Boolean).length,
      results.length,
    ),
  ];
}

/** @param {readonly Step[]} steps @returns {Promise<string | undefined>} the first difference, with the calls that led to it */
async function findDifference(steps) {
  const thread = new RunThread();
  /** @type {Begin} */
  const byRun = (config, options) => thread.start(config, options);
  try {
    const [run, ...others] = await Promise.all([
      playScenario(steps, byRun),
      ...adapters.map((adapter) =>
        playScenario(steps, (config, options) => ProviderProcess.start(config, { ...options, adapter })),
      ),
    ]);
    for (const [which, { seen, calls }] of others.entries())
      for (const [index, text] of seen.entries())
        if (text !== run.seen[index])
          return `step ${index + 1}: ${findDifferingLines(run.seen[index], text, adapters[which]?.name)}\nafter the calls ${calls}`;
    return undefined;
  } finally {
    await thread.remove();
  }
}

/** Lists the lines that only one of the two outputs contains. @param {string} [ofRun] @param {string} [other] @param {string} [name] */
function findDifferingLines(ofRun = "", other = "", name = "") {
  const only = (/** @type {string} */ one, /** @type {string} */ two) =>
    one.split("\n").filter((line) => !two.includes(line.trim()));
  return `a run alone\n${only(ofRun, other).join("\n")}\n${name} alone\n${only(other, ofRun).join("\n")}`;
}

/** @param {readonly Step[]} steps @param {Begin} begin */
async function playScenario(steps, begin) {
  const sandbox = await startSandbox();
  const clock = new Clock();
  const hurried = /** @type {Begin} */ (
    (config, { machine, env }) => begin(config, { machine, env: { ...env, ...clock.env } })
  );
  const project = new Project(hurried, sandbox, (name) =>
    name === "mail" ? "AlertChannel" : name === "opened" ? "Incident" : "IncidentUpdate",
  );
  try {
    const seen = [];
    for (const each of steps) seen.push(summarizeRun(await project.take(each), sandbox));
    return { seen, calls: project.calls };
  } finally {
    await sandbox.close();
    clock.remove();
  }
}

/**
 * Summarizes the output, requests and states of a command, without values that differ in each run.
 * @param {Awaited<ReturnType<Project["take"]>>} ended @param {Sandbox} sandbox
 */
function summarizeRun({ output, requests, resources }, sandbox) {
  const [gets, writes] = [true, false].map((reads) =>
    requests.filter(({ method }) => (method === "GET") === reads),
  );
  // In a preview of the dynamic provider, `check` rejects a change and reads the page before. The other implementations don't read it.
  const isChanged = /must not change/.test(output);
  const seen = {
    writes: writes?.map(({ path, body }) => [path, body]),
    reads: isChanged ? [] : [...new Set(gets?.map(({ path }) => path))].sort(),
    states: Object.entries(resources).map(([name, { id, inputs, outputs, unfinished }]) => [
      ...[name, id, toPlainProperties(inputs), toPlainProperties(outputs), unfinished],
    ]),
  };
  const all = inspect(seen, { depth: null, sorted: true, maxStringLength: null });
  // A process first prints its port. A run prints nothing.
  const lines = omitTimes(output.replace(/^\d+\n/, ""), sandbox)
    .split("\n")
    .filter(Boolean);
  return `${lines.sort().join("\n")}\n${omitTimes(all, sandbox)}`;
}

/** @param {string} text @param {Sandbox} sandbox */
function omitTimes(text, sandbox) {
  return [...incidents.flatMap((id) => sandbox.incident(id).incidentUpdates)]
    .reduce((seen, { id }, index) => seen.replaceAll(id, `update ${index}`), text)
    .replace(/(IncidentUpdate|AlertChannel|Incident) "\w+",?/g, "$1")
    .replace(/Connection dropped|The thread has ended\./g, "KILLED")
    .replace(/^\w+ .*?(?=: [\w, ]+ must not change)/gm, "CHANGED")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replace(/update-[0-9a-f]{16}/g, "UNCONFIRMED")
    .replace(
      /\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d UTC|\d+ \w+ ago|\bfor up to \d+ s\b|\bat: \d+|@\d{10}|127\.0\.0\.1:\d+/g,
      "AT",
    )
    .replace(/\b[0-9a-f]{8}\b/g, "CODE");
}

/**
 * Removes properties that only one adapter stores, and marks of secrets, because a dynamic provider doesn't receive them.
 * @param {Record<string, unknown>} properties
 */
function toPlainProperties({ __provider, __call, ...properties }) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isSecret(value) ? value.value : value]),
  );
}

module.exports = { stage };
