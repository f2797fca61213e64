const fs = require("node:fs");
const path = require("node:path");
const UpToFinder = require("./upToFinder");

/** The tests of each file and how long it took, as the run without a mutant showed. In Stryker's copy of the project. */
const learned = path.join(__dirname, "learned.json");

/**
 * Of the test files only those that have a test to run, the last finder and then the quick ones first: Stryker names the tests that reach a
 * mutant, but jest would load all files to look for them.
 */
class CoveringFirst {
  #wanted;

  /** @param {{globalConfig: {testNamePattern?: string}}} options */
  constructor({ globalConfig: { testNamePattern } }) {
    this.#wanted = new RegExp(testNamePattern ?? "", "i");
  }

  /** @param {readonly {path: string}[]} tests */
  sort(tests) {
    if (!fs.existsSync(learned)) return [...tests];
    /** @type {Record<string, {ms: number, names: string[]}>} */
    const files = JSON.parse(fs.readFileSync(learned, "utf8"));
    const cost = (/** @type {string} */ file) =>
      file === UpToFinder.lastFinder ? 0 : (files[file]?.ms ?? 0);
    return tests
      .filter((test) => files[test.path]?.names.some((name) => this.#wanted.test(name)))
      .sort((a, b) => cost(a.path) - cost(b.path));
  }

  /**
   * @param {unknown} _tests
   * @param {{testResults: {testFilePath: string, perfStats: {runtime: number}, testResults: {fullName: string}[]}[]}} results
   */
  cacheResults(_tests, { testResults }) {
    if (fs.existsSync(learned)) return;
    const files = testResults.map(({ testFilePath, perfStats, testResults: tests }) => [
      testFilePath,
      { ms: perfStats.runtime, names: tests.map(({ fullName }) => fullName) },
    ]);
    fs.writeFileSync(learned, JSON.stringify(Object.fromEntries(files)));
  }
}

module.exports = CoveringFirst;
