const { availableParallelism } = require("node:os");
const { SetupFailure } = require("./tools/setup/run");

/**
 * The folders of test/ that a tier runs, or the folders that it omits.
 * @typedef {{only: readonly string[], setUp?: string} | {without: readonly string[], setUp?: string}} Tier setUp: file that runs before
 * each test file
 */

const second = ["docs", "examples", "browser", "release", "journeys"];
const needMore = ["backends", "languages", "installing"];

/** @type {Record<string, Tier>} */
const tiers = {
  main: { without: [...second, ...needMore] },
  /** Guides, examples and screens, tested with the commands that they show; the contents of a release; and long journeys. */
  docs: { only: second },
  /** A stack with its state on a PostgreSQL server, on the real engine. */
  backends: { only: ["backends"] },
  /** Programs in YAML and Python on the real engine, and the SDK in Go. */
  languages: { only: ["languages"], setUp: "languages/environment.ts" },
  /** Each package manager, module system and version of TypeScript that the guide names, with packages from npm's registry. */
  installing: { only: ["installing"] },
  /**
   * The tests of `.ci/run`: the first two tiers in one run, without the explorer's tests, because `.ci/run` runs the explorer with larger
   * bounds.
   */
  pipeline: { without: ["explore", ...needMore] },
};

/** Tier that the scripts of package.json set. Default: the main tier. */
const name = process.env.TEST_TIER ?? "main";
const tier = tiers[name];
if (!tier) throw new SetupFailure(`The tiers of tests are ${Object.keys(tiers).join(", ")}, not ${name}.`);

const folders = (/** @type {readonly string[]} */ names) => `<rootDir>/test/(${names.join("|")})/`;

/** @type {import("jest").Config} */
module.exports = {
  // By default, Jest reserves one processor for its own process. Here that process only waits, and so do many tests.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // The timeout is only for tests that hang. The duration of a test mainly depends on the load of the machine.
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
