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
 * @property {string} [replay] the name or number of one run, to repeat it
 * @property {number} [drawn] how many services the stage `explore` draws, always the same; default: others with each seed
 * @property {number} [traces] how many random traces the stage `explore` repeats by runs, and a quarter by provider processes; default: all
 * @property {number} [engine] how many random traces the stage `explore` repeats with `pulumi` commands, instead of the rest
 * @property {number} [random] how many random scenarios the stages `calls` and `worlds` play
 * @property {number} [day] a day of the week, whose groups of files alone the stage `mutants` changes; default: all
 *
 * @typedef {(options: Options) => Promise<Figure[]>} Stage
 */

/** @type {Record<string, () => Stage>} */
const stages = {
  calls: () => require("./calls").stage,
  comparisons: () => require("../explore/noticed").stage,
  explore: () => require("../explore").stage,
  mutants: () => require("./mutants").stage,
  worlds: () => require("./worlds").stage,
};

/**
 * `npm run soak`: all stages in their long form, or the named ones. `--short` takes minutes instead of an hour; `--seed N`
 * gives other runs; `--replay RUN` repeats one; `explore --drawn N` draws N services, always the same; `explore --traces N` repeats N traces of all by
 * runs, a quarter by provider processes, and `explore --engine N` N on the real engine, and nothing else;
 * `calls --random N` plays N scenarios, and `worlds --random N` N worlds; `mutants --day N` changes the files of a day of the week. `--results FILE` writes how many bars there
 * are, and how many are met. Fails when a bar is missed.
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
  process.once("SIGINT", endWhatRuns).once("SIGTERM", endWhatRuns);
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

/** What the figures are of. */
async function commit() {
  const git = (/** @type {string[]} */ ...args) => run("git", args, { cwd: root });
  const [head, changes] = await Promise.all([
    git("rev-parse", "--short=8", "HEAD"),
    git("status", "--short"),
  ]);
  if (!head.ok) return "No commit";
  return `Commit ${head.stdout.trim()}${changes.stdout === "" ? "" : " with changes"}`;
}

/** As Jest writes its results, for the last line of a CI run. @param {number} all @param {number} met */
function formatResults(all, met) {
  return JSON.stringify({ numTotalTests: all, numPassedTests: met, numRuntimeErrorTestSuites: 0 });
}

/**
 * A stage that throws or measures nothing misses its bars. The others still run.
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

/** Ends this process and all its descendants: a killed engine leaves its own running. */
function endWhatRuns() {
  for (const { pid } of descendantsOf(process.pid)) signalIfThere(pid, "SIGKILL");
  process.exit(130);
}
