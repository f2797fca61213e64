// Ends a CI run: prints the number of passed and failed tests in the last line, and fails unless all tests passed. A skipped test, a
// suite that didn't load, a stage without results, and a command that failed for another reason are all treated as failed. Arguments: the
// exit code of the checks, then the results and the exit code of each tier of tests and of the explorer.
const fs = require("node:fs");

const [verified, ...tiers] = process.argv.slice(2);
/** Replaces the results of a stage that wrote none, even if it ended without an error. */
const noResults = { numPassedTests: 0, numTotalTests: 1, numRuntimeErrorTestSuites: 0 };

let passed = 0;
let failed = Number(verified !== "0");
for (let index = 0; index < tiers.length; index += 2) {
  const [results = "", tested] = tiers.slice(index);
  const tests = fs.existsSync(results) ? JSON.parse(fs.readFileSync(results, "utf8")) : noResults;
  const notPassed = tests.numTotalTests - tests.numPassedTests + tests.numRuntimeErrorTestSuites;
  passed += tests.numPassedTests;
  failed += tested === "0" ? notPassed : Math.max(notPassed, 1);
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
