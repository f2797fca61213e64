/** The inputs that a thread has run and the one that it runs, in memory that another thread reads. */
class Progress {
  #counts;
  #current;

  /** @param {SharedArrayBuffer} shared */
  constructor(shared = new SharedArrayBuffer(1 << 18)) {
    this.shared = shared;
    this.#counts = new Int32Array(shared, 0, 2);
    this.#current = Buffer.from(shared, this.#counts.byteLength);
  }

  /** @param {unknown} input */
  begin(input) {
    Atomics.store(this.#counts, 1, this.#current.write(JSON.stringify(input)));
    Atomics.add(this.#counts, 0, 1);
  }

  get count() {
    return Atomics.load(this.#counts, 0);
  }

  /** @returns {unknown} */
  get current() {
    return this.count === 0 ? undefined : JSON.parse(this.#current.toString("utf8", 0, this.#counts[1]));
  }
}

module.exports = { Progress };
