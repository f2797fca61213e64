/** Inputs that one run leaves to the next, in files to commit. */
const fs = require("node:fs");
const path = require("node:path");

/**
 * @typedef {object} Inputs
 * @property {readonly string[]} failed at any time: these stay for good
 * @property {readonly string[]} corpus that led to new code: each long run chooses anew
 */

/** What is kept of one target. */
class Kept {
  #corpus;
  #failed;

  /**
   * @param {string} folder
   * @param {string} name of the target
   */
  constructor(folder, name) {
    this.#corpus = path.join(folder, `${name}.json`);
    this.#failed = path.join(folder, "failed", `${name}.json`);
  }

  /** @returns {Inputs} */
  read() {
    return { failed: inputsIn(this.#failed), corpus: inputsIn(this.#corpus) };
  }

  /** @param {readonly string[]} inputs */
  addFailed(inputs) {
    const known = inputsIn(this.#failed);
    const all = [...new Set([...known, ...inputs])];
    if (all.length > known.length) write(this.#failed, all);
  }

  /** @param {readonly string[]} inputs */
  replaceCorpus(inputs) {
    const failed = new Set(inputsIn(this.#failed));
    // These are run in any case: twice would prove no more.
    const others = inputs.filter((input) => !failed.has(input));
    write(this.#corpus, others);
  }
}

/** @param {string} file @returns {string[]} */
function inputsIn(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : [];
}

/**
 * @param {string} file
 * @param {readonly string[]} inputs
 */
function write(file, inputs) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(inputs, null, 2)}\n`);
}

module.exports = { Kept };
