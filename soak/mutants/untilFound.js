const { TestEnvironment } = require("jest-environment-node");

/** The mutant that a test of this process has found last. */
let found = "";

/** After a test that fails no other is run for the same mutant: it is found. */
class UntilFound extends TestEnvironment {
  /** @param {{name: string, test?: {mode?: string | null, errors: unknown[]}}} event of jest's own runner */
  handleTestEvent({ name, test }) {
    const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
    if (mutant === undefined || !test) return;
    if (name === "test_start" && found === mutant) test.mode = "skip";
    if (name === "test_done" && test.errors.length > 0) found = mutant;
  }
}

module.exports = UntilFound;
