/** Which mutants no test found, without those that can't be told from the original. */
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../scripts/setup");

/**
 * @typedef {Awaited<ReturnType<import("@stryker-mutator/core").Stryker["runMutationTest"]>>[number]} MutantResult
 *
 * A mutant that behaves as the original does: where it is, what it puts there, and why nobody can tell.
 * @typedef {{file: string, line: string, replacement: string, reason: string}} Equivalent
 */

/** @type {Equivalent[]} */
const equivalent = JSON.parse(fs.readFileSync(path.join(__dirname, "equivalent.json"), "utf8"));

const found = new Set(["Killed", "Timeout"]);
const missed = new Set(["Survived", "NoCoverage"]);

/**
 * @param {readonly MutantResult[]} results
 * @returns {{score: number, killed: number, count: number, equivalent: number, survivors: string[], stale: string[]}}
 */
function survivorsOf(results) {
  const known = new Set();
  const survivors = [];
  for (const mutant of results.filter(({ status }) => missed.has(status))) {
    const match = equivalent.find((each) => !known.has(each) && isSame(each, mutant));
    if (match) known.add(match);
    else survivors.push(describe(mutant));
  }
  const killed = results.filter(({ status }) => found.has(status)).length;
  const count = killed + survivors.length;
  const files = new Set(results.map(({ fileName }) => nameOf(fileName)));
  return {
    score: count === 0 ? 0 : (100 * killed) / count,
    killed,
    count,
    equivalent: known.size,
    survivors,
    stale: equivalent
      .filter((each) => files.has(each.file) && !known.has(each))
      .map(({ file, line, replacement }) => `${file}: ${line} -> ${replacement}`),
  };
}

/**
 * @param {Equivalent} known
 * @param {MutantResult} mutant
 */
function isSame({ file, line, replacement }, mutant) {
  return file === nameOf(mutant.fileName) && line === lineOf(mutant) && replacement === mutant.replacement;
}

/** @param {MutantResult} mutant */
function describe(mutant) {
  const { fileName, location, mutatorName, replacement, status } = mutant;
  const place = `${nameOf(fileName)}:${location.start.line}`;
  return `${place} ${status} ${mutatorName}: ${lineOf(mutant)} -> ${replacement}`;
}

/** @param {MutantResult} mutant */
function lineOf({ fileName, location }) {
  const lines = fs.readFileSync(fileName, "utf8").split("\n");
  return (lines[location.start.line - 1] ?? "").trim();
}

/** @param {string} fileName */
function nameOf(fileName) {
  return path.relative(root, fileName).split(path.sep).join("/");
}

module.exports = { survivorsOf };
