/** What is explored, here or in worker threads, one for each processor. */
const events = require("node:events");
const os = require("node:os");
const { isMainThread, parentPort, Worker } = require("node:worker_threads");
const { inParallel } = require("../../tools/setup/run");
const { configurations, unguarded } = require("./configurations");
const { comparisons, watchedFiles } = require("./comparisons");
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
 * @property {string} name of the configuration, of the rule that is switched off, or of the comparison that is changed
 * @property {Configuration} config
 * @property {number} [most] states to find
 * @property {readonly string[]} [within] the configurations that are visited one after the other, until one fails
 * @property {number} [choices] the seed of the order in which they are visited; without one, the nearest first
 *
 * @typedef {Omit<import("./search").Explored, "trace"> & {trace: readonly string[], differing?: readonly number[]}} Found
 * `differing`: of a configuration that is watched, the changes of comparisons that have another result there
 */

/** With more, the memory of a small machine would not suffice. */
const mostStates = 1_000_000;
/** `npm test` visits these of each configuration, and the pipeline all, in larger bounds. */
const nearestStates = 50;
/** What a rule that is switched off leads to is often far away: a drawn order gets there by half of the states. */
const choicesOfSwitches = 8;

const jobsByKind = {
  configurations: (/** @type {boolean} */ isLarger = false) =>
    configurations.map((config) => ({
      ...createJob("configurations", isLarger ? withLargerBounds(config) : config),
      most: isLarger ? mostStates : nearestStates,
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
  comparisons: (/** @type {readonly Found[]} */ watched = [], most = mostStates) =>
    comparisons().map(({ name }, index) => ({
      ...{
        kind: /** @type {const} */ ("comparisons"),
        name,
        config: { name, programs: [], bounds: { runs: 0 } },
      },
      most,
      // What differs soonest is noticed soonest.
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

/** @param {Job} job @returns {Found} */
function runJob(job) {
  if (job.kind === "watched") return runWatched(job.config);
  if (job.kind === "comparisons") return runComparison(job);
  const { trace, ...found } = exploreJob(job);
  return { ...found, trace: trace.map(({ label }) => label) };
}

/** @param {Configuration} config @returns {Found} */
function runWatched(config) {
  /** @type {Set<number>} */
  const differing = new Set();
  /** @type {import("./core").Watch} */
  const watch = (first, result, others) => {
    others.forEach((other, index) => other !== result && differing.add(first + index));
    return result;
  };
  const found = explore(createModel(config, { rewrites: watchedFiles(), watch }));
  return { ...found, trace: [], differing: [...differing] };
}

/** @param {Job} job @returns {Found} */
function runComparison({ name, within = [], most = mostStates }) {
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

/** A change may also make the protocol throw. @param {() => import("./search").Explored} visit */
function catchViolation(visit) {
  try {
    return visit();
  } catch (error) {
    return { states: 0, isComplete: false, violation: String(error) };
  }
}

/** Most of a worker's memory is garbage at once: collecting it less often saves a seventh of the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 };

/**
 * @param {readonly Job[]} jobs @param {(text: string) => void} tell
 * @param {(job: Job, found: Found) => void} [onFound] receives each result at once, so that a long run needn't end to show a problem
 * @returns {Promise<Found[]>} in the order of the jobs
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

module.exports = { exploreJob, runJob, runJobsInWorkers, jobsByKind, mostStates };
