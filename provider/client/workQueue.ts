/** Runs a limited number of works at a time. Of those that wait, the urgent ones go first, each in its order. */
export class WorkQueue {
  #free: number;
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  async run<T>(work: () => Promise<T>, isUrgent = false): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((start) => (isUrgent ? this.#urgent : this.#others).push(start));
    try {
      return await work();
    } finally {
      const next = this.#urgent.shift() ?? this.#others.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
