/** Numbers that look random and are the same in every run with the same seed. */
class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /**
   * The numbers that belong to a text: a little change of it gives others.
   * @param {string} text
   */
  static by(text) {
    let seed = 0;
    for (let at = 0; at < text.length; at++) seed = Math.imul(seed, 31) + text.charCodeAt(at);
    return new Random(seed);
  }

  /**
   * From 0 to `end` - 1 (mulberry32).
   * @param {number} end
   */
  below(end) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * end);
  }

  /**
   * @template Item
   * @param {readonly Item[]} items at least one
   */
  of(items) {
    return /** @type {Item} */ (items[this.below(items.length)]);
  }
}

module.exports = { Random };
