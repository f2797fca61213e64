/** Random traces of the explorer, repeated by what ships: runs, provider processes, or `pulumi` commands. */
const os = require("node:os");
const { inspect } = require("node:util");
const fc = require("fast-check");
const { inParallel, step } = require("../../tools/setup/run");
const { adapters } = require("../driver/adapters");
const { all } = require("../../tools/tables");
const { formatTrace } = require("./engine");
const { byCommands, byProcesses, byRuns, replay } = require("./replay");
const { createModel, takeSteps } = require("./search");

/** @typedef {import("./world").Configuration} Configuration */

/** Far more than any trace has. */
const mostSteps = 1_000;
/** A search of the driver ends after one more. */
const mostLooks = 3;

/** Two of so many traces, one after the other, are repeated by a process of each adapter, too: what it adds is the messages. */
const eachWithTwo = 8;

/**
 * Random traces, repeated by runs, and a part of them by real provider processes.
 * @param {readonly Configuration[]} configs
 * @param {{seed: number, each: number, most: number | undefined}} options
 *   `each`: how many of each configuration; `most`: how many of these alone
 */
async function randomTraces(configs, { seed, each, most }) {
  const all = configs.filter(isAlone).flatMap((config) => Array.from({ length: each }, () => config));
  // An odd one, so that both adapters repeat some.
  const every = most === undefined ? 1 : 2 * Math.max(0, Math.floor((all.length / most - 1) / 2)) + 1;
  const walks = [...all.entries()].filter(([walk]) => walk % every === seed % every).slice(0, most);
  if (walks.length === 0) return [];
  const trace = (/** @type {Configuration} */ config, /** @type {number} */ walk) =>
    drawWalk(config, seed * all.length + walk);
  const drawn = walks.filter((_, index) => (index + seed) % eachWithTwo < 2);
  return [
    await repeated("runs", walks, trace, alike),
    await repeated("real processes", drawn, trace, byProcesses),
  ];
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
    drawWalk(config, seed * 1_000 + walk, canHappen);
  return repeated("pulumi commands", [...walked.entries()], trace, byCommands);
}

/** Whether one process of one version runs at a time, as on one machine, and can read its files. @param {Configuration} config */
function isAlone({ parallel = 1, options = [] }) {
  return parallel === 1 && options.every(({ withoutNotes }) => !withoutNotes);
}

/** By what has no adapter. */
const alike = () => byRuns;

/**
 * @param {string} by @param {readonly (readonly [walk: number, Configuration | undefined])[]} walks
 * @param {(config: Configuration, walk: number) => readonly import("./engine").Step[]} createTrace
 * @param {(adapter: import("../driver/adapters").Adapter) => Parameters<typeof replay>[1]} byAdapter
 */
async function repeated(by, walks, createTrace, byAdapter) {
  const results = await step(`Explore: random traces by ${by}`, "seconds to half a minute each", (tell) =>
    inParallel(
      walks,
      async ([walk, config]) => {
        const adapter = adapters[walk % adapters.length];
        if (!config || !adapter) throw new Error("There is no configuration or no adapter.");
        const trace = createTrace(config, walk);
        const { mismatch } = await replay(trace, byAdapter(adapter)).catch(
          (/** @type {unknown} */ error) => ({
            mismatch: inspect(error),
          }),
        );
        if (mismatch === undefined) return true;
        console.log(
          `Trace ${walk}: ${config.name}, by ${by} (${adapter.name}): ${mismatch}\n${formatTrace(trace)}`,
        );
        return false;
      },
      tell,
      // A run waits most of its time.
      byAdapter === alike ? 2 * os.availableParallelism() : os.availableParallelism(),
    ),
  );
  return all(`random traces that ${by} repeat`, results.filter(Boolean).length, results.length);
}

/** Whether a user asks for it: the engine alone replaces without an option, and `--exclude` spoils its state. @param {import("./world").Options} options */
function isCommand({ replaceWith, replaceAfterDiff, exclude }) {
  return replaceWith === undefined && replaceAfterDiff === undefined && exclude === undefined;
}

/** Whether a process can be killed then: after a call, or while the service holds its post. @param {import("./engine").Successor} successor */
function canBeCalled({ label }) {
  return !label.includes("KILLED before it writes");
}

/** Whether a command can be killed then: while the service holds its post. @param {import("./engine").Successor} successor */
function canHappen({ label }) {
  return !/KILLED before (.* is recorded|it writes)|^KILLED$|is not saved/.test(label);
}

/**
 * Whether the clock of a process decides nothing that the model leaves open. In the model, no time passes between two runs, so it can't
 * tell which of two machines edited an update last. And its service creates all updates in a distant year, so a process that compares the
 * times of a killed run's post and of an update doesn't find that they belong together, once nothing else says so.
 * @param {import("./engine").Successor} successor
 */
function isWithoutClock({ label, world: { stacks, notes } }) {
  const noted = Object.values(notes).flat();
  if (label === "a few minutes pass")
    return noted.every(
      ({ id, edits, order }) => id !== undefined || edits !== undefined || order === undefined,
    );
  if (!label.includes(" on machine ")) return true;
  const recorded = Object.values(stacks).flatMap(({ state }) => Object.values(state));
  return noted.every(({ edits, sent, contentKey }) =>
    recorded.every(
      (each) =>
        each.kind !== "posted" ||
        each.id !== edits ||
        each.editedAt !== sent ||
        each.declared.contentKey === contentKey,
    ),
  );
}

/**
 * @param {Configuration} config @param {number} seed
 * @param {(successor: import("./engine").Successor) => boolean} [isChosen]
 */
function drawWalk(config, seed, isChosen = canBeCalled) {
  const choices = fc.sample(fc.nat(), { seed, numRuns: mostSteps });
  let looks = 0;
  return takeSteps(createModel(config), (all, at) => {
    const successors = all.filter((successor) => isChosen(successor) && isWithoutClock(successor));
    const end = looks < mostLooks ? undefined : successors.find(({ event }) => event?.kind === "timeUp");
    const next = end ?? successors[(choices[at] ?? 0) % successors.length];
    looks = next?.label.includes(" looks again") ? looks + 1 : looks * Number(next?.event?.kind === "update");
    return next;
  });
}

module.exports = { randomCommands, randomTraces };
