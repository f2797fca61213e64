const path = require("node:path");
const { Project } = require("../pulumi");
const { root } = require("../setup");
const { exe, prepareProgram } = require("../setup/go");
const outputNames = require("../../sdk/outputNames.json");
const { compare } = require("./compare");

/** @typedef {{program: string, bins?: string[], isPlugin?: boolean}} Contender */
/** @typedef {Awaited<ReturnType<typeof stackOf>>} Stack */

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
  module: path.join(__dirname, "baselines", "noop"),
  file: `pulumi-resource-noop${exe}`,
  coreMinutes: 1,
};

/** A stack of one update takes the time of a run, which has no limit. */
const commands = {
  "new updates, up": { args: ["up", "--yes", "--skip-preview"], most: 1.1 },
  "unchanged, preview": { args: ["preview", "--expect-no-changes"] },
  "unchanged, up": { args: ["up", "--yes", "--skip-preview", "--expect-no-changes"], most: 1.1 },
};

/** Stacks of incident updates, ten on each incident, by this package and its plugin, and by one that does nothing. @type {import("./index").Bench} */
async function bench({ sizes, rounds = 3 }) {
  /** @type {Record<string, Contender>} */
  const contenders = {
    package: { program: ours("") },
    plugin: { program: ours("/native"), isPlugin: true },
    "a no-op plugin": { program: noops, bins: [path.dirname(await prepareProgram(noopPlugin))] },
  };
  const rows = [];
  for (const size of sizes) {
    /** @type {Stack[]} */
    const stacks = [];
    try {
      for (const [name, contender] of Object.entries(contenders))
        for (let round = 0; round < rounds; round++) stacks.push(await stackOf(name, contender, size));
      for (const [command, { args, ...limit }] of Object.entries(commands)) {
        // The figures come at the end.
        console.error(`  ${command} of ${size}, ${rounds} rounds`);
        const turns = Object.keys(contenders).map((name) => {
          const ofRounds = stacks.filter((stack) => stack.name === name);
          return [name, (/** @type {number} */ round) => ofRounds[round]?.project.mustRun(...args)];
        });
        const options = size === 1 ? {} : limit;
        rows.push(...(await compare(`${command} of ${size}`, Object.fromEntries(turns), rounds, options)));
      }
    } finally {
      for (const { project, sandbox } of stacks) {
        project.remove();
        await sandbox.close();
      }
    }
  }
  return rows;
}

/** @param {string} name @param {Contender} contender @param {number} size how many updates its program declares */
async function stackOf(name, { program, bins, isPlugin }, size) {
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
  return { name, project, sandbox };
}

module.exports = { bench };
