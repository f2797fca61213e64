const { default: TestRunner } = require("jest-runner");

/** Runs the test files one after the other, and none after one that finds the mutant. */
class UpToFinder extends TestRunner {
  /** The file that found the last mutant of this process: it may well find the next, which is mostly on the same line. */
  static lastFinder = "";

  /** @override @type {InstanceType<typeof TestRunner>["runTests"]} */
  async runTests(tests, watcher, options) {
    /** @type {string[]} */
    const finders = [];
    this.on("test-file-success", ([{ path }, { numFailingTests }]) => {
      if (numFailingTests > 0) finders.push(path);
    });
    for (const test of tests) {
      if (finders.length === 0) await super.runTests([test], watcher, options);
    }
    UpToFinder.lastFinder = finders[0] ?? UpToFinder.lastFinder;
  }
}

module.exports = UpToFinder;
