const { default: TestRunner } = require("jest-runner");

/** Runs the test files one after the other, until one kills the mutant. */
class UntilKilledRunner extends TestRunner {
  /** The file that killed the last mutant of this process. It often kills the next, which is mostly on the same line. */
  static lastKiller = "";

  /** @override @type {InstanceType<typeof TestRunner>["runTests"]} */
  async runTests(tests, watcher, options) {
    /** @type {string[]} */
    const killers = [];
    this.on("test-file-success", ([{ path }, { numFailingTests }]) => {
      if (numFailingTests > 0) killers.push(path);
    });
    for (const test of tests) {
      if (killers.length === 0) await super.runTests([test], watcher, options);
    }
    UntilKilledRunner.lastKiller = killers[0] ?? UntilKilledRunner.lastKiller;
  }
}

module.exports = UntilKilledRunner;
