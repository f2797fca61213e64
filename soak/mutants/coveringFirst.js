const { dryRun, keepDryRun } = require("./dryRun");
const UntilKilledRunner = require("./untilKilledRunner");

/**
 * Keeps only the files with a test to run, the last killer first, then the fastest: Stryker names the tests that reach
 * a mutant, but jest would load all files to find them.
 */
class CoveringFirst {
  #pattern;

  /** @param {{globalConfig: {testNamePattern?: string}}} options */
  constructor({ globalConfig: { testNamePattern } }) {
    this.#pattern = new RegExp(testNamePattern ?? "", "i");
  }

  /** @param {readonly {path: string}[]} tests */
  sort(tests) {
    const files = dryRun();
    if (!files) return [...tests];
    const namesOf = (/** @type {string} */ file) => Object.keys(files[file]?.tests ?? {});
    const cost = (/** @type {string} */ file) =>
      file === UntilKilledRunner.lastKiller ? 0 : (files[file]?.ms ?? 0);
    return tests
      .filter((test) => namesOf(test.path).some((name) => this.#pattern.test(name)))
      .sort((a, b) => cost(a.path) - cost(b.path));
  }

  /**
   * @param {unknown} _tests
   * @param {{testResults: {testFilePath: string, perfStats: {runtime: number}, testResults: {fullName: string, duration?: number | null}[]}[]}} results
   */
  cacheResults(_tests, { testResults }) {
    if (dryRun()) return;
    const files = testResults.map(({ testFilePath, perfStats, testResults: tests }) => [
      testFilePath,
      {
        ms: perfStats.runtime,
        tests: Object.fromEntries(tests.map(({ fullName, duration }) => [fullName, duration ?? 0])),
      },
    ]);
    keepDryRun(Object.fromEntries(files));
  }
}

module.exports = CoveringFirst;
