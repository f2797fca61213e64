const path = require("node:path");
const { root } = require("../setup");
const { exe, prepareProgram } = require("../setup/go");
const { compare } = require("./compare");
const { noop, ours, taught } = require("./programs");

/**
 * @typedef {{program: string, process: RegExp, bins?: string[], isPlugin?: boolean, checkout?: string}} Declared process: matches the
 * process of the resource provider; checkout: folder of the package, default: this repository
 */
/** @typedef {Awaited<ReturnType<typeof stackOf>>} Stack */

const perIncident = 10;

const dynamicProvider = /\bdynamic-provider\b/;

/** A native provider in Go, the fastest kind of provider for the engine. */
const noopPlugin = {
  title: "the no-op plugin",
  module: path.join(__dirname, "baselines", "noop"),
  file: `pulumi-resource-noop${exe}`,
  coreMinutes: 1,
};

/**
 * Returns the comparisons of commands that send requests. The requests and records of a large stack take longer than the starts of Node, so
 * its limits are stricter.
 *
 * @type {(size: number) => import("./compare").Pair[]}
 */
const pairsThatSend = (size) => [
  { name: "package", by: "taught", ...(size === 1 && { most: 1.05 }), ...(size >= 300 && { most: 0.95 }) },
  { name: "package", by: "package before", ...(size >= 300 && { most: 1 }) },
  { name: "package", by: "bare plugin" },
  { name: "plugin", by: "no-op" },
  { name: "plugin", by: "plugin before" },
  { name: "plugin", by: "bare plugin" },
  { name: "bare plugin", by: "no-op" },
];

/** @type {typeof pairsThatSend} */
const pairsUnchanged = () => [
  { name: "package", by: "taught" },
  { name: "package", by: "package before" },
  { name: "plugin", by: "no-op" },
  { name: "plugin", by: "plugin before" },
];

const up = ["up", "--yes", "--skip-preview"];

/** @type {Record<string, {args: string[], pairsOf: typeof pairsThatSend}>} */
const commands = {
  "new updates, up": { args: up, pairsOf: pairsThatSend },
  "unchanged, preview": { args: ["preview", "--expect-no-changes"], pairsOf: pairsUnchanged },
  "unchanged, up": { args: [...up, "--expect-no-changes"], pairsOf: pairsUnchanged },
};

/** Returns fewer rounds for big stacks, because each takes minutes. @param {number} size */
const roundsOf = (size) => (size === 100 ? 15 : size < 1_000 ? 5 : 3);

/** Compares stacks of incident updates, ten on each incident. @type {import("./index").Bench} */
async function bench({ sizes, rounds, isQuick, beside }) {
  const native = {
    process: /pulumi-resource-noop/,
    bins: [path.dirname(await prepareProgram(noopPlugin))],
  };
  const packaged = { program: ours(""), process: dynamicProvider };
  const plugin = { program: ours("/native"), process: /^\S*node\b.*\bplugin\b/, isPlugin: true };
  /** @type {Record<string, Declared>} */
  const contenders = {
    package: packaged,
    taught: { program: taught, process: dynamicProvider },
    plugin,
    "bare plugin": { program: noop("Sent"), ...native },
    "no-op": { program: noop("Resource"), ...native },
    ...(beside && {
      "package before": { ...packaged, checkout: beside },
      "plugin before": { ...plugin, checkout: beside },
    }),
  };
  const rows = [];
  for (const size of sizes)
    rows.push(...(await compareStacks(contenders, size, { rounds: rounds ?? roundsOf(size), isQuick })));
  return rows;
}

/** @param {Record<string, Declared>} contenders @param {number} size @param {import("./compare").Options} options */
async function compareStacks(contenders, size, options) {
  /** @type {Stack[]} */
  const stacks = [];
  const rows = [];
  try {
    for (const [name, contender] of Object.entries(contenders))
      // The additional stack is for the round that measures memory.
      for (let round = 0; round <= options.rounds; round++) stacks.push(await stackOf(name, contender, size));
    for (const [command, { args, pairsOf }] of Object.entries(commands)) {
      const what = `${command} of ${size}`;
      // Print the progress, because the figures are only printed at the end.
      console.error(`  ${what}, ${options.rounds} rounds`);
      const pairs = pairsOf(size).filter(({ by }) => by in contenders);
      const named = new Set(pairs.flatMap(({ name, by }) => [name, by]));
      const compared = Object.entries(contenders).filter(([name]) => named.has(name));
      const turns = compared.map(([name, contender]) => {
        const ofRounds = stacks.filter((stack) => stack.name === name);
        const run = (/** @type {number} */ round) => ofRounds[round]?.project.mustRun(...args);
        return [name, { run, process: contender.process }];
      });
      rows.push(...(await compare(what, Object.fromEntries(turns), pairs, options)));
    }
    return rows;
  } finally {
    for (const { project, sandbox } of stacks) {
      project.remove();
      await sandbox.close();
    }
  }
}

/** @param {string} name @param {Declared} contender @param {number} size number of updates that its program declares */
async function stackOf(name, { program, bins, isPlugin, checkout = root }, size) {
  /** @type {typeof import("../pulumi")} A project uses the package of the checkout that contains this module. */
  const { Project } = require(path.join(checkout, "tools", "pulumi"));
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
