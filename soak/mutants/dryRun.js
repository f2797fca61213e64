/** The durations of the run without a mutant, kept in Stryker's copy of the project. */
const fs = require("node:fs");
const path = require("node:path");

/**
 * Milliseconds: of each test file, and of each of its tests by its full name.
 * @typedef {Record<string, {ms: number, tests: Record<string, number>}>} DryRun
 */

const file = path.join(__dirname, "dryRun.json");

/** Read only once: every test file of every mutant needs it. @type {DryRun | undefined} */
let known;

/** @returns {DryRun | undefined} undefined while it runs */
function dryRun() {
  if (!known && fs.existsSync(file)) known = JSON.parse(fs.readFileSync(file, "utf8"));
  return known;
}

/** @param {DryRun} durations */
function keepDryRun(durations) {
  fs.writeFileSync(file, JSON.stringify(durations));
}

module.exports = { dryRun, keepDryRun };
