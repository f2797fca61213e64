/** The arguments of `npm run soak`. */
const { parseArgs } = require("node:util");
const { SetupFailure } = require("../scripts/setup/failure");
const { stages } = require("./stages");

/**
 * @param {string[]} args
 * @returns {import(".").Options & {names: string[]}}
 * @throws {SetupFailure} lists all mistakes
 */
function optionsOf(args) {
  const { values, positionals } = parsed(args);
  const { short, seed = "1", runs, replay } = values;
  const names = positionals.length > 0 ? positionals : Object.keys(stages);
  const mistakes = [
    ...names.filter((name) => !Object.hasOwn(stages, name)).map(unknown),
    ...(isCount(seed) && isCount(runs ?? "1") ? [] : ["--seed and --runs take a positive integer."]),
    ...((runs ?? replay) !== undefined && positionals.length !== 1
      ? ["--runs and --replay need the name of one stage."]
      : names.flatMap((name) => notFor(name, runs, replay))),
  ];
  if (mistakes.length > 0) throw new SetupFailure(mistakes.join("\n"));
  return {
    names,
    short,
    seed: Number(seed),
    ...(runs !== undefined && { runs: Number(runs) }),
    ...(replay !== undefined && { replay }),
  };
}

/** @param {string[]} args */
function parsed(args) {
  const text = /** @type {const} */ ({ type: "string" });
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { short: { type: "boolean", default: false }, seed: text, runs: text, replay: text },
    });
  } catch (error) {
    throw new SetupFailure(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} name */
function unknown(name) {
  return `Unknown stage: ${name}. The stages are: ${Object.keys(stages).join(", ")}`;
}

/** @param {string} text */
function isCount(text) {
  return /^[1-9]\d*$/.test(text);
}

/** @param {string} name @param {string} [runs] @param {string} [replay] */
function notFor(name, runs, replay) {
  const { counted, replay: form } = (Object.hasOwn(stages, name) && stages[name]) || {};
  const mistakes = [];
  if (runs !== undefined && !counted) mistakes.push(`${name} takes no --runs.`);
  if (replay !== undefined && !form) mistakes.push(`${name} takes no --replay.`);
  if (replay !== undefined && form && !form.pattern.test(replay))
    mistakes.push(`--replay of ${name} is ${form.form}.`);
  return mistakes;
}

module.exports = { optionsOf };
