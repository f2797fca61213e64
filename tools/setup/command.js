const { inspect, parseArgs } = require("node:util");
const { SetupFailure } = require("./failure");

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

/**
 * The options of a command that does all of something, or what is named.
 * @template {NonNullable<import("node:util").ParseArgsConfig["options"]>} Options
 * @param {string} what such as "check"
 * @param {Readonly<Record<string, unknown>>} known by name
 * @param {Options} options
 * @throws {SetupFailure}
 */
function argumentsOf(what, known, options) {
  const all = Object.keys(known);
  const { values, positionals } = parsed(options);
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new SetupFailure(`Unknown ${what}: ${unknown.join(", ")}. The ${what}s are: ${all.join(", ")}`);
  return { values, names: positionals.length > 0 ? positionals : all };
}

/** @template {NonNullable<import("node:util").ParseArgsConfig["options"]>} Options @param {Options} options */
function parsed(options) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new SetupFailure(error instanceof Error ? error.message : String(error));
  }
}

/** The value of an option that is a positive integer. @param {string} option @param {string} text */
function countIn(option, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new SetupFailure(`--${option} takes positive integers, not ${text}.`);
  return Number(text);
}

module.exports = { argumentsOf, command, countIn };
