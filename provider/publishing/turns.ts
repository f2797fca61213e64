/** Serializes the updates of an incident, so that they keep their order and each sees the result of the previous one. */
import { WorkQueue } from "../client/workQueue";
import { type Refusal } from "../protocol";

export class Turns {
  readonly #queue = new WorkQueue(1);
  #count = 0;
  /** Turns up to this number are skipped, because an earlier one received no response. */
  #skippedUpTo = 0;

  /** Runs the work when its turn comes, or else the alternative. */
  async take<T>(work: () => Promise<T>, skip: () => T): Promise<T> {
    const turn = ++this.#count;
    return this.#queue.run(async () => (turn <= this.#skippedUpTo ? skip() : work()));
  }

  /**
   * Skips those that wait now: otherwise each would wait as long for a service that doesn't respond, and updates would be
   * posted out of order.
   */
  skipWaiting(): void {
    this.#skippedUpTo = this.#count;
  }
}

/** Whether the service did not respond, so that others would wait in vain. */
export function delaysOthers({ why }: Refusal, noResponse: string | undefined): boolean {
  return why === "lost" || why === "unconfirmed" || (why === "failed" && noResponse !== undefined);
}
