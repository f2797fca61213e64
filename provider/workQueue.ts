/** Runs a limited number of works at a time, in their order, and starts none during a pause. */
export class WorkQueue {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  /** End of the pause, on the clock of `performance.now()`. */
  #pausedUntil = 0;
  #resume: NodeJS.Timeout | undefined;

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push(start);
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#free += 1;
      this.#startNext();
    }
  }

  /** Starts nothing for this long. A shorter pause than the current one changes nothing. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  #startNext(): void {
    const pausedMs = this.#pausedUntil - performance.now();
    if (pausedMs > 0) this.#startAfter(pausedMs);
    while (pausedMs <= 0 && this.#free > 0 && this.#waiting.length > 0) {
      this.#free -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Doesn't keep the process running: a work that may wait has a time limit of its own, which does. */
  #startAfter(ms: number): void {
    if (this.#resume) return;
    this.#resume = setTimeout(() => {
      this.#resume = undefined;
      this.#startNext();
    }, ms).unref();
  }
}
