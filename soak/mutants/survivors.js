/** The mutants that no test kills, without those that behave as the original does. */
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../scripts/setup");

/**
 * @typedef {Awaited<ReturnType<import("@stryker-mutator/core").Stryker["runMutationTest"]>>[number]} MutantResult
 *
 * A mutant that behaves as the original does: its place, its code, and the reason.
 * @typedef {{file: string, line: string, replacement: string, reason: string}} Equivalent
 */

/** @type {Equivalent[]} */
const equivalent = JSON.parse(fs.readFileSync(path.join(__dirname, "equivalent.json"), "utf8"));

const missed = new Set(["Survived", "NoCoverage"]);
/** A mutant that survives runs through all tests, which may take longer than Stryker's timeout. */
const undecided = "Timeout";

/**
 * @param {readonly MutantResult[]} results
 * @returns {{score: number, killed: number, count: number, equivalent: number, survivors: string[], stale: string[]}}
 */
function survivorsOf(results) {
  const known = new Set();
  const survivors = [];
  let killed = 0;
  for (const mutant of results) {
    const isMissed = missed.has(mutant.status);
    const mayBeMissed = isMissed || mutant.status === undecided;
    const match = mayBeMissed && equivalent.find((each) => !known.has(each) && isSame(each, mutant));
    if (match) known.add(match);
    else if (isMissed) survivors.push(describe(mutant));
    else if (mayBeMissed || mutant.status === "Killed") killed += 1;
  }
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
