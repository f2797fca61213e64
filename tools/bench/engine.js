const fs = require("node:fs");
const path = require("node:path");
const { Project } = require("../pulumi");
const { root } = require("../setup");
const { exe, prepareProgram } = require("../setup/go");
const { inTurns } = require("./compare");

/** @typedef {{program: string, bins?: string[], isPlugin?: boolean}} Contender */

const baselines = path.join(__dirname, "baselines");
const perIncident = 10;
const declared = 'JSON.parse(require("node:fs").readFileSync("updates.json", "utf8"))';

/** @param {string} entry */
const ours = (entry) => `const { IncidentUpdate } = require("pulumi-monitoring-service${entry}");
for (const { name, ...args } of ${declared}) new IncidentUpdate(name, args);`;

/** The same fields, declared as the SDK of a native plugin does it. */
const noops = `const { CustomResource } = require("@pulumi/pulumi");
const outputs = {};
for (const name of ["incidentId", "status", "description", "notifySubscribers", "publicIncidentUpdateDate", "occurrence",
  "onChange", "account", "incidentUpdateId", "createdAt", "published", "missing"]) outputs[name] = undefined;
class Noop extends CustomResource {
  constructor(name, args) {
    super("noop:index:Resource", name, { ...outputs, ...args }, { version: "0.0.1" });
  }
}
for (const { name, ...args } of ${declared}) new Noop(name, args);`;

const commands = {
  "new updates, up": ["up", "--yes", "--skip-preview"],
  "unchanged, preview": ["preview", "--expect-no-changes"],
  "unchanged, up": ["up", "--yes", "--skip-preview", "--expect-no-changes"],
};

/**
 * Stacks of incident updates, ten on each incident, by this package and its plugin, and what they are compared with.
 * @type {import("./compare").Bench}
 */
async function bench({ sizes, rounds }) {
  const rows = [];
  /** @type {Record<string, Contender>} */
  const contenders = {
    package: { program: ours("") },
    plugin: { program: ours("/native"), isPlugin: true },
    "an empty program": { program: "" },
    "a dynamic resource as taught": {
      program: fs.readFileSync(path.join(baselines, "inline", "index.js"), "utf8"),
    },
    "a no-op plugin": { program: noops, bins: [await noopPlugin()] },
  };
  for (const size of sizes) {
    const measured = await livesOf(contenders, size, rounds ?? (size > 100 ? 2 : size > 1 ? 5 : 9));
    for (const [command, times] of Object.entries(measured)) {
      const what = `${command} of ${size}`;
      const isUp = command !== "unchanged, preview";
      const compared = { what, one: "package", measured: times };
      rows.push(
        { ...compared, other: "an empty program" },
        { ...compared, other: "a dynamic resource as taught", ...(!isUp && { most: 1.1 }) },
        { ...compared, other: "a no-op plugin", ...(isUp && size > 1 && { most: 1.1 }) },
        { ...compared, one: "plugin", other: "a no-op plugin" },
      );
    }
  }
  return rows;
}

/**
 * What each command takes each contender, whose stacks live at the same time, and in turns.
 * @param {Readonly<Record<string, Contender>>} contenders
 * @param {number} size
 * @param {number} rounds
 */
async function livesOf(contenders, size, rounds) {
  /** @type {Record<string, Record<string, number[]>>} */
  const measured = Object.fromEntries(Object.keys(commands).map((command) => [command, {}]));
  for (let round = 0; round < rounds; round++) {
    // The figures come at the end.
    console.error(`  ${size} resources, round ${round + 1} of ${rounds}`);
    const order = Object.keys(contenders);
    const names = [...order.slice(round % order.length), ...order.slice(0, round % order.length)];
    /** @type {Map<string, Awaited<ReturnType<typeof stackOf>>>} */
    const stacks = new Map();
    try {
      for (const name of names) stacks.set(name, await stackOf(contenders[name] ?? { program: "" }, size));
      for (const [command, args] of Object.entries(commands)) {
        const turns = [...stacks].map(([name, { project }]) => [name, () => project.mustRun(...args)]);
        for (const [name, ms] of Object.entries(await inTurns(Object.fromEntries(turns), 1)))
          ((measured[command] ??= {})[name] ??= []).push(...ms);
      }
    } finally {
      for (const { project, sandbox } of stacks.values()) {
        project.remove();
        await sandbox.close();
      }
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

/** Builds the no-op plugin, a native provider in Go, which is the fastest that the engine knows. */
async function noopPlugin() {
  const program = {
    title: "the no-op plugin",
    module: path.join(baselines, "noop"),
    file: `pulumi-resource-noop${exe}`,
    coreMinutes: 1,
  };
  return path.dirname(await prepareProgram(program));
}

module.exports = { bench };
