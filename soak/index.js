require("../scripts/setup/nodeVersion");
const { inspect, parseArgs } = require("node:util");
const { command } = require("../scripts/command");
const { prepare } = require("../scripts/setup");
const { SetupFailure } = require("../scripts/setup/failure");
const { tableOf } = require("./table");

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} measured
 * @property {string} bar what it is to be
 * @property {boolean} [met] whether it is; missing where nothing is promised
 *
 * @typedef {object} Options
 * @property {boolean} short
 * @property {number} seed
 * @property {number} [runs] in place of the stage's own number
 * @property {string} [replay] the one run that is to be seen again, as the stage named it
 *
 * @typedef {(options: Options) => Promise<Figure[]>} Stage
 */

/** @type {Record<string, () => Stage>} */
const stages = {
  matrix: () => require("./matrix").stage,
  kills: () => require("./kills").stage,
  model: () => require("./model").stage,
  properties: () => require("./properties").stage,
  fuzz: () => require("./fuzz").stage,
  contract: () => require("./contract").stage,
  upgrades: () => require("./upgrades").stage,
  mutants: () => require("./mutants").stage,
};

/**
 * `npm run soak`: all stages in their long form, or those that are named. `--short` for minutes instead of hours;
 * `--seed N` for other runs; `--runs N` for as many of a stage; `--replay RUN` for one of them. Fails when a bar is missed.
 */
command(async () => {
  const { names, ...options } = optionsOf(process.argv.slice(2));
  await prepare();
  /** @type {{stage: string, figures: Figure[]}[]} */
  const results = [];
  for (const stage of names) results.push({ stage, figures: await figuresOf(stage, options) });
  console.log(tableOf(results));
  return results.some(({ figures }) => figures.some(({ met }) => met === false)) ? 1 : 0;
});

/**
 * One that breaks off misses its bars, and costs the others nothing.
 * @param {string} name
 * @param {Options} options
 */
async function figuresOf(name, options) {
  try {
    return (await stages[name]?.()(options)) ?? [];
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`);
    return [{ what: "the whole stage", measured: "broke off", bar: "ends", met: false }];
  }
}

/** @param {string[]} args @returns {Options & {names: string[]}} */
function optionsOf(args) {
  const text = /** @type {const} */ ({ type: "string" });
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { short: { type: "boolean", default: false }, seed: text, runs: text, replay: text },
  });
  const unknown = positionals.filter((name) => !stages[name]);
  if (unknown.length > 0) {
    const known = Object.keys(stages).join(", ");
    throw new SetupFailure(`No stage is called ${unknown.join(", ")}. There are: ${known}`);
  }
  const { short, seed = "1", runs, replay } = values;
  const numbers = [seed, runs ?? "1"];
  if (!numbers.every((value) => /^[1-9]\d*$/.test(value)))
    throw new SetupFailure("--seed and --runs take whole numbers from 1.");
  if ((runs ?? replay) !== undefined && positionals.length !== 1) {
    throw new SetupFailure("--runs and --replay are for one stage: name it.");
  }
  return {
    names: positionals.length > 0 ? positionals : Object.keys(stages),
    short,
    seed: Number(seed),
    ...(runs !== undefined && { runs: Number(runs) }),
    ...(replay !== undefined && { replay }),
  };
}
