require("../../tools/setup/nodeVersion");
const fs = require("node:fs");
const { inspect } = require("node:util");
const { prepareBuild, root } = require("../../tools/setup");
const { argumentsOf, command, countIn, run, SetupFailure } = require("../../tools/setup/run");
const { descendantsOf, signalIfThere } = require("../../tools/pulumi");
const { rowOf, textTable } = require("../../tools/tables");

/**
 * @typedef {import("../../tools/tables").Figure} Figure
 *
 * @typedef {object} Options
 * @property {boolean} short
 * @property {number} seed
 * @property {string} [replay] the name or number of one run to repeat
 * @property {number} [drawn] the number of random services in the stage `explore`, always the same. By default, each seed draws other services
 * @property {number} [traces] the number of random traces that the stage `explore` repeats, a quarter of them also with provider processes. Default: all
 * @property {number} [engine] the number of random traces that the stage `explore` repeats with `pulumi` commands. Nothing else runs then
 * @property {number} [random] the number of random scenarios or worlds in the stages `calls` and `worlds`
 * @property {number} [day] a number of a day. The stage `mutants` then changes only this day's third of the groups of files
 *
 * @typedef {(options: Options) => Promise<Figure[]>} Stage
 */

/** @type {Record<string, () => Stage>} */
const stages = {
  calls: () => require("./calls").stage,
  comparisons: () => require("../explore/comparisonStage").stage,
  explore: () => require("../explore").stage,
  kills: () => require("./kills").stage,
  mutants: () => require("./mutants").stage,
  worlds: () => require("./worlds").stage,
};

/**
 * Implements `npm run soak`: runs all stages or the named stages, and fails if a figure misses its required value. README.md describes the
 * options. `--results FILE` writes the number of required figures and of met requirements to a file, for `.ci/run`.
 */
command(async () => {
  const text = /** @type {const} */ ({ type: "string" });
  const flag = /** @type {const} */ ({ type: "boolean", default: false });
  const { names, values } = argumentsOf("stage", stages, {
    ...{
      short: flag,
      seed: text,
      replay: text,
      drawn: text,
      traces: text,
      engine: text,
      random: text,
      day: text,
      results: text,
    },
  });
  const { short, seed = "1", replay, drawn, traces, engine, random, day, results } = values;
  if (replay !== undefined && names.length !== 1)
    throw new SetupFailure("--replay needs the name of one stage.");
  if ((drawn ?? traces ?? engine) !== undefined && names.join() !== "explore")
    throw new SetupFailure("--drawn, --traces and --engine belong to the stage explore.");
  if (random !== undefined && !["calls", "worlds"].includes(names.join()))
    throw new SetupFailure("--random belongs to the stages calls and worlds.");
  if (day !== undefined && names.join() !== "mutants")
    throw new SetupFailure("--day belongs to the stage mutants.");
  const options = {
    short,
    seed: countIn("seed", seed),
    ...(replay !== undefined && { replay }),
    ...(drawn !== undefined && { drawn: countIn("drawn", drawn) }),
    ...(traces !== undefined && { traces: countIn("traces", traces) }),
    ...(random !== undefined && { random: countIn("random", random) }),
    ...(engine !== undefined && { engine: countIn("engine", engine) }),
    ...(day !== undefined && { day: countIn("day", day) }),
  };
  process.once("SIGINT", endRunningProcesses).once("SIGTERM", endRunningProcesses);
  await prepareBuild();
  const figures = [];
  for (const stage of names)
    for (const figure of await measureStage(stage, options)) figures.push({ stage, ...figure });
  const rows = figures.map(({ stage, ...figure }) => [stage, ...rowOf(figure)]);
  console.log(`${await commit()}, seed ${seed}`);
  console.log(textTable([["stage", "figure", "measured", "required", "result"], ...rows]));
  const required = figures.filter(({ met }) => met !== undefined);
  const met = required.filter((figure) => figure.met);
  if (results !== undefined) fs.writeFileSync(results, formatResults(required.length, met.length));
  return met.length === required.length ? 0 : 1;
});

/** Describes the commit that the figures belong to. */
async function commit() {
  const git = (/** @type {string[]} */ ...args) => run("git", args, { cwd: root });
  const [head, changes] = await Promise.all([
    git("rev-parse", "--short=8", "HEAD"),
    git("status", "--short"),
  ]);
  if (!head.ok) return "No commit";
  return `Commit ${head.stdout.trim()}${changes.stdout === "" ? "" : " with changes"}`;
}

/** Formats the results like Jest's results, for the last line of `.ci/run`. @param {number} all @param {number} met */
function formatResults(all, met) {
  return JSON.stringify({ numTotalTests: all, numPassedTests: met, numRuntimeErrorTestSuites: 0 });
}

/**
 * Runs a stage. A stage that throws or measures nothing fails, but the other stages still run.
 * @param {string} name
 * @param {Options} options
 * @returns {Promise<Figure[]>}
 */
async function measureStage(name, options) {
  const whole = { what: "the whole stage", bar: "figures", met: false };
  try {
    const figures = (await stages[name]?.()(options)) ?? [];
    return figures.length > 0 ? figures : [{ ...whole, measured: "none" }];
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`);
    return [{ ...whole, measured: "failed" }];
  }
}

/** Kills this process and all its descendants, because a killed engine leaves its child processes running. */
function endRunningProcesses() {
  for (const { pid } of descendantsOf(process.pid)) signalIfThere(pid, "SIGKILL");
  process.exit(130);
}
