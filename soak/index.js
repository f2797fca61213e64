require("../scripts/setup/nodeVersion");
const { inspect } = require("node:util");
const { command } = require("../scripts/command");
const { prepare } = require("../scripts/setup");
const { endWhatRuns } = require("./processes");
const { optionsOf } = require("./options");
const { stages } = require("./stages");
const { tableOf } = require("./table");

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
 * @property {number} [runs] instead of the stage's own number
 * @property {string} [replay] the name of one run, to repeat it
 *
 * @typedef {(options: Options) => Promise<Figure[]>} Stage
 */

/**
 * `npm run soak`: all stages in their long form, or the named ones. `--short` takes minutes instead of hours; `--seed N`
 * gives other runs; `--runs N` sets the number of runs of one stage; `--replay RUN` repeats one. Fails when a bar is missed.
 */
command(async () => {
  const { names, ...options } = optionsOf(process.argv.slice(2));
  process.once("SIGINT", endWhatRuns).once("SIGTERM", endWhatRuns);
  await prepare();
  /** @type {{stage: string, figures: Figure[]}[]} */
  const results = [];
  for (const stage of names) results.push({ stage, figures: await figuresOf(stage, options) });
  console.log(tableOf(results));
  return results.some(({ figures }) => figures.some(({ met }) => met === false)) ? 1 : 0;
});

/**
 * A stage that throws or measures nothing misses its bars. The others still run.
 * @param {string} name
 * @param {Options} options
 */
async function figuresOf(name, options) {
  const whole = { what: "the whole stage", bar: "figures", met: false };
  try {
    const figures = (await stages[name]?.load()(options)) ?? [];
    return figures.length > 0 ? figures : [{ ...whole, measured: "none" }];
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`);
    return [{ ...whole, measured: "failed" }];
  }
}
