/** Creates the jobs of the explorer and runs them, in this thread or in one worker thread for each processor. */
const events = require("node:events");
const os = require("node:os");
const { isMainThread, parentPort, Worker } = require("node:worker_threads");
const { inParallel } = require("../../tools/setup/run");
const { configurations, unguarded } = require("./configurations");
const { comparisons, createWatchedFiles } = require("./comparisons");
const { choices, drawn } = require("./configurations/drawn");
const { explore, createModel } = require("./search");
const { switches } = require("./switches");

/**
 * @import { Configuration } from "./world"
 *
 * @typedef {keyof typeof jobsByKind} Kind
 *
 * @typedef {object} Job
 * @property {Kind} kind
 * @property {string} name the configuration, the rule that is switched off, or the comparison that is changed
 * @property {Configuration} config
 * @property {number} [most] the maximum number of states
 * @property {readonly string[]} [within] the configurations to visit, in this order, until one fails
 * @property {number} [choices] the seed of a random order of the states. By default, the nearest states are visited first
 *
 * @typedef {Omit<import("./search").Explored, "trace"> & {trace: readonly string[], differing?: readonly number[]}} JobResult
 * `differing`: for a watched configuration, the indexes of the changed comparisons that have a different result in it
 */

/** The maximum number of states, so that the memory of a small machine suffices. */
const maxStates = 1_000_000;
/** The number of states that `npm test` visits of each configuration. The pipeline visits all states, in larger bounds. */
const nearestStates = 50;
/** The seed for switches. Their violations are often far from the start, and this random order finds them after half of the states. */
const choicesOfSwitches = 8;

const jobsByKind = {
  configurations: (/** @type {boolean} */ isLarger = false) =>
    configurations.map((config) => ({
      ...createJob("configurations", isLarger ? withLargerBounds(config) : config),
      most: isLarger ? maxStates : nearestStates,
    })),
  unguarded: () => unguarded.map((config) => createJob("unguarded", config)),
  drawn: (seed = 1, count = 20, most = nearestStates) =>
    drawn(seed, count).map((config, index) => ({ ...createJob("drawn", config), most, choices: index + 1 })),
  switches: () =>
    switches.flatMap(({ name, caughtBy }) =>
      configurations
        .filter((config) => config.name === caughtBy)
        .map((config) => ({ ...createJob("switches", config), name, choices: choicesOfSwitches })),
    ),
  watched: () => configurations.map((config) => createJob("watched", config)),
  comparisons: (/** @type {readonly JobResult[]} */ watched = [], most = maxStates) =>
    comparisons().map(({ name }, index) => ({
      ...{
        kind: /** @type {const} */ ("comparisons"),
        name,
        config: { name, programs: [], bounds: { runs: 0 } },
      },
      most,
      // Configurations with few states are visited first, because they detect the change soonest.
      within: configurations
        .map((config, at) => ({ name: config.name, ...watched[at] }))
        .filter(({ differing }) => differing?.includes(index))
        .sort((one, other) => (one.states ?? 0) - (other.states ?? 0))
        .map((each) => each.name),
    })),
};

/** @param {Kind} kind @param {Configuration} config @returns {Job} */
function createJob(kind, config) {
  return { kind, name: config.name, config };
}

/** @param {Configuration} config @returns {Configuration} */
function withLargerBounds(config) {
  return { ...config, interleaves: true, bounds: config.larger ?? config.bounds };
}

/** @param {Job} job */
function exploreJob({ kind, name, config, most, choices: seed }) {
  const off = kind === "switches" ? switches.find((each) => each.name === name)?.off : undefined;
  return explore(createModel(config, off), most, seed === undefined ? undefined : choices(seed));
}

/** @param {Job} job @returns {JobResult} */
function runJob(job) {
  if (job.kind === "watched") return runWatched(job.config);
  if (job.kind === "comparisons") return runComparison(job);
  const { trace, ...found } = exploreJob(job);
  return { ...found, trace: trace.map(({ label }) => label) };
}

/** @param {Configuration} config @returns {JobResult} */
function runWatched(config) {
  /** @type {Set<number>} */
  const differing = new Set();
  /** @type {import("./core").Watch} */
  const watch = (first, result, others) => {
    others.forEach((other, index) => other !== result && differing.add(first + index));
    return result;
  };
  const found = explore(createModel(config, { rewrites: createWatchedFiles(), watch }));
  return { ...found, trace: [], differing: [...differing] };
}

/** @param {Job} job @returns {JobResult} */
function runComparison({ name, within = [], most = maxStates }) {
  const changed = comparisons().find((each) => each.name === name);
  let states = 0;
  for (const config of within.flatMap((each) => configurations.filter((one) => one.name === each))) {
    if (states > most) break;
    const explored = catchViolation(() => explore(createModel(config, changed), most));
    states += explored.states;
    if (explored.violation !== undefined)
      return { ...explored, states, violation: `${config.name}: ${explored.violation}`, trace: [] };
  }
  return { states, isComplete: true, trace: [] };
}

/** Treats an exception as a violation, because a changed comparison may make the protocol throw. @param {() => import("./search").Explored} visit */
function catchViolation(visit) {
  try {
    return visit();
  } catch (error) {
    return { states: 0, isComplete: false, violation: String(error) };
  }
}

/** Most of a worker's memory is garbage immediately. Collecting it less often saves a seventh of the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 };

/**
 * @param {readonly Job[]} jobs @param {(text: string) => void} tell
 * @param {(job: Job, found: JobResult) => void}[onFound] receives each result immediately, so that a long run shows a problem before it ends
 * @returns {Promise<JobResult[]>} in the order of the jobs
 */
async function runJobsInWorkers(jobs, tell, onFound) {
  const workers = Array.from(
    { length: os.availableParallelism() },
    () => new Worker(__filename, { resourceLimits }),
  );
  const idle = [...workers];
  const work = async (/** @type {Job} */ job) => {
    const worker = idle.pop();
    if (!worker) throw new Error("No worker is idle.");
    worker.postMessage(job);
    const [found] = await events.once(worker, "message");
    idle.push(worker);
    onFound?.(job, found);
    return found;
  };
  try {
    return await inParallel(jobs, work, tell, workers.length);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

if (!isMainThread)
  parentPort?.on("message", (/** @type {Job} */ job) => parentPort?.postMessage(runJob(job)));

module.exports = { exploreJob, runJob, runJobsInWorkers, jobsByKind, maxStates };
