const fs = require("node:fs");
const path = require("node:path");
const { Project } = require("../pulumi");
const { root } = require("../setup");
const { exe, prepareProgram } = require("../setup/go");
const outputNames = require("../../sdk/outputNames.json");
const { inTurns } = require("./compare");

/** @typedef {{program: string, bins?: string[], isPlugin?: boolean}} Contender */
/** @typedef {Awaited<ReturnType<typeof stackOf>>} Stack */

const baselines = path.join(__dirname, "baselines");
const perIncident = 10;
const declared = 'JSON.parse(require("node:fs").readFileSync("updates.json", "utf8"))';

/** @param {string} entry */
const ours = (entry) => `const { IncidentUpdate } = require("pulumi-monitoring-service${entry}");
for (const { name, ...args } of ${declared}) new IncidentUpdate(name, args);`;

/** The same fields, declared as the SDK of a native plugin does it. */
const noops = `const { CustomResource } = require("@pulumi/pulumi");
const outputs = Object.fromEntries(${JSON.stringify(outputNames.IncidentUpdate)}.map((name) => [name, undefined]));
class Noop extends CustomResource {
  constructor(name, args) {
    super("noop:index:Resource", name, { ...outputs, ...args }, { version: "0.0.1" });
  }
}
for (const { name, ...args } of ${declared}) new Noop(name, args);`;

/** A native provider in Go, which is the fastest that the engine knows. */
const noopPlugin = {
  title: "the no-op plugin",
  module: path.join(baselines, "noop"),
  file: `pulumi-resource-noop${exe}`,
  coreMinutes: 1,
};

const commands = {
  "new updates, up": ["up", "--yes", "--skip-preview"],
  "unchanged, preview": ["preview", "--expect-no-changes"],
  "unchanged, up": ["up", "--yes", "--skip-preview", "--expect-no-changes"],
};

/**
 * Stacks of incident updates, ten on each incident, by this package and its plugin, and what they are compared with.
 * @type {import("./compare").Bench}
 */
async function bench({ sizes, rounds = 3 }) {
  const taught = fs.readFileSync(path.join(baselines, "inline", "index.js"), "utf8");
  /** @type {Record<string, Contender>} */
  const contenders = {
    package: { program: ours("") },
    plugin: { program: ours("/native"), isPlugin: true },
    "a dynamic resource as taught": { program: taught },
    "a no-op plugin": { program: noops, bins: [path.dirname(await prepareProgram(noopPlugin))] },
  };
  const rows = [];
  for (const size of sizes) {
    const isOne = size === 1;
    const compared = { ...contenders, ...(isOne && { "an empty program": { program: "" } }) };
    for (const [command, measured] of Object.entries(await livesOf(compared, size, rounds))) {
      const row = { what: `${command} of ${size}`, one: "package", measured };
      const isPreview = command === "unchanged, preview";
      const limit = { most: 1.1 };
      rows.push(
        { ...row, other: "a dynamic resource as taught", ...(isPreview && limit) },
        { ...row, other: "a no-op plugin", ...(!isPreview && !isOne && limit) },
        { ...row, one: "plugin", other: "a no-op plugin" },
        ...(isOne ? [{ ...row, other: "an empty program" }] : []),
      );
    }
  }
  return rows;
}

/**
 * What each command takes each contender, which has a stack for each round.
 * @param {Readonly<Record<string, Contender>>} contenders
 * @param {number} size
 * @param {number} rounds
 */
async function livesOf(contenders, size, rounds) {
  /** @type {Record<string, import("./compare").Measured>} */
  const measured = {};
  /** @type {Stack[]} */
  const all = [];
  try {
    /** @type {Record<string, Stack[]>} */
    const stacks = {};
    for (const [name, contender] of Object.entries(contenders)) {
      for (let round = 0; round < rounds; round++) all.push(await stackOf(contender, size));
      stacks[name] = all.slice(-rounds);
    }
    for (const [command, args] of Object.entries(commands)) {
      // The figures come at the end.
      console.error(`  ${command} of ${size}, ${rounds} rounds`);
      const turns = Object.entries(stacks).map(([name, ofRounds]) => [
        name,
        (/** @type {number} */ round) => ofRounds[round]?.project.mustRun(...args),
      ]);
      measured[command] = await inTurns(Object.fromEntries(turns), rounds);
    }
  } finally {
    for (const { project, sandbox } of all) {
      project.remove();
      await sandbox.close();
    }
  }
  return measured;
}

/** @param {Contender} contender @param {number} size how many updates its program declares */
async function stackOf({ program, bins, isPlugin }, size) {
  /** @type {typeof import("../../sandbox")} */
  const { seedData, startSandbox } = require(path.join(root, "dist", "sandbox"));
  const seed = seedData();
  const [model] = seed.accounts[0].statusPageIncidents;
  if (!model) throw new Error("The sandbox's data has no incident.");
  const incidents = Array.from({ length: Math.ceil(size / perIncident) }, (_, index) => `inc_${index}`);
  seed.accounts[0].statusPageIncidents = incidents.map((id) => ({ ...model, id, incidentUpdates: [] }));
  const sandbox = await startSandbox({ seed });
  const { url, apiKey, accountId } = sandbox;
  const project = await Project.create({
    ...{ program, bins },
    env: { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId },
  });
  if (isPlugin) project.declarePlugin();
  const updates = Array.from({ length: size }, (_, index) => ({
    name: `update-${index}`,
    incidentId: incidents[Math.floor(index / perIncident)],
    status: "MONITORING",
    description: `Hour ${index % perIncident}: still watching it.`,
    notifySubscribers: false,
  }));
  project.write("updates.json", JSON.stringify(updates));
  return { project, sandbox };
}

module.exports = { bench };
