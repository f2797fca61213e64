/** A line that tells how far it is, for a person who waits at a terminal. */

/** Where a command writes to. */
export type Stream = NodeJS.WritableStream & {
  /** Whether a person sees it at once. */
  readonly isTTY?: boolean;
};

const barWidth = 30;
const everyMs = 50;

export class Progress {
  #done = 0;
  #drawn = -Infinity;

  constructor(
    private readonly stream: Stream,
    private readonly total: number,
  ) {
    this.#draw();
  }

  /** One more is done. */
  step(): void {
    this.#done += 1;
    if (performance.now() - this.#drawn >= everyMs) this.#draw();
  }

  /** Takes the line away. */
  clear(): void {
    if (this.stream.isTTY) this.stream.write("\r\u001b[2K");
  }

  #draw(): void {
    if (!this.stream.isTTY) return;
    this.#drawn = performance.now();
    const filled = Math.round((this.#done / this.total) * barWidth);
    const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
    this.stream.write(`\r\u001b[2KReading alert channels ${bar} ${this.#done} of ${this.total}`);
  }
}
