const jestConfig = require("../../../jest.config");
const { importsIn } = require("../../../tools/verify/imports");
const { groups, getResultsFile } = require("./groups");

/** Stryker's settings for the group in MUTANTS. The results are cached in node_modules for the next run. */
const name = process.env.MUTANTS ?? "";
const group = groups[name];
if (!group) throw new Error(`The groups are ${Object.keys(groups).join(", ")}, not "${name}".`);

/**
 * Helpers with hooks. The combined file would run a helper's hooks only for the first test file that imports the helper. Therefore, these
 * helpers are loaded before the combined file, and their hooks apply to all tests of the group.
 */
const helpers = [
  "client/services",
  "client/transport/tls",
  "temporaryFolder",
  "sandbox/sandboxes",
  "cli/running",
  "client/clock",
  "lifecycles/idleClock",
].map((helper) => `test/${helper}.ts`);

/** Returns the helpers that the tests import, also indirectly. @param {readonly string[]} tests */
function findHelpers(tests) {
  const imports = importsIn(["test"]);
  const reached = new Set(tests.map((test) => `test/${test}.test.ts`));
  for (const file of reached)
    for (const each of imports.get(file) ?? []) if (each.file) reached.add(each.file);
  return helpers.filter((helper) => reached.has(helper));
}

module.exports = {
  testRunner: "jest",
  coverageAnalysis: "perTest",
  mutate: group.files,
  jest: {
    // Stryker needn't search for related tests, because only the group's tests run.
    enableFindRelatedTests: false,
    config: {
      ...jestConfig,
      testEnvironment: require.resolve("./untilFailure"),
      testMatch: ["<rootDir>/test/soak/mutants/groupTests.js"],
      setupFilesAfterEnv: [
        ...(jestConfig.setupFilesAfterEnv ?? []),
        ...findHelpers(group.tests).map((file) => `<rootDir>/${file}`),
      ],
    },
  },
  // Otherwise, Stryker rewrites tsconfig.json with its own copy of TypeScript, which npx doesn't install.
  tsconfigFile: "none",
  tempDirName: ".stryker-tmp",
  ignorePatterns: [".engine-tests", ".demo", "*.lock"],
  incremental: true,
  incrementalFile: getResultsFile(name),
  timeoutMS: 5_000,
  // Jest leaves an AsyncLocalStorage behind for each run, which slows down all later runs in the same process.
  maxTestRunnerReuse: 50,
  reporters: ["progress-append-only"],
  warnings: { slow: false },
};
