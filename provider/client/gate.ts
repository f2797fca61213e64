/** When the requests of one client may leave: how many at once, how many a minute, and not while told to wait. */
import PQueue from "p-queue";
import { sleep } from "./time";

const minuteMs = 60_000;

/** Until when the service wants no requests, by account: every client of an account in this process waits. */
const closedUntil = new Map<string, number>();

export class Gate {
  readonly #account: string;
  readonly #queue: PQueue;
  readonly #perMinute: number;
  /** When the latest requests left, oldest first: as many as may leave in a minute. */
  readonly #departures: number[] = [];

  constructor(account: string, concurrency: number, perMinute = Infinity) {
    this.#account = account;
    this.#queue = new PQueue({ concurrency });
    this.#perMinute = perMinute;
  }

  /** Runs `send` when its turn comes. If the signal fires first, rejects with its reason and never runs it. */
  async pass<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", giveUp, { once: true });
      const takeTurn = async (): Promise<T> => {
        for (let ms = this.#msToWait(); ms > 0; ms = this.#msToWait()) await sleep(ms, signal);
        signal.throwIfAborted();
        signal.removeEventListener("abort", giveUp);
        this.#countDeparture();
        return send();
      };
      void this.#queue.add(() => takeTurn().then(resolve, reject));
    });
  }

  /** Holds every request of the account back for so long, because the service asked for it. */
  close(ms: number): void {
    const until = Math.max(closedUntil.get(this.#account) ?? 0, performance.now() + ms);
    closedUntil.set(this.#account, until);
  }

  #msToWait(): number {
    const [oldest = 0] = this.#departures;
    const minuteIsFull = this.#departures.length >= this.#perMinute;
    const opens = Math.max(closedUntil.get(this.#account) ?? 0, minuteIsFull ? oldest + minuteMs : 0);
    return opens - performance.now();
  }

  #countDeparture(): void {
    if (this.#perMinute === Infinity) return;
    this.#departures.push(performance.now());
    if (this.#departures.length > this.#perMinute) this.#departures.shift();
  }
}
