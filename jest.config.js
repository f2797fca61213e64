const { availableParallelism } = require("node:os");

/** @type {import("jest").Config} */
module.exports = {
  // Jest leaves one processor to itself by default. Here its parent only waits, and so do many tests.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // For what hangs. How long a test takes says how busy the machine is, and nothing else.
  testTimeout: 300_000,
  testSequencer: "<rootDir>/test/longestFirst.js",
  testEnvironment: "node",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // The other tiers have configurations of their own.
  testPathIgnorePatterns: [
    "/node_modules/",
    "<rootDir>/test/(backends|docs|examples|browser|release|journeys|languages)/",
  ],
  modulePathIgnorePatterns: [
    "<rootDir>/dist/",
    "<rootDir>/.engine-tests/",
    "<rootDir>/.demo/",
    "<rootDir>/.stryker-tmp/",
  ],
  setupFiles: ["<rootDir>/test/propertySeed.ts"],
  setupFilesAfterEnv: ["<rootDir>/test/lockDirectory.ts"],
  transform: { "\\.ts$": ["ts-jest", { tsconfig: "<rootDir>/tsconfig.json" }] },
};
