const { availableParallelism } = require("node:os");
const { chosenTier } = require("./tools/test/tiers");

const tier = chosenTier();
const folders = (/** @type {readonly string[]} */ names) => `<rootDir>/test/(${names.join("|")})/`;

/** @type {import("jest").Config} */
module.exports = {
  // Jest leaves one processor to itself by default. Here its parent only waits, and so do many tests.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // For what hangs. How long a test takes says how busy the machine is, and nothing else.
  testTimeout: 300_000,
  testSequencer: "<rootDir>/test/longestFirst.js",
  testEnvironment: "node",
  testMatch:
    "only" in tier
      ? tier.only.map((name) => `<rootDir>/test/${name}/**/*.test.ts`)
      : ["<rootDir>/test/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", ...("without" in tier ? [folders(tier.without)] : [])],
  modulePathIgnorePatterns: [
    "<rootDir>/dist/",
    "<rootDir>/.engine-tests/",
    "<rootDir>/.demo/",
    "<rootDir>/.stryker-tmp/",
  ],
  setupFiles: ["<rootDir>/test/propertySeed.ts"],
  setupFilesAfterEnv: ["lockDirectory.ts", tier.setUp ?? []].flat().map((name) => `<rootDir>/test/${name}`),
  transform: { "\\.ts$": ["ts-jest", { tsconfig: "<rootDir>/tsconfig.json" }] },
};
