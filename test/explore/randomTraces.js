/** Random traces of the explorer, repeated by what ships: provider processes, or `pulumi` commands. */
const { inspect } = require("node:util");
const fc = require("fast-check");
const { inParallel, step } = require("../../tools/setup/run");
const { adapters } = require("../driver/adapters");
const { all } = require("../../tools/tables");
const { textOf } = require("./engine");
const { Commands, replay } = require("./replay");
const { modelOf, stepsBy } = require("./search");

/** @typedef {import("./world").Configuration} Configuration */

/** Far more than any trace has. */
const mostSteps = 1_000;
/** A search of the driver ends after one more. */
const mostLooks = 3;

/**
 * Random traces, repeated by real provider processes.
 * @param {readonly Configuration[]} configs @param {{seed: number, each: number}} options
 */
function randomTraces(configs, { seed, each }) {
  const alone = configs.filter(isAlone);
  const walked = alone.flatMap((config) => Array.from({ length: each }, () => config));
  return repeated("real processes", walked, (config, walk) => walkOf(config, seed * walked.length + walk));
}

/**
 * Random traces, repeated by real `pulumi` commands: as in a program in TypeScript, each update waits for the one before it.
 * @param {readonly Configuration[]} configs @param {{seed: number, count: number, only: string | undefined}} options
 */
function randomCommands(configs, { seed, count, only }) {
  const chained = configs
    .filter((config) => isAlone(config) && (only === undefined || config.name === only))
    .map((config) => ({
      ...config,
      bounds: config.larger ?? config.bounds,
      programs: config.programs.map((program) => ({ ...program, chain: true })),
      ...(config.options && { options: config.options.filter(isCommand) }),
    }));
  const walked = Array.from({ length: count }, (_, walk) => chained[(seed * 7 + walk) % chained.length]);
  const trace = (/** @type {Configuration} */ config, /** @type {number} */ walk) =>
    walkOf(config, seed * 1_000 + walk, canHappen);
  return repeated("pulumi commands", walked, trace, Commands);
}

/** One process of one version runs at a time, as on one machine, and can read its files. @param {Configuration} config */
function isAlone({ parallel = 1, options = [] }) {
  return parallel === 1 && options.every(({ isOther, withoutNotes }) => !isOther && !withoutNotes);
}

/**
 * @param {string} by @param {readonly (Configuration | undefined)[]} configs one for each trace
 * @param {(config: Configuration, walk: number) => readonly import("./engine").Step[]} traceOf
 * @param {typeof Commands} [By]
 */
async function repeated(by, configs, traceOf, By) {
  const results = await step(`Explore: random traces by ${by}`, "seconds to half a minute each", (tell) =>
    inParallel(
      [...configs.entries()],
      async ([walk, config]) => {
        const adapter = adapters[walk % adapters.length];
        if (!config || !adapter) throw new Error("There is no configuration or no adapter.");
        const trace = traceOf(config, walk);
        const { mismatch } = await replay(trace, adapter, By).catch((/** @type {unknown} */ error) => ({
          mismatch: inspect(error),
        }));
        if (mismatch === undefined) return true;
        console.log(`Trace ${walk}: ${config.name}, ${adapter.name} provider: ${mismatch}\n${textOf(trace)}`);
        return false;
      },
      tell,
    ),
  );
  return all(`random traces that ${by} repeat`, results.filter(Boolean).length, results.length);
}

/** Whether a user asks for it: the engine alone replaces without an option, and `--exclude` spoils its state. @param {import("./world").Options} options */
function isCommand({ replaceWith, replaceAfterDiff, exclude }) {
  return replaceWith === undefined && replaceAfterDiff === undefined && exclude === undefined;
}

/** Whether it can be done from outside: a kill needs a request that the service holds. @param {import("./engine").Successor} successor */
function canHappen({ label }) {
  return !/KILLED before .* is recorded|^KILLED$/.test(label);
}

/**
 * @param {Configuration} config @param {number} seed
 * @param {(successor: import("./engine").Successor) => boolean} [isChosen]
 */
function walkOf(config, seed, isChosen = () => true) {
  const choices = fc.sample(fc.nat(), { seed, numRuns: mostSteps });
  let looks = 0;
  return stepsBy(modelOf(config), (all, at) => {
    const successors = all.filter(isChosen);
    const end = looks < mostLooks ? undefined : successors.find(({ event }) => event?.on === "timeUp");
    const next = end ?? successors[(choices[at] ?? 0) % successors.length];
    looks = next?.label.includes(" looks again") ? looks + 1 : looks * Number(next?.event?.on === "update");
    return next;
  });
}

module.exports = { randomCommands, randomTraces, walkOf };
