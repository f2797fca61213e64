/** Jest's environment, in which no test begins after one that failed: one says that a change is noticed. */
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
