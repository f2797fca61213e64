const { inspect } = require("node:util");
const { SetupFailure } = require("./setup/failure");

/**
 * Runs a command of this folder. A SetupFailure is shown without a stack.
 * @param {() => Promise<number | void>} action resolves to the exit code; default: 0
 */
function command(action) {
  action().then(
    (code) => {
      process.exitCode = code ?? 0;
    },
    (/** @type {unknown} */ error) => {
      const text = error instanceof SetupFailure ? error.message : inspect(error);
      process.stderr.write(`${text}\n`);
      process.exitCode = 1;
    },
  );
}

module.exports = { command };
