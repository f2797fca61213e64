const fs = require("node:fs");
const path = require("node:path");
const { Project } = require("../pulumi");
const { root } = require("../setup");
const { program: extension } = require("../setup/engine/usable");
const { prepareProgram } = require("../setup/goPrograms");
const { atMost, median, units } = require("./report");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */
/** @typedef {import("../../sandbox").SandboxData} SandboxData */
/** @typedef {keyof typeof titles} Name */
/** @typedef {(life: Life) => number} Cost */
/** @typedef {Record<Name, Life>[]} Rounds */

const baselines = path.join(__dirname, "baselines");

/** The size of stacks that the limits are set for. */
const barSize = 500;

/** What is compared. */
const titles = { package: "this package", native: "its plugin", inline: "inline", noop: "no-op plugin" };
const names = /** @type {Name[]} */ (Object.keys(titles));

/**
 * Stacks of incident updates, ten on each incident, on the real engine: by this package, by its native plugin, by a dynamic provider that is
 * written inline, and by a native plugin that does nothing.
 * @type {import("./report").Bench}
 */
async function bench({ sizes, rounds: wanted }) {
  /** @type {Map<number, Rounds>} */
  const measured = new Map();
  for (const size of sizes) {
    const rounds = [];
    // A round of this size takes as long as several others.
    const count = size > barSize ? 1 : wanted;
    for (let round = 0; round < count; round++) {
      // Progress: the figures come at the end.
      console.error(`  ${size} resources, round ${round + 1} of ${count}`);
      rounds.push(await lives(size, round));
    }
    measured.set(size, rounds);
  }
  const atBar = measured.get(barSize);
  return [...(atBar ? bars(atBar) : []), times(measured)];
}

/** @param {Rounds} rounds */
function bars(rounds) {
  const of = `of ${barSize} updates`;
  const up = medianRatio(rounds, "package", "noop", ({ seconds }) => seconds.up);
  const preview = medianRatio(rounds, "package", "inline", ({ seconds }) => seconds.preview);
  const bytes = medianRatio(rounds, "package", "noop", (life) => life.bytes);
  const plan = medianOf(rounds, "package", ({ requests }) => requests.plan);
  const refresh = medianOf(rounds, "package", ({ requests }) => requests.refresh);
  return [
    atMost(`up ${of}, relative to the no-op plugin`, up, "ratio", 1.3),
    atMost("preview of the same, relative to the inline provider", preview, "ratio", 1.1),
    atMost("size of their state, relative to the no-op plugin", bytes, "ratio", 1.35),
    atMost("requests of the preview that they are new, ten to an incident", plan, "count", barSize / 10),
    atMost("requests of their refresh", refresh, "count", 60),
  ];
}

/** @param {ReadonlyMap<number, Rounds>} measured @returns {import("./report").Table} */
function times(measured) {
  const ratios = ["vs. inline", "vs. no-op", "plugin vs. dynamic"];
  const rows = commands.flatMap((command) =>
    [...measured].map(([size, rounds]) => {
      /** @type {Cost} */
      const seconds = (life) => life.seconds[command];
      return [
        command,
        units.count(size),
        units.count(rounds.length),
        ...names.map((name) => units.s(medianOf(rounds, name, seconds))),
        units.ratio(medianRatio(rounds, "package", "inline", seconds)),
        units.ratio(medianRatio(rounds, "package", "noop", seconds)),
        units.ratio(medianRatio(rounds, "native", "package", seconds)),
      ];
    }),
  );
  return {
    title: "Time of each command: medians, and medians of the ratios of each round",
    rows: [["command", "resources", "rounds", ...Object.values(titles), ...ratios], ...rows],
  };
}

/** The median cost for a contender. @param {Rounds} rounds @param {Name} name @param {Cost} cost */
function medianOf(rounds, name, cost) {
  return median(rounds.map((lives) => cost(lives[name])));
}

/**
 * The cost of one contender divided by that of another, in each round.
 * @param {Rounds} rounds
 * @param {Name} one
 * @param {Name} other
 * @param {Cost} cost
 */
function medianRatio(rounds, one, other, cost) {
  return median(rounds.map((lives) => cost(lives[one]) / cost(lives[other])));
}

/** `plan` previews all of it as new; `preview` finds no changes, as most previews of pull requests do. */
const flags = {
  plan: [],
  up: ["--yes", "--skip-preview"],
  preview: ["--expect-no-changes"],
  refresh: ["--yes", "--skip-preview"],
  destroy: ["--yes", "--skip-preview"],
};

/** @typedef {keyof typeof flags} Command */

const commands = /** @type {Command[]} */ (Object.keys(flags));

/**
 * @typedef {object} Life the cost of a stack of one size for a contender
 * @property {Record<Command, number>} seconds
 * @property {Record<Command, number>} requests
 * @property {number} bytes of the state of its resources
 */

/**
 * One life of a stack for each contender, from `up` to `destroy`: the contenders alternate after each command, so that
 * other load on the machine affects all alike. Each round begins with another one.
 * @param {number} size how many resources
 * @param {number} round
 */
async function lives(size, round) {
  const first = round % names.length;
  const order = [...names.slice(first), ...names.slice(0, first)];
  const lives = { package: unlived(), native: unlived(), inline: unlived(), noop: unlived() };
  /** @type {Map<Name, Contender>} */
  const started = new Map();
  try {
    for (const name of order) started.set(name, await contenders[name](size));
    for (const command of commands) {
      for (const [name, contender] of started) await run(contender, command, size, lives[name]);
    }
  } finally {
    for (const { project, sandbox } of started.values()) {
      project.remove();
      await sandbox?.close();
    }
  }
  return lives;
}

/** @returns {Life} */
function unlived() {
  const nothing = { plan: 0, up: 0, preview: 0, refresh: 0, destroy: 0 };
  return { seconds: { ...nothing }, requests: { ...nothing }, bytes: 0 };
}

/**
 * @param {Contender} contender
 * @param {Command} command
 * @param {number} size
 * @param {Life} life receives the cost
 */
async function run({ project, sandbox, type }, command, size, life) {
  sandbox?.clearRequests();
  const began = performance.now();
  await project.mustRun(command === "plan" ? "preview" : command, ...flags[command]);
  life.seconds[command] = (performance.now() - began) / 1000;
  life.requests[command] = sandbox?.requests.length ?? 0;
  if (command === "preview" || command === "plan") return;
  const tracked = (await project.resources()).filter((resource) => resource.type.endsWith(type));
  const expected = command === "destroy" ? 0 : size;
  if (tracked.length !== expected)
    throw new Error(`${command} left ${tracked.length} of ${expected} resources.`);
  if (command === "up") life.bytes = Buffer.byteLength(JSON.stringify(tracked));
}

/**
 * @typedef {object} Contender a stack of as many updates as all others have, and the service that it talks to
 * @property {Project} project
 * @property {Sandbox | undefined} sandbox
 * @property {string} type how the type of its resources ends
 */

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

/** @type {Record<Name, (size: number) => Promise<Contender>>} */
const contenders = {
  package: async (size) => ({
    ...(await withService(ours(""), size)),
    type: "dynamic/monitoring:IncidentUpdate",
  }),
  native: async (size) => {
    const contender = await withService(ours("/native"), size);
    contender.project.declarePlugin();
    return { ...contender, type: "monitoring:index:IncidentUpdate" };
  },
  inline: async (size) => {
    const program = fs.readFileSync(path.join(baselines, "inline", "index.js"), "utf8");
    return { ...(await withService(program, size)), type: "dynamic:Resource" };
  },
  noop: async (size) => {
    const project = await Project.create({ program: noops, bins: [await noopPlugin()] });
    declare(project, size);
    return { project, sandbox: undefined, type: "noop:index:Resource" };
  },
};

/** @param {string} program @param {number} size */
async function withService(program, size) {
  /** @type {typeof import("../../sandbox")} */
  const { seedData, startSandbox } = require(path.join(root, "dist", "sandbox"));
  const sandbox = await startSandbox({ seed: withIncidents(seedData(), size) });
  const project = await Project.create({
    program,
    env: {
      MONITORING_BASE_URL: sandbox.url,
      MONITORING_API_KEY: sandbox.apiKey,
      MONITORING_ACCOUNT_ID: sandbox.accountId,
    },
  });
  declare(project, size);
  return { project, sandbox };
}

/** Tells a program what to declare. @param {Project} project @param {number} size */
function declare(project, size) {
  const updates = Array.from({ length: size }, (_, index) => ({
    name: `update-${index}`,
    incidentId: incidentId(Math.floor(index / perIncident)),
    status: "MONITORING",
    description: `Hour ${index % perIncident}: still watching it.`,
    notifySubscribers: false,
  }));
  project.write("updates.json", JSON.stringify(updates));
}

/**
 * Data with as many incidents as are needed, without updates.
 * @param {SandboxData} data
 * @param {number} size how many updates there will be
 * @returns {SandboxData}
 */
function withIncidents(data, size) {
  const [first] = data.accounts;
  const [model] = first.statusPageIncidents;
  if (!model) throw new Error("The sandbox's data has no incident.");
  first.statusPageIncidents = Array.from({ length: Math.ceil(size / perIncident) }, (_, index) => ({
    ...model,
    id: incidentId(index),
    incidentUpdates: [],
  }));
  return data;
}

/** @param {number} index */
function incidentId(index) {
  return `inc_${String(index).padStart(8, "0")}`;
}

/**
 * Builds the no-op plugin, a native provider in Go, which is the fastest that the engine knows.
 * @returns {Promise<string>} the folder to be put on PATH
 */
async function noopPlugin() {
  const file = await prepareProgram({
    title: "the no-op plugin",
    module: path.join(baselines, "noop"),
    file: `pulumi-resource-noop${extension}`,
    coreMinutes: 1,
  });
  return path.dirname(file);
}

module.exports = { bench };
