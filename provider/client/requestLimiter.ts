/** Limits the requests of one client: how many at once, how many a minute, and none while the service asked for a pause. */
import PQueue from "p-queue";
import { type TimeLimit } from "./time";

const minuteMs = 60_000;

/** When the pause of each account ends. A pause holds for every client of the account in this process. */
const pausedUntil = new Map<string, number>();

export class RequestLimiter {
  readonly #account: string;
  readonly #queue: PQueue;
  readonly #perMinute: number;
  /** When the latest requests were sent, oldest first: as many as may be sent in a minute. */
  readonly #sentAt: number[] = [];

  constructor(account: string, concurrency: number, perMinute = Infinity) {
    this.#account = account;
    this.#queue = new PQueue({ concurrency });
    this.#perMinute = perMinute;
  }

  /** Calls `send` when the limits allow it. If the deadline is over first, rejects with its reason and never calls it. */
  async run<T>(send: () => Promise<T>, deadline: TimeLimit): Promise<T> {
    deadline.throwIfOver();
    return new Promise((resolve, reject) => {
      const stopListening = deadline.onEnd(reject);
      const takeTurn = async (): Promise<T> => {
        for (let ms = this.#msToWait(); ms > 0; ms = this.#msToWait()) await deadline.sleep(ms);
        deadline.throwIfOver();
        stopListening();
        this.#recordSending();
        return send();
      };
      void this.#queue.add(() => takeTurn().then(resolve, reject));
    });
  }

  /** Holds back every request of the account for this long, because the service asked for it. */
  pause(ms: number): void {
    const until = Math.max(pausedUntil.get(this.#account) ?? 0, performance.now() + ms);
    pausedUntil.set(this.#account, until);
  }

  #msToWait(): number {
    const [oldest = 0] = this.#sentAt;
    const minuteIsFull = this.#sentAt.length >= this.#perMinute;
    const until = Math.max(pausedUntil.get(this.#account) ?? 0, minuteIsFull ? oldest + minuteMs : 0);
    return until - performance.now();
  }

  #recordSending(): void {
    if (this.#perMinute === Infinity) return;
    this.#sentAt.push(performance.now());
    if (this.#sentAt.length > this.#perMinute) this.#sentAt.shift();
  }
}
