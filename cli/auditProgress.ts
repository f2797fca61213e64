/** A progress bar for terminals. */

/** An output stream of a command. */
export type Stream = NodeJS.WritableStream & {
  /** Whether it is a terminal. */
  readonly isTTY?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
};

const maxBarWidth = 30;
const defaultColumns = 80;
const minIntervalMs = 50;

export class Progress {
  #done = 0;
  #drawn = -Infinity;

  constructor(
    private readonly stream: Stream,
    private readonly total: number,
  ) {
    this.#draw();
  }

  /** Advances by one. */
  step(): void {
    this.#done += 1;
    if (performance.now() - this.#drawn >= minIntervalMs) this.#draw();
  }

  /** Removes the line. */
  clear(): void {
    if (this.stream.isTTY) this.stream.write("\r\u001b[2K");
  }

  #draw(): void {
    if (!this.stream.isTTY) return;
    this.#drawn = performance.now();
    const [title, count] = ["Reading alert channels", `${this.#done} of ${this.total}`];
    // Only one line can be removed, so it must not wrap.
    const room = (this.stream.columns ?? defaultColumns) - `${title}  ${count}`.length - 1;
    const width = Math.max(0, Math.min(maxBarWidth, room));
    const filled = Math.round((this.#done / this.total) * width);
    const bar = "█".repeat(filled) + "░".repeat(width - filled);
    this.stream.write(`\r\u001b[2K${title} ${bar} ${count}`);
  }
}
