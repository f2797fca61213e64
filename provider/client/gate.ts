/** When the requests of one client may leave: how many at once, how many a minute, and not while told to wait. */
import PQueue from "p-queue";

const minuteMs = 60_000;

export class Gate {
  readonly #queue: PQueue;
  readonly #perMinute: number;
  /** When the latest requests left, oldest first: as many as still count against the next one. */
  readonly #departures: number[] = [];
  #closedUntil = 0;
  #opening: NodeJS.Timeout | undefined;

  constructor(concurrency: number, perMinute: number | undefined) {
    this.#queue = new PQueue({ concurrency });
    this.#perMinute = perMinute ?? Infinity;
  }

  /** Runs `send` when its turn comes. If the signal fires first, rejects with its reason and never runs it. */
  async pass<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", giveUp, { once: true });
      void this.#queue.add(async () => {
        if (signal.aborted) return;
        signal.removeEventListener("abort", giveUp);
        this.#countDeparture();
        await send().then(resolve, reject);
      });
    });
  }

  /** Holds every request back for so long, because the service asked for it. */
  close(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, Date.now() + ms);
    this.#queue.pause();
    clearTimeout(this.#opening);
    // Calls that wait here have a deadline of their own: this timer alone need not keep a program alive.
    this.#opening = setTimeout(() => this.#queue.start(), this.#closedUntil - Date.now()).unref();
  }

  #countDeparture(): void {
    if (this.#perMinute === Infinity) return;
    const now = Date.now();
    this.#departures.push(now);
    if (this.#departures.length < this.#perMinute) return;
    const wait = (this.#departures.shift() ?? now) + minuteMs - now;
    if (wait > 0) this.close(wait);
  }
}
