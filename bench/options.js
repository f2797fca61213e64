const { parseArgs } = require("node:util");
const { SetupFailure } = require("../scripts/setup/failure");

/** The size of stacks that the bars are set for. */
const barSize = 500;

const usage = `npm run bench -- [BENCH]… [--sizes 1,100] [--quick] [--write]
  --sizes   numbers of resources of the engine's bench (default: 1,100,500,2000)
  --rounds  runs for each size (default: 3; once above 500)
  --quick   about a minute for all; the figures are not comparable
  --write   writes the figures to bench/README.md`;

const text = /** @type {const} */ ({ type: "string" });
const flag = /** @type {const} */ ({ type: "boolean", default: false });

/**
 * What the command was asked for.
 * @param {string[]} args
 * @throws {SetupFailure}
 */
function optionsOf(args) {
  try {
    const options = { sizes: text, rounds: text, quick: flag, write: flag };
    const { values, positionals: named } = parseArgs({ args, allowPositionals: true, options });
    const { quick, write } = values;
    const rounds = quick ? 1 : Number(values.rounds ?? 3);
    const sizes = (values.sizes ?? (quick ? "20" : "1,100,500,2000")).split(",").map(Number);
    if (!sizes.every(isCount))
      throw new Error(`--sizes takes numbers of resources such as 1,100, not ${values.sizes ?? ""}`);
    if (!isCount(rounds)) throw new Error(`--rounds takes a number such as 3, not ${values.rounds ?? ""}`);
    if (quick && write) throw new Error("--write takes the figures of a full run, not of a --quick one.");
    if (write && !sizes.includes(barSize))
      throw new Error(`--write takes --sizes with ${barSize} in it: the limits are set for that.`);
    return { named, sizes: sizes.sort((one, other) => one - other), rounds, quick, write };
  } catch (error) {
    throw new SetupFailure(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

/** @param {number} value */
function isCount(value) {
  return Number.isInteger(value) && value > 0;
}

module.exports = { barSize, optionsOf };
