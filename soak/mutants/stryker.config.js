/** The configuration of Stryker for the group that the environment variable names: see command.js. */
const { groups } = require("./groups");

const name = process.env.MUTANTS_OF ?? "";
const group = groups[name];
if (!group) throw new Error(`No group of mutants is called ${name}.`);
const { mutate, tests, percent } = group;

module.exports = {
  mutate,
  testRunner: "jest",
  coverageAnalysis: "perTest",
  jest: {
    config: {
      testMatch: tests.map((test) => `<rootDir>/test/${test}.test.ts`),
      // A mutant needs no types, and tests of size take a minute each.
      transform: { "\\.ts$": ["ts-jest", { tsconfig: "<rootDir>/tsconfig.json", diagnostics: false }] },
      testPathIgnorePatterns: ["/node_modules/"],
    },
  },
  thresholds: { high: percent, low: percent, break: percent },
  incremental: true,
  incrementalFile: `.stryker/${name}.json`,
  tempDirName: ".stryker-tmp",
  ignorePatterns: ["dist", "examples", "bench", ".engine-tests", ".demo", ".stryker", "*.lock"],
  timeoutMS: 20_000,
  maxTestRunnerReuse: 100,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  warnings: { slow: false },
  logLevel: "error",
};
