/** A line that tells how far it is, for a person who waits at a terminal. */

/** Where a command writes to. */
export type Stream = NodeJS.WritableStream & {
  /** Whether a person sees it at once. */
  readonly isTTY?: boolean;
  /** How many characters that person's lines have. */
  readonly columns?: number;
};

const longestBar = 30;
const usualColumns = 80;
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
    const [title, count] = ["Reading alert channels", `${this.#done} of ${this.total}`];
    // What wraps into a second line stays on the screen.
    const room = (this.stream.columns ?? usualColumns) - `${title}  ${count}`.length - 1;
    const width = Math.max(0, Math.min(longestBar, room));
    const filled = Math.round((this.#done / this.total) * width);
    const bar = "█".repeat(filled) + "░".repeat(width - filled);
    this.stream.write(`\r\u001b[2K${title} ${bar} ${count}`);
  }
}
