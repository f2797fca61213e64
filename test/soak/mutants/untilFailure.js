/** A Jest environment that skips all tests after a failure, because one failed test is enough to detect a change. */
const { createRequire } = require("node:module");

const { TestEnvironment } = createRequire(require.resolve("jest"))("jest-environment-node");

class UntilFailure extends TestEnvironment {
  #hasFailed = false;

  /** @param {{name: string, test?: {mode?: string | null}}} event */
  handleTestEvent({ name, test }) {
    if (name === "test_fn_failure" || name === "hook_failure") this.#hasFailed = true;
    else if (name === "test_start" && test && this.#hasFailed) test.mode = "skip";
  }
}

module.exports = UntilFailure;
