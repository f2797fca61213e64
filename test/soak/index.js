require("../../tools/setup/nodeVersion");
const { inspect } = require("node:util");
const { prepareBuild } = require("../../tools/setup");
const { argumentsOf, command, countIn, SetupFailure } = require("../../tools/setup/run");
const { descendantsOf, signalIfThere } = require("../../tools/pulumi");
const { rowOf, textTable } = require("../../tools/tables");

/**
 * @typedef {import("../../tools/tables").Figure} Figure
 *
 * @typedef {object} Options
 * @property {boolean} short
 * @property {number} seed
 * @property {string} [replay] the name or number of one run, to repeat it
 * @property {number} [engine] how many random traces the stage `explore` repeats with `pulumi` commands, instead of the rest
 *
 * @typedef {(options: Options) => Promise<Figure[]>} Stage
 */

/** @type {Record<string, () => Stage>} */
const stages = {
  explore: () => require("../explore").stage,
  faults: () => require("./faults").stage,
};

/**
 * `npm run soak`: all stages in their long form, or the named ones. `--short` takes minutes instead of an hour; `--seed N`
 * gives other runs; `--replay RUN` repeats one; `explore --engine N` repeats N traces on the real engine. Fails when a bar is missed.
 */
command(async () => {
  const text = /** @type {const} */ ({ type: "string" });
  const flag = /** @type {const} */ ({ type: "boolean", default: false });
  const { names, values } = argumentsOf("stage", stages, {
    ...{ short: flag, seed: text, replay: text, engine: text },
  });
  const { short, seed = "1", replay, engine } = values;
  if (replay !== undefined && names.length !== 1)
    throw new SetupFailure("--replay needs the name of one stage.");
  if (engine !== undefined && names.join() !== "explore")
    throw new SetupFailure("--engine belongs to the stage explore.");
  const options = {
    short,
    seed: countIn("seed", seed),
    ...(replay !== undefined && { replay }),
    ...(engine !== undefined && { engine: countIn("engine", engine) }),
  };
  process.once("SIGINT", endWhatRuns).once("SIGTERM", endWhatRuns);
  await prepareBuild();
  const rows = [];
  let missed = false;
  for (const stage of names) {
    for (const figure of await figuresOf(stage, options)) {
      missed ||= figure.met === false;
      rows.push([stage, ...rowOf(figure)]);
    }
  }
  console.log(textTable([["stage", "figure", "measured", "required", "result"], ...rows]));
  return missed ? 1 : 0;
});

/**
 * A stage that throws or measures nothing misses its bars. The others still run.
 * @param {string} name
 * @param {Options} options
 * @returns {Promise<Figure[]>}
 */
async function figuresOf(name, options) {
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
