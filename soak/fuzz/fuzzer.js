/** Coverage-guided fuzzing: inputs that run new code are kept, and further ones are made of them. */
const { add, isNew } = require("./coverage");
const { mutated } = require("./mutation");
const { Random } = require("./random");

/**
 * What is fuzzed: `run` throws when something is not as it must be.
 * @typedef {object} Target
 * @property {readonly string[]} seeds inputs to begin with
 * @property {readonly string[]} words that mean something in an input
 * @property {(input: string) => void | Promise<void>} run
 *
 * @typedef {{input: string | undefined, message: string}} Failure without an input when none was run
 */

const mostFailures = 5;
const smallestBatch = 32;
const largestBatch = 8_192;

class Fuzzer {
  /** Inputs that each run some code that those before them don't. @type {string[]} */
  corpus = [];
  /** One for each message. @type {Failure[]} */
  failures = [];
  #target;
  #random;
  #coverage;
  #progress;
  /** @type {import("./coverage").Reached} */
  #reached = new Map();

  /**
   * @param {Target} target whose code was loaded after the coverage was made
   * @param {{seed: number, coverage: import("./coverage").Coverage, progress: import("./progress").Progress}} options
   */
  constructor(target, { seed, coverage, progress }) {
    this.#target = target;
    this.#random = new Random(seed);
    this.#coverage = coverage;
    this.#progress = progress;
  }

  /**
   * @param {import("./kept").Inputs} kept by earlier runs
   * @param {number} executions
   */
  async run({ failed, corpus }, executions) {
    for (const input of [...failed, ...this.#target.seeds, ...corpus]) await this.#runBatch([input]);
    if (this.corpus.length === 0) throw new Error("The coverage doesn't count.");
    let size = smallestBatch;
    for (let left = executions; left > 0 && this.failures.length < mostFailures;) {
      const batch = Array.from({ length: Math.min(size, left) }, () =>
        mutated(this.corpus, this.#target.words, this.#random),
      );
      left -= batch.length;
      const found = await this.#runBatch(batch);
      // Looking costs as much as hundreds of inputs: it is done less often while there is nothing to see.
      size = found ? smallestBatch : Math.min(size * 2, largestBatch);
    }
  }

  /**
   * @param {readonly string[]} batch
   * @returns {Promise<boolean>} whether something of it was kept
   */
  async #runBatch(batch) {
    for (const input of batch) await this.#runOne(input);
    const now = this.#coverage.take();
    if (!isNew(now, this.#reached)) return false;
    const kept = this.corpus.length;
    await this.#keepFrom(batch, now);
    // What runs once only, such as the filling of a cache, can't be found again.
    add(this.#reached, now);
    return this.corpus.length > kept;
  }

  /**
   * Finds the inputs that run new code: the halves of a batch are run again, and then their halves.
   * @param {readonly string[]} batch
   * @param {import("./coverage").Reached} now what it ran
   */
  async #keepFrom(batch, now) {
    const [first, ...others] = batch;
    if (first === undefined) return;
    if (others.length === 0) {
      add(this.#reached, now);
      this.corpus.push(first);
      return;
    }
    const middle = batch.length >> 1;
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      for (const input of half) await this.#runOne(input);
      const again = this.#coverage.take();
      if (isNew(again, this.#reached)) await this.#keepFrom(half, again);
    }
  }

  /** @param {string} input */
  async #runOne(input) {
    this.#progress.begin(input);
    try {
      const work = this.#target.run(input);
      if (work) await work;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!this.failures.some((known) => known.message === message)) this.failures.push({ input, message });
    }
    this.#progress.end();
  }
}

module.exports = { Fuzzer };
