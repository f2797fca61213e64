const { parseArgs } = require("node:util");
const { SetupFailure } = require("../scripts/setup/failure");

/** The size of stacks that the bars are set for. */
const barSize = 500;

const usage = `npm run bench -- [BENCH]… [--sizes 1,100] [--quick] [--write]
  --sizes   numbers of resources of the engine's bench (default: 1,100,500,2000)
  --rounds  runs for each size (default: 3; once above 500)
  --quick   about a minute for all; the figures are not comparable
  --write   writes the figures to bench/README.md`;

/**
 * What the command was asked for.
 * @param {string[]} args
 * @throws {SetupFailure}
 */
function optionsOf(args) {
  const { values, positionals: named } = parsed(args);
  const { quick = false, write = false } = values;
  const rounds = quick ? 1 : Number(values.rounds ?? 3);
  const sizes = (values.sizes ?? (quick ? "20" : "1,100,500,2000")).split(",").map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
    throw new SetupFailure(
      `--sizes takes numbers of resources such as 1,100, not ${values.sizes ?? ""}\n${usage}`,
    );
  }
  if (!(Number.isInteger(rounds) && rounds > 0)) {
    throw new SetupFailure(`--rounds takes a number such as 3, not ${values.rounds ?? ""}\n${usage}`);
  }
  if (quick && write)
    throw new SetupFailure("--write takes the figures of a full run, not of a --quick one.");
  if (write && !sizes.includes(barSize))
    throw new SetupFailure(`--write takes --sizes with ${barSize} in it: the limits are set for that.`);
  return { named, sizes: sizes.sort((one, other) => one - other), rounds, quick, write };
}

/** @param {string[]} args */
function parsed(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        sizes: { type: "string" },
        rounds: { type: "string" },
        quick: { type: "boolean" },
        write: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new SetupFailure(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

module.exports = { barSize, optionsOf };
