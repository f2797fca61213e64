require("../scripts/setup/nodeVersion");
const { inspect, parseArgs } = require("node:util");
const { command } = require("../scripts/command");
const { descendantsOf, signalIfThere } = require("../scripts/processes");
const { prepare } = require("../scripts/setup");
const { SetupFailure } = require("../scripts/setup/failure");
const { textTable } = require("../scripts/table");

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} measured
 * @property {string} bar the required value
 * @property {boolean} [met] whether the bar is met; missing without a bar
 *
 * @typedef {object} Options
 * @property {boolean} short
 * @property {number} seed
 * @property {string} [replay] the name or number of one run, to repeat it
 *
 * @typedef {(options: Options) => Promise<Figure[]>} Stage
 */

/** @type {Record<string, () => Stage>} */
const stages = {
  explore: () => require("./explore").stage,
  faults: () => require("./faults").stage,
  kills: () => require("./machines").kills,
  machines: () => require("./machines").stage,
};

/**
 * `npm run soak`: all stages in their long form, or the named ones. `--short` takes minutes instead of an hour; `--seed N`
 * gives other runs; `--replay RUN` repeats one. Fails when a bar is missed.
 */
command(async () => {
  const { names, ...options } = optionsOf(process.argv.slice(2));
  process.once("SIGINT", endWhatRuns).once("SIGTERM", endWhatRuns);
  await prepare();
  const rows = [];
  let missed = false;
  for (const stage of names) {
    for (const { what, measured, bar, met } of await figuresOf(stage, options)) {
      missed ||= met === false;
      rows.push([stage, what, measured, bar, met === undefined ? "" : met ? "ok" : "MISSED"]);
    }
  }
  console.log(textTable([["stage", "figure", "measured", "required", "result"], ...rows]));
  return missed ? 1 : 0;
});

/**
 * @param {string[]} args
 * @returns {Options & {names: string[]}}
 * @throws {SetupFailure}
 */
function optionsOf(args) {
  try {
    const text = /** @type {const} */ ({ type: "string" });
    const options = /** @type {const} */ ({ short: { type: "boolean" }, seed: text, replay: text });
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const { short = false, seed = "1", ...rest } = values;
    const names = positionals.length > 0 ? positionals : Object.keys(stages);
    const unknown = names.filter((name) => !Object.hasOwn(stages, name));
    if (unknown.length > 0)
      throw new Error(
        `Unknown stage: ${unknown.join(", ")}. The stages are: ${Object.keys(stages).join(", ")}`,
      );
    if (!/^[1-9]\d*$/.test(seed)) throw new Error("--seed takes a positive integer.");
    if (rest.replay !== undefined && positionals.length !== 1)
      throw new Error("--replay needs the name of one stage.");
    return { names, short, seed: Number(seed), ...rest };
  } catch (error) {
    throw new SetupFailure(error instanceof Error ? error.message : String(error));
  }
}

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
