/** Limits the requests of one client: how many at a time, and none while the service asked for a pause. */
import { type TimeLimit } from "./transport/timeLimit";
import { WorkQueue } from "./workQueue";

export class RequestLimiter {
  readonly #queue: WorkQueue;
  /** When the pause ends that the service asked for. */
  #pausedUntil = 0;

  constructor(concurrency: number) {
    this.#queue = new WorkQueue(concurrency);
  }

  /** Calls `send` when the limits allow it. If the deadline is over first, rejects with its reason and never calls it. */
  async run<T>(send: () => Promise<T>, deadline: TimeLimit): Promise<T> {
    return new Promise((resolve, reject) => {
      // Whoever waits for a turn learns of the end at once; the turn itself comes later, and is given up.
      const stopListening = deadline.onEnd(reject);
      const turn = async (): Promise<T> => {
        await this.#endOfPause(deadline);
        deadline.throwIfOver();
        // From here on `send` says what the end means: the request may have been received.
        stopListening();
        return send();
      };
      this.#queue.run(turn).then(resolve, reject);
    });
  }

  /** Holds back every request for this long, because the service asked for it. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  /** The service may ask for a longer pause meanwhile. */
  async #endOfPause(deadline: TimeLimit): Promise<void> {
    for (let ms = this.#pauseMs(); ms > 0; ms = this.#pauseMs()) await deadline.sleep(ms);
  }

  #pauseMs(): number {
    return this.#pausedUntil - performance.now();
  }
}
