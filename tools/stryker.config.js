/** Stryker's settings. CONTRIBUTING.md has the command, which names the files that it changes, and the folder of their tests. */
module.exports = {
  testRunner: "jest",
  coverageAnalysis: "perTest",
  jest: {
    config: {
      ...require("../jest.config"),
      // Stryker has one of its own.
      testEnvironment: "node",
      testMatch: [`<rootDir>/${process.env.TESTS}/**/*.test.ts`],
    },
  },
  // It would rewrite the file by a TypeScript of its own, which `npx` doesn't install.
  tsconfigFile: "none",
  tempDirName: ".stryker-tmp",
  ignorePatterns: ["dist", ".engine-tests", ".demo", "*.lock"],
  timeoutMS: 20_000,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { logTests: false, reportTests: false },
};
