const { availableParallelism } = require("node:os");
const { SetupFailure } = require("./tools/setup/run");

/**
 * Which folders of test/ a tier runs, or all others than those that it leaves out.
 * @typedef {{only: readonly string[], setUp?: string} | {without: readonly string[], setUp?: string}} Tier setUp: runs before each file
 */

const second = ["docs", "examples", "browser", "release", "journeys"];
const needMore = ["backends", "languages", "installing"];

/** @type {Record<string, Tier>} */
const tiers = {
  main: { without: [...second, ...needMore] },
  /** Every guide, example and screen, by the commands that it shows, what a release has, and long journeys. */
  docs: { only: second },
  /** A stack whose state is on a PostgreSQL server, on the real engine. */
  backends: { only: ["backends"] },
  /** Programs in YAML and Python on the real engine, and the SDK in Go. */
  languages: { only: ["languages"], setUp: "languages/environment.ts" },
  /** Each package manager, module system and version of TypeScript that the guide names, from npm's registry. */
  installing: { only: ["installing"] },
  /** What `.ci/run` tests: the first two at once. It runs the explorer with larger bounds than the tests do. */
  pipeline: { without: ["explore", ...needMore] },
};

/** The tier that the commands of package.json name; the main one without them. */
const name = process.env.TEST_TIER ?? "main";
const tier = tiers[name];
if (!tier) throw new SetupFailure(`The tiers of tests are ${Object.keys(tiers).join(", ")}, not ${name}.`);

const folders = (/** @type {readonly string[]} */ names) => `<rootDir>/test/(${names.join("|")})/`;

/** @type {import("jest").Config} */
module.exports = {
  // Jest leaves one processor to itself by default. Here its parent only waits, and so do many tests.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // For what hangs. How long a test takes says how busy the machine is, and nothing else.
  testTimeout: 600_000,
  testSequencer: "<rootDir>/test/longestFirst.js",
  testEnvironment: "<rootDir>/test/isolation.js",
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
  setupFilesAfterEnv: ["environment.ts", tier.setUp ?? []].flat().map((name) => `<rootDir>/test/${name}`),
  transform: { "\\.ts$": "<rootDir>/test/transform.js" },
};
