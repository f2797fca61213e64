"use strict";

// Ends a CI run: says how many tests passed and failed, in the last line, and fails unless all did. A test that was
// skipped, a suite that didn't load and a command that failed for another reason all count as failed.

const fs = require("node:fs");

const [results = "", verified, tested] = process.argv.slice(2);
const nothing = { numPassedTests: 0, numTotalTests: 0, numRuntimeErrorTestSuites: 0 };
const tests = fs.existsSync(results) ? JSON.parse(fs.readFileSync(results, "utf8")) : nothing;

const notPassed = tests.numTotalTests - tests.numPassedTests + tests.numRuntimeErrorTestSuites;
const failed = Number(verified !== "0") + (tested === "0" ? notPassed : Math.max(notPassed, 1));

console.log(`${tests.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
