/** How far a thread is, for the one that watches it: how many inputs it has run, and which one it runs now. */
const { longest } = require("./mutation");

/** Seeds, and what was kept while more was allowed, may be longer than what is made of them. */
const room = 16 * longest;
const numbers = 2;
const encoding = "utf16le";

class Progress {
  /** Memory that both threads see. */
  shared;
  #numbers;
  #text;

  /** @param {SharedArrayBuffer} [shared] of the other thread */
  constructor(shared = new SharedArrayBuffer(numbers * Int32Array.BYTES_PER_ELEMENT + 2 * room)) {
    this.shared = shared;
    this.#numbers = new Int32Array(shared, 0, numbers);
    this.#text = Buffer.from(shared, this.#numbers.byteLength);
  }

  /** @param {string} input */
  begin(input) {
    const bytes = this.#text.write(input, encoding);
    // One more, so that an empty input is not taken for none.
    Atomics.store(this.#numbers, 1, bytes + 1);
  }

  end() {
    Atomics.store(this.#numbers, 1, 0);
    Atomics.add(this.#numbers, 0, 1);
  }

  /** How many inputs were run. */
  get count() {
    return Atomics.load(this.#numbers, 0);
  }

  /** The input that is run now, if one is. */
  get current() {
    const bytes = Atomics.load(this.#numbers, 1) - 1;
    return bytes < 0 ? undefined : this.#text.toString(encoding, 0, bytes);
  }
}

module.exports = { Progress };
