/** Stryker's settings for the folder that MUTATED names; its tests are those of the same name. */
const folder = process.env.MUTATED ?? "";
const tests = folder.replace(/^provider\//, "");

module.exports = {
  mutate: [`${folder}/**/*.ts`],
  testRunner: "jest",
  coverageAnalysis: "perTest",
  jest: {
    config: { ...require("../../jest.config"), testMatch: [`<rootDir>/test/${tests}/**/*.test.ts`] },
  },
  // It would rewrite the file by a TypeScript of its own, which `npx` doesn't install.
  tsconfigFile: "none",
  tempDirName: ".stryker-tmp",
  ignorePatterns: ["dist", "examples", ".engine-tests", ".demo", "*.lock"],
  timeoutMS: 20_000,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
};
