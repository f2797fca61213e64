/** What the run without a mutant showed. It lies in Stryker's copy of the project. */
const fs = require("node:fs");
const path = require("node:path");

/**
 * Milliseconds: of each test file, and of each of its tests by its full name.
 * @typedef {Record<string, {ms: number, tests: Record<string, number>}>} DryRun
 */

const file = path.join(__dirname, "dryRun.json");

/** @returns {DryRun | undefined} nothing while it runs */
function dryRun() {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : undefined;
}

/** @param {DryRun} shown */
function keepDryRun(shown) {
  fs.writeFileSync(file, JSON.stringify(shown));
}

module.exports = { dryRun, keepDryRun };
