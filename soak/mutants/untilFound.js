const { TestEnvironment } = require("jest-environment-node");

/** After a test that finds the mutant no other of its file is run. */
class UntilFound extends TestEnvironment {
  #found = false;

  /** @param {{name: string, test?: {mode?: string | null, errors: unknown[]}}} event of jest's own runner */
  handleTestEvent({ name, test }) {
    if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined || !test) return;
    if (name === "test_start" && this.#found) test.mode = "skip";
    if (name === "test_done" && test.errors.length > 0) this.#found = true;
  }
}

module.exports = UntilFound;
