/** Limits the requests of one client: how many at a time, how many a minute, and none while the service asked for a pause. */
import { type TimeLimit } from "./time";
import { WorkQueue } from "./workQueue";

const minuteMs = 60_000;

export class RequestLimiter {
  readonly #queue: WorkQueue;
  readonly #perMinute: number;
  /** Apart from the other queue, whose calls wait for each other and not for the minute. */
  readonly #minuteQueue = new WorkQueue(1);
  /** How many calls in the other queue may be sent in this minute. */
  #reserved = 0;
  /** When the requests of the last minute were sent, oldest first. */
  readonly #sentAt: number[] = [];
  /** When the pause ends that the service asked for. */
  #pausedUntil = 0;

  constructor(concurrency: number, perMinute = Infinity) {
    this.#queue = new WorkQueue(concurrency);
    this.#perMinute = perMinute;
  }

  /**
   * Calls `send` when the limits allow it. If the deadline is over first, rejects with its reason and never calls it.
   *
   * @param isPaced Whether the deadline stands still while the call waits for the limit per minute. Others go first.
   */
  async run<T>(send: () => Promise<T>, deadline: TimeLimit, isPaced: boolean): Promise<T> {
    deadline.throwIfOver();
    const release = await this.#reserve(deadline, isPaced);
    return new Promise((resolve, reject) => {
      const stopListening = deadline.onEnd(reject);
      const takeTurn = async (): Promise<T> => {
        try {
          for (let ms = this.#pauseMs(); ms > 0; ms = this.#pauseMs()) await deadline.sleep(ms);
          deadline.throwIfOver();
        } finally {
          release();
        }
        stopListening();
        if (this.#perMinute !== Infinity) this.#sentAt.push(performance.now());
        return send();
      };
      void this.#queue.run(() => takeTurn().then(resolve, reject));
    });
  }

  /** Holds back every request for this long, because the service asked for it. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  #pauseMs(): number {
    return this.#pausedUntil - performance.now();
  }

  /** Waits until one more request may be sent in this minute. The returned function ends the reservation. */
  async #reserve(deadline: TimeLimit, isPaced: boolean): Promise<() => void> {
    if (this.#perMinute === Infinity) return () => undefined;
    let reserved = 0;
    const release = (): void => {
      this.#reserved -= reserved;
    };
    const takePlace = async (): Promise<void> => {
      for (let ms = this.#minuteFullMs(); ms > 0; ms = this.#minuteFullMs()) await deadline.sleep(ms);
      deadline.throwIfOver();
      reserved = 1;
      this.#reserved += reserved;
    };
    // Only the other calls lose time of their deadline here.
    const reserving = deadline.race(this.#minuteQueue.run(takePlace, !isPaced));
    try {
      await (isPaced ? deadline.suspend(reserving) : reserving);
      return release;
    } catch (error) {
      // The deadline may be over in the turn of the event loop in which the place was taken; later none is taken.
      release();
      throw error;
    }
  }

  /** How long no further request may be sent. */
  #minuteFullMs(): number {
    const now = performance.now();
    while ((this.#sentAt[0] ?? now) <= now - minuteMs) this.#sentAt.shift();
    const isFull = this.#sentAt.length + this.#reserved >= this.#perMinute;
    return isFull ? (this.#sentAt[0] ?? now) + minuteMs - now : 0;
  }
}
