/** What a command has done so far, on standard error. */
import type { Stream } from "./command";

const redrawMs = 100;
const firstLineMs = 10_000;
const nextLineMs = 60_000;
const clearLine = "\r\u001b[2K";

/** On a terminal one line, which is rewritten; elsewhere a line after ten seconds, and then one a minute. */
export class Progress {
  readonly #stream: Stream;
  readonly #what: string;
  readonly #isTerminal: boolean;
  #timer: NodeJS.Timeout | undefined;
  #done = 0;
  #total = 0;
  #drawn = "";

  /** @param what Such as `Reading alert channels`. */
  constructor(stream: Stream, what: string) {
    this.#stream = stream;
    this.#what = what;
    this.#isTerminal = stream.isTTY === true;
  }

  begin(total: number): void {
    this.#total = total;
    this.#showAfter(this.#isTerminal ? redrawMs : firstLineMs);
  }

  /** One more is done. */
  advance(): void {
    this.#done += 1;
  }

  /** Prints a line that stays. */
  say(text: string): void {
    this.#clear();
    this.#stream.write(`${text}\n`);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#clear();
  }

  #showAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      const line = `${this.#what}: ${this.#done.toLocaleString("en")} of ${this.#total.toLocaleString("en")}`;
      if (!this.#isTerminal) this.#stream.write(`${line}\n`);
      else if (line !== this.#drawn) {
        this.#stream.write(clearLine + line);
        this.#drawn = line;
      }
      this.#showAfter(this.#isTerminal ? redrawMs : nextLineMs);
    }, ms).unref();
  }

  #clear(): void {
    if (this.#drawn !== "") this.#stream.write(clearLine);
    this.#drawn = "";
  }
}
