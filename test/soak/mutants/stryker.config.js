const { groups, getResultsFile } = require("./groups");

/** Stryker's settings for the group in MUTANTS. The results are cached in node_modules for the next run. */
const name = process.env.MUTANTS ?? "";
const group = groups[name];
if (!group) throw new Error(`The groups are ${Object.keys(groups).join(", ")}, not "${name}".`);

module.exports = {
  testRunner: "jest",
  coverageAnalysis: "perTest",
  mutate: group.files,
  jest: {
    // Stryker needn't search for related tests, because only the group's tests run.
    enableFindRelatedTests: false,
    config: {
      ...require("../../../jest.config"),
      testEnvironment: require.resolve("./untilFailure"),
      testMatch: ["<rootDir>/test/soak/mutants/groupTests.js"],
    },
  },
  // Otherwise, Stryker rewrites tsconfig.json with its own copy of TypeScript, which npx doesn't install.
  tsconfigFile: "none",
  tempDirName: ".stryker-tmp",
  ignorePatterns: [".engine-tests", ".demo", "*.lock"],
  incremental: true,
  incrementalFile: getResultsFile(name),
  timeoutMS: 5_000,
  reporters: ["progress-append-only"],
  warnings: { slow: false },
};
