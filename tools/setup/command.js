const { inspect, parseArgs } = require("node:util");
const { isNativeError } = require("node:util/types");

/** A failure with a message for the user: what failed and what to do. It is shown without a stack. */
class SetupFailure extends Error {}

/**
 * The message of a failure of set-up or of a system call, such as a full disk. Any other error is a bug and is thrown
 * again, with its stack.
 * @param {unknown} error
 * @returns {string}
 */
function reasonOf(error) {
  if (error instanceof SetupFailure || (isNativeError(error) && "syscall" in error)) return error.message;
  throw error;
}

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

module.exports = { SetupFailure, reasonOf, argumentsOf, command, countIn };
