/** The time limit of one declaration, starting with its turn. */
export class Budget {
  readonly totalMs: number;
  readonly #ends: number;

  constructor(ms: number) {
    this.totalMs = ms;
    this.#ends = performance.now() + ms;
  }

  /** The remaining time: at least one millisecond, at most this share of the total. */
  leftMs(share = 1): number {
    return Math.max(1, Math.floor(Math.min(this.#ends - performance.now(), this.totalMs * share)));
  }
}
