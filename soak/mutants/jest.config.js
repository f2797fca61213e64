const path = require("node:path");
const everyday = require("../../jest.config");

/** Part of the path, below `test`, of the tests that must kill the mutants. */
const tests = process.env.MUTANTS_TESTS ?? "";

/**
 * How Stryker runs the tests: without type checks, which a mutant need not pass, and without tests of size. Sequencer,
 * runner and environment stop at the first test that kills the mutant: without them, the group "redaction" takes 3.5
 * times as much processor time.
 * @type {import("jest").Config}
 */
module.exports = {
  ...everyday,
  rootDir: "../..",
  testMatch: undefined,
  testRegex: [`/test/${tests}.*\\.test\\.ts$`],
  testPathIgnorePatterns: ["/node_modules/", "/test/client/(scale|faults)\\.test\\.ts$"],
  testSequencer: "<rootDir>/soak/mutants/coveringFirst.js",
  runner: path.join(__dirname, "untilKilledRunner.js"),
  // For hooks and for the dry run. With a mutant, the environment sets the timeout of each test.
  testTimeout: 10_000,
  testEnvironment: path.join(__dirname, "untilKilledEnvironment.js"),
  transform: { "\\.ts$": ["ts-jest", { tsconfig: "<rootDir>/tsconfig.json", diagnostics: false }] },
};
