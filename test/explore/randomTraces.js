/** Replays random traces of the explorer with the real code: in process, with provider processes or with `pulumi` commands. */
const os = require("node:os");
const { inspect } = require("node:util");
const fc = require("fast-check");
const { inParallel, step } = require("../../tools/setup/run");
const { adapters } = require("../driver/adapters");
const { all } = require("../../tools/tables");
const { formatTrace } = require("./engine");
const { createCommandReplay, createProcessReplay, createRunReplay, replay } = require("./replay");
const { createModel, takeSteps } = require("./search");

/** @typedef {import("./world").Configuration} Configuration */

/** The maximum length of a trace. No trace is nearly as long. */
const maxSteps = 1_000;
/** The maximum number of reads in a search. The search ends at the next step. */
const maxReads = 3;

/** Of this many consecutive traces, two are also replayed with real provider processes, one with each adapter. This also tests the messages. */
const eachWithTwo = 8;

/**
 * Replays random traces in process, and some of them with real provider processes.
 * @param {readonly Configuration[]} configs
 * @param {{seed: number, each: number, most: number | undefined}} options
 *   `each`: the number of traces of each configuration; `most`: the maximum number of all traces
 */
async function replayRandomTraces(configs, { seed, each, most }) {
  const all = configs.filter(isAlone).flatMap((config) => Array.from({ length: each }, () => config));
  // The step is odd, so that each adapter replays some of the traces.
  const every = most === undefined ? 1 : 2 * Math.max(0, Math.floor((all.length / most - 1) / 2)) + 1;
  const walks = [...all.entries()].filter(([walk]) => walk % every === seed % every).slice(0, most);
  if (walks.length === 0) return [];
  const trace = (/** @type {Configuration} */ config, /** @type {number} */ walk) =>
    drawWalk(config, seed * all.length + walk);
  const drawn = walks.filter((_, index) => (index + seed) % eachWithTwo < 2);
  return [
    await replayWalks("runs", walks, trace, replayInProcess),
    await replayWalks("real processes", drawn, trace, createProcessReplay),
  ];
}

/**
 * Replays random traces with real `pulumi` commands. Each update depends on the previous update.
 * @param {readonly Configuration[]} configs @param {{seed: number, count: number, only: string | undefined}} options
 */
function replayRandomCommands(configs, { seed, count, only }) {
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
  return replayWalks("pulumi commands", [...walked.entries()], trace, createCommandReplay);
}

/** Returns true if the configuration runs one process at a time, and the process can read its notes. @param {Configuration} config */
function isAlone({ parallel = 1, options = [] }) {
  return parallel === 1 && options.every(({ withoutNotes }) => !withoutNotes);
}

/** Replays in process. The adapter doesn't matter. */
const replayInProcess = () => createRunReplay;

/**
 * @param {string} by @param {readonly (readonly [walk: number, Configuration | undefined])[]} walks
 * @param {(config: Configuration, walk: number) => readonly import("./engine").Step[]} createTrace
 * @param {(adapter: import("../driver/adapters").Adapter) => Parameters<typeof replay>[1]} createReplay
 */
async function replayWalks(by, walks, createTrace, createReplay) {
  const results = await step(`Explore: random traces by ${by}`, "seconds to half a minute each", (tell) =>
    inParallel(
      walks,
      async ([walk, config]) => {
        const adapter = adapters[walk % adapters.length];
        if (!config || !adapter) throw new Error("There is no configuration or no adapter.");
        const trace = createTrace(config, walk);
        const { mismatch } = await replay(trace, createReplay(adapter)).catch(
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
      // A run mostly waits, so more runs than processors are started.
      createReplay === replayInProcess ? 2 * os.availableParallelism() : os.availableParallelism(),
    ),
  );
  return all(`random traces that ${by} repeat`, results.filter(Boolean).length, results.length);
}

/**
 * Returns true if a user can request it with a command. Only the engine replaces a resource without an option, and `--exclude` makes the
 * engine's state invalid.
 * @param {import("./world").Options} options
 */
function isCommand({ replaceWith, replaceAfterDiff, exclude }) {
  return replaceWith === undefined && replaceAfterDiff === undefined && exclude === undefined;
}

/**
 * Returns true if a test can kill a process at this step: after a call, or while the service delays the response to a post.
 * @param {import("./engine").Successor} successor
 */
function canBeCalled({ label }) {
  return !label.includes("KILLED before it writes");
}

/**
 * Returns true if a test can kill a command at this step: while the service delays the response to a post.
 * @param {import("./engine").Successor} successor
 */
function canHappen({ label }) {
  return !/KILLED before (.* is recorded|it writes)|^KILLED$|is not saved/.test(label);
}

/**
 * Returns true if the result of this step doesn't depend on the clock of a process. There are two differences between the model and a real
 * process:
 *
 * - In the model, no time passes between two runs, so the model doesn't know which of two machines edited an update last.
 * - The model's service creates all updates in the year 2099. A process that compares the time of a killed run's post with the creation
 *   time of an update doesn't recognize them as the same, if only the times can show it.
 *
 * @param {import("./engine").Successor} successor
 */
function isWithoutClock({ label, world: { stacks, notes } }) {
  const allNotes = Object.values(notes).flat();
  if (label === "a few minutes pass")
    return allNotes.every(
      ({ id, edits, order }) => id !== undefined || edits !== undefined || order === undefined,
    );
  if (!label.includes(" on machine ")) return true;
  const recorded = Object.values(stacks).flatMap(({ state }) => Object.values(state));
  return allNotes.every(({ edits, sent, contentKey }) =>
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
  const choices = fc.sample(fc.nat(), { seed, numRuns: maxSteps });
  let looks = 0;
  return takeSteps(createModel(config), (all, at) => {
    const successors = all.filter((successor) => isChosen(successor) && isWithoutClock(successor));
    const end = looks < maxReads ? undefined : successors.find(({ event }) => event?.kind === "timeUp");
    const next = end ?? successors[(choices[at] ?? 0) % successors.length];
    looks = next?.label.includes(" looks again") ? looks + 1 : looks * Number(next?.event?.kind === "update");
    return next;
  });
}

module.exports = { randomCommands: replayRandomCommands, randomTraces: replayRandomTraces };
