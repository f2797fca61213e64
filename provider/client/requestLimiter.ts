/** Limits the requests of one client: how many at a time, and none while the service asked for a pause. */
import { type TimeLimit } from "./time";
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
      const stopListening = deadline.onEnd(reject);
      const takeTurn = async (): Promise<T> => {
        for (let ms = this.#pauseMs(); ms > 0; ms = this.#pauseMs()) await deadline.sleep(ms);
        deadline.throwIfOver();
        stopListening();
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
}
