const { TestEnvironment } = require("jest-environment-node");
const { dryRun } = require("./dryRun");

/** Many a mutant waits for ever; but a test that is slow by itself must not find what isn't there. */
const patience = { ms: 5_000, timesItsOwn: 5 };

/** After a test that finds the mutant no other of its file is run. */
class UntilFound extends TestEnvironment {
  #found = false;
  #usual;

  /** @param {ConstructorParameters<typeof TestEnvironment>} options */
  constructor(...options) {
    super(...options);
    this.#usual = dryRun()?.[options[1].testPath]?.tests;
  }

  /** @param {{name: string, test?: Test}} event of jest's own runner */
  handleTestEvent({ name, test }) {
    if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined || !test) return;
    if (name === "test_start") {
      if (this.#found) test.mode = "skip";
      test.timeout = patience.ms + patience.timesItsOwn * (this.#usual?.[fullNameOf(test)] ?? 0);
    }
    if (name === "test_done" && test.errors.length > 0) this.#found = true;
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

module.exports = UntilFound;
