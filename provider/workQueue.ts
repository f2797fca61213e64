/** Runs a limited number of tasks at a time, in their order, and starts none during a pause. */
export class WorkQueue {
  /** No task starts before this time, on the clock of `performance.now()`. */
  pausedUntil = 0;
  /** Shortest time between two starts, in milliseconds. */
  gapMs = 0;
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #lastStart = -Infinity;
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

  #startNext(): void {
    while (this.#free > 0 && this.#waiting.length > 0) {
      const now = performance.now();
      const waitMs = Math.max(this.pausedUntil, this.#lastStart + this.gapMs) - now;
      if (waitMs > 0) {
        this.#startAfter(waitMs);
        break;
      }
      this.#free -= 1;
      this.#lastStart = now;
      this.#waiting.shift()?.();
    }
  }

  /** The timer doesn't keep the process running. Each waiting task has a time limit with a timer that does. */
  #startAfter(ms: number): void {
    if (this.#resume) return;
    this.#resume = setTimeout(() => {
      this.#resume = undefined;
      this.#startNext();
    }, ms).unref();
  }
}
