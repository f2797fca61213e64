/** The time that is left for one declaration, counted from its turn. */
export class Budget {
  readonly wholeMs: number;
  readonly #ends: number;

  constructor(ms: number) {
    this.wholeMs = ms;
    this.#ends = performance.now() + ms;
  }

  /** At least one millisecond, at most this share of the whole. */
  leftMs(share = 1): number {
    return Math.max(1, Math.floor(Math.min(this.#ends - performance.now(), this.wholeMs * share)));
  }
}
