/** What is explored, here or in worker threads, one for each processor. */
const events = require("node:events");
const os = require("node:os");
const { isMainThread, parentPort, Worker } = require("node:worker_threads");
const { inParallel } = require("../../tools/setup/run");
const { configurations, unguarded } = require("./configurations");
const { choices, drawn } = require("./configurations/drawn");
const { explore, modelOf } = require("./search");
const { switches } = require("./switches");

/**
 * @import { Configuration } from "./world"
 *
 * @typedef {keyof typeof jobsOf} Kind
 *
 * @typedef {object} Job
 * @property {Kind} kind
 * @property {string} name of the configuration, or of the rule that is switched off
 * @property {Configuration} config
 * @property {number} [most] states to find
 * @property {number} [choices] the seed of the order in which they are visited; without one, the nearest first
 *
 * @typedef {Omit<import("./search").Explored, "trace"> & {trace: readonly string[]}} Found
 */

/** With more, the memory of a small machine would not suffice. */
const mostStates = 1_000_000;

const jobsOf = {
  configurations: (/** @type {boolean} */ isLarger = false) =>
    configurations.map((config) => ({
      ...jobOf("configurations", isLarger ? withLargerBounds(config) : config),
      most: mostStates,
    })),
  unguarded: () => unguarded.map((config) => jobOf("unguarded", config)),
  drawn: (seed = 1, count = 20, most = 1_000) =>
    drawn(seed, count).map((config, index) => ({ ...jobOf("drawn", config), most, choices: index + 1 })),
  switches: () =>
    switches.flatMap(({ name, caughtBy }) =>
      configurations
        .filter((config) => config.name === caughtBy)
        .map((config) => ({ ...jobOf("switches", config), name })),
    ),
};

/** @param {Kind} kind @param {Configuration} config @returns {Job} */
function jobOf(kind, config) {
  return { kind, name: config.name, config };
}

/** @param {Configuration} config @returns {Configuration} */
function withLargerBounds(config) {
  return { ...config, interleaves: true, bounds: config.larger ?? config.bounds };
}

/** @param {Job} job */
function exploredBy({ kind, name, config, most, choices: seed }) {
  const off = kind === "switches" ? switches.find((each) => each.name === name)?.off : undefined;
  return explore(modelOf(config, off), most, seed === undefined ? undefined : choices(seed));
}

/** @param {Job} job @returns {Found} */
function foundBy(job) {
  const { trace, ...found } = exploredBy(job);
  return { ...found, trace: trace.map(({ label }) => label) };
}

/** Most of a worker's memory is garbage at once: collecting it less often saves a seventh of the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 };

/** @param {readonly Job[]} jobs @param {(text: string) => void} tell @returns {Promise<Found[]>} in the order of the jobs */
async function foundByWorkers(jobs, tell) {
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
    return found;
  };
  try {
    return await inParallel(jobs, work, tell, workers.length);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

if (!isMainThread)
  parentPort?.on("message", (/** @type {Job} */ job) => parentPort?.postMessage(foundBy(job)));

module.exports = { exploredBy, foundBy, foundByWorkers, jobsOf };
