const { TestEnvironment } = require("jest-environment-node");
const { dryRun } = require("./dryRun");

/** A mutant may wait forever; but a test that is slow without a mutant must not time out with one. */
const timeout = { ms: 5_000, timesItsUsual: 5 };

/** Skips the rest of a file after a test that kills the mutant. */
class UntilKilledEnvironment extends TestEnvironment {
  #killed = false;
  #usual;

  /** @param {ConstructorParameters<typeof TestEnvironment>} options */
  constructor(...options) {
    super(...options);
    this.#usual = dryRun()?.[options[1].testPath]?.tests;
  }

  /** @param {{name: string, test?: Test}} event of jest's runner */
  handleTestEvent({ name, test }) {
    if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined || !test) return;
    if (name === "test_start") {
      if (this.#killed) test.mode = "skip";
      test.timeout = timeout.ms + timeout.timesItsUsual * (this.#usual?.[fullNameOf(test)] ?? 0);
    }
    if (name === "test_done" && test.errors.length > 0) this.#killed = true;
  }
}

/**
 * @typedef {{name: string, parent?: Block}} Block
 * @typedef {{mode?: string | null, timeout?: number, errors: unknown[], name: string, parent: Block}} Test
 */

/** Without the outermost block, which is the file. @param {Block} block @returns {string} */
function fullNameOf({ name, parent }) {
  return parent?.parent ? `${fullNameOf(parent)} ${name}` : name;
}

module.exports = UntilKilledEnvironment;
