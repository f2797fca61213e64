/**
 * The stage `explore`: visits every state of a model of the provider and checks the properties in `properties.js`. These properties are the
 * provider's guarantee.
 *
 * The model runs the real functions of `provider/protocol`, loaded by `core.js`. Other modules model their surroundings with plain values
 * (defined in `world.js`): the Pulumi engine (`engine.js`), the publication of one declaration (`task.js`), the API (`service.js`), and a user who
 * changes the program, sets resend codes (`user.js`, `resendCodes.js`) and changes the page in the dashboard (`dashboardChanges.js`).
 *
 * Each configuration defines programs for one or two resources, the behavior of the service, and how many failures, kills and changes may
 * happen. `search.js` then visits every order of these events. Two checks show that the properties and the model can be trusted. Each rule in
 * `switches.js` is switched off once, and a property must then be violated. `replay` repeats traces with real provider processes.
 */
const { step } = require("../../tools/setup/run");
const { adapters } = require("../driver/adapters");
const { all } = require("../../tools/tables");
const { configurations } = require("./configurations");
const { exploreJob, runJobsInWorkers, jobsByKind, maxStates } = require("./jobs");
const { randomTraces, randomCommands } = require("./randomTraces");
const { createProcessReplay, replay } = require("./replay");
const { formatTrace } = require("./engine");

/**
 * @import { Job, JobResult, Kind } from "./jobs"
 * @import { Figure } from "../../tools/tables"
 *
 * @typedef {Job & JobResult} Result
 */

/** @param {import("../soak").Options} options @returns {Promise<Figure[]>} */
async function stage({ short, seed, replay: only, engine, drawn, traces }) {
  if (engine !== undefined) return [await randomCommands(configurations, { seed, count: engine, only })];
  const jobs = only === undefined ? listJobs(short, seed, drawn) : listJobsByName(only, short);
  const found = await step(`Explore: ${jobs.length} configurations`, "minutes", (tell) =>
    runJobsInWorkers(jobs, tell, (job, result) => {
      if (isWrong({ ...job, ...result })) console.log(formatProblem({ ...job, ...result }));
    }),
  );
  const results = jobs.map((job, index) => ({ ...job, .../** @type {JobResult} */ (found[index]) }));
  for (const result of results) if (shouldPrintTrace(result, only)) await printTrace(result);
  const walked = configurations.filter(({ name }) => only === undefined || name === only);
  const repeated = await randomTraces(walked, { seed, each: short ? 1 : 10, most: traces });
  return [...createFigures(results), ...repeated];
}

/** The maximum number of states for each drawn service. The limit is low, because many services are drawn. */
const maxDrawnStates = 4_000;

/**
 * @param {boolean} short @param {number} seed
 * @param {number} [drawn] the number of random services. With it, the seed is always 1, because services of another seed may fail for
 *   reasons other than the change that is tested
 * @returns {Job[]}
 */
function listJobs(short, seed, drawn) {
  return [
    ...jobsByKind.configurations(!short),
    ...jobsByKind.drawn(drawn === undefined ? seed : 1, drawn ?? (short ? 20 : 1_000), maxDrawnStates),
    ...jobsByKind.unguarded(),
    ...jobsByKind.switches(),
  ];
}

/** @param {string} only @param {boolean} short @returns {Job[]} */
function listJobsByName(only, short) {
  const [, number, seed] = /^drawn (\d+) of seed (\d+)$/.exec(only) ?? [];
  const drawn = seed === undefined ? [] : jobsByKind.drawn(Number(seed), Number(number), maxDrawnStates);
  const jobs = [
    ...jobsByKind.configurations(!short),
    ...jobsByKind.unguarded(),
    ...drawn,
    ...jobsByKind.switches(),
  ];
  return jobs.filter(({ name }) => name === only);
}

/** Returns true if a configuration fails unexpectedly, or passes although it must fail. @param {Result} result */
function isWrong({ kind, config: { fails }, most, violation, isComplete }) {
  if (kind === "switches") return violation === undefined;
  if (fails !== undefined) return violation?.startsWith(`${fails}:`) !== true;
  return violation !== undefined || (most === maxStates && !isComplete);
}

/** @param {Result} result */
function formatProblem({ kind, name, config, violation, states }) {
  if (kind === "switches") return `"${config.name}" doesn't detect that ${name}`;
  const problem =
    violation ?? (config.fails ? `${config.fails} isn't violated` : `not finished after ${states} states`);
  return `${problem}: npm run soak -- explore --replay "${name}"`;
}

/** @param {Result} result @param {string | undefined} only the configuration that is replayed */
function shouldPrintTrace({ kind, name, violation }, only) {
  const isReplayed = name === only && kind !== "switches";
  return violation !== undefined && (isReplayed || kind === "configurations");
}

/** Prints the shortest trace that leads to the violation, and replays it with real provider processes. @param {Result} result */
async function printTrace(result) {
  const { trace, violation } = exploreJob(result);
  console.log(`${result.name}: ${violation}\n${formatTrace(trace)}`);
  for (const adapter of adapters) console.log(await replayTrace(trace, adapter));
}

/** @param {readonly import("./engine").Step[]} trace @param {import("../driver/adapters").Adapter} adapter */
async function replayTrace(trace, adapter) {
  const { posts, mismatch } = await replay(trace, createProcessReplay(adapter));
  return mismatch === undefined
    ? `The ${adapter.name} provider behaves the same, with ${posts} posts.`
    : `The ${adapter.name} provider behaves differently. ${mismatch}`;
}

/** @type {readonly (readonly [kind: Kind, what: string])[]} */
const figureTitles = [
  ["configurations", "configurations without a violation"],
  ["drawn", "random services without a violation"],
  ["unguarded", "configurations outside the guarantee with the expected violation"],
  ["switches", "rules whose absence is detected"],
];

/** @param {readonly Result[]} results @returns {Figure[]} */
function createFigures(results) {
  const figures = figureTitles.flatMap(([kind, what]) => {
    const ofKind = results.filter((result) => result.kind === kind);
    const right = ofKind.filter((result) => !isWrong(result));
    return ofKind.length > 0 ? [all(what, right.length, ofKind.length)] : [];
  });
  const ofConfigurations = results.filter(({ kind }) => kind === "configurations");
  const states = ofConfigurations.reduce((sum, result) => sum + result.states, 0);
  return [{ what: "states of the configurations", measured: String(states) }, ...figures];
}

module.exports = { stage };
