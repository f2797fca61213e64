const { groups, getResultsFile } = require("./groups");

/** Stryker's settings for one group, whose name is in MUTANTS. What a run found stays in a file of node_modules, for the next one. */
const name = process.env.MUTANTS ?? "";
const group = groups[name];
if (!group) throw new Error(`The groups are ${Object.keys(groups).join(", ")}, not "${name}".`);

module.exports = {
  testRunner: "jest",
  coverageAnalysis: "perTest",
  mutate: group.files,
  jest: {
    // Only the tests of the group, so looking for those of a file is wasted.
    enableFindRelatedTests: false,
    config: {
      ...require("../../../jest.config"),
      testEnvironment: require.resolve("./untilFailure"),
      testMatch: ["<rootDir>/test/soak/mutants/groupTests.js"],
    },
  },
  // It would rewrite the file by a TypeScript of its own, which `npx` doesn't install.
  tsconfigFile: "none",
  tempDirName: ".stryker-tmp",
  ignorePatterns: [".engine-tests", ".demo", "*.lock"],
  incremental: true,
  incrementalFile: getResultsFile(name),
  timeoutMS: 5_000,
  reporters: ["progress-append-only"],
  warnings: { slow: false },
};
