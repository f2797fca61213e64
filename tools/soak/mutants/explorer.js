const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");
const { step } = require("../../setup/progress");
const { configurations } = require("../explore/configurations");
const { explore, modelOf } = require("../explore/search");

/**
 * @typedef {{line: number, column: number}} Position from 1 on
 * @typedef {{status: string, mutatorName: string, replacement: string, location: {start: Position, end: Position}}} Mutant
 */

const folder = "provider/protocol/";
/** More than any configuration has: a mutant may lead to states without end. */
const mostStates = 100_000;

/**
 * The second stage: of the mutants that survive the tests, those that violate a property of the explorer.
 * @param {string} file @param {readonly Mutant[]} survivors
 * @returns {Promise<readonly Mutant[]>}
 */
async function killedByExplorer(file, survivors) {
  if (!file.startsWith(folder)) return [];
  const source = fs.readFileSync(path.join(root, file), "utf8");
  return step(`Explore ${survivors.length} mutants of ${file}`, "up to half a minute each", () =>
    Promise.resolve(survivors.filter((mutant) => isViolated(file, replacementOf(source, mutant)))),
  );
}

/** @param {string} file @param {{text: string, by: string}} replaced */
function isViolated(file, replaced) {
  const replacement = { file: file.slice(folder.length, -".ts".length), ...replaced };
  return configurations.some((config) => {
    try {
      return explore(modelOf(config, { replacements: [replacement] }), mostStates).violation !== undefined;
    } catch {
      // The mutant throws, or isn't a program.
      return true;
    }
  });
}

/** Whole lines, and as many as occur only once. @param {string} source @param {Mutant} mutant */
function replacementOf(source, { replacement, location: { start, end } }) {
  const lines = source.split("\n");
  const at = (/** @type {Position} */ { line, column }) =>
    lines.slice(0, line - 1).join("\n").length + Number(line > 1) + column - 1;
  const mutated = source.slice(0, at(start)) + replacement + source.slice(at(end));
  let [from, to] = [start.line - 1, end.line];
  while (source.split(lines.slice(from, to).join("\n")).length > 2) {
    if (from > 0) from--;
    else to++;
  }
  const after = lines.slice(to).join("\n").length + Number(to < lines.length);
  const before = lines.slice(0, from).join("\n").length + Number(from > 0);
  return { text: lines.slice(from, to).join("\n"), by: mutated.slice(before, mutated.length - after) };
}

module.exports = { killedByExplorer };
