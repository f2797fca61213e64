/** What the run without a mutant showed. It lies in Stryker's copy of the project. */
const fs = require("node:fs");
const path = require("node:path");

/**
 * Milliseconds: of each test file, and of each of its tests by its full name.
 * @typedef {Record<string, {ms: number, tests: Record<string, number>}>} DryRun
 */

const file = path.join(__dirname, "dryRun.json");

/** Read once: every test file of every mutant asks for it. @type {DryRun | undefined} */
let known;

/** @returns {DryRun | undefined} nothing while it runs */
function dryRun() {
  if (!known && fs.existsSync(file)) known = JSON.parse(fs.readFileSync(file, "utf8"));
  return known;
}

/** @param {DryRun} shown */
function keepDryRun(shown) {
  fs.writeFileSync(file, JSON.stringify(shown));
}

module.exports = { dryRun, keepDryRun };
