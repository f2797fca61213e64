const path = require("node:path");
const everyday = require("../../jest.config");

/** Part of the path of the tests that are to find the mutants, below `test`. */
const tests = process.env.MUTANTS_TESTS ?? "";

/**
 * How Stryker runs the tests: without type checks, which a mutant need not pass, and without those whose only concern is
 * size.
 * @type {import("jest").Config}
 */
module.exports = {
  ...everyday,
  rootDir: "../..",
  testMatch: undefined,
  testRegex: [`/test/${tests}.*\\.test\\.ts$`],
  testPathIgnorePatterns: ["/node_modules/", "/test/client/(scale|faults)\\.test\\.ts$"],
  testSequencer: "<rootDir>/soak/mutants/coveringFirst.js",
  runner: path.join(__dirname, "upToFinder.js"),
  // Of hooks and of the run without a mutant: a test with one has what its environment gives it.
  testTimeout: 10_000,
  testEnvironment: path.join(__dirname, "untilFound.js"),
  transform: { "\\.ts$": ["ts-jest", { tsconfig: "<rootDir>/tsconfig.json", diagnostics: false }] },
};
