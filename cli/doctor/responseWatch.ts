/** What the responses of the service say besides their bodies. */
import type { RequestEvent } from "../../provider/client";

export class ResponseWatch {
  #last: RequestEvent | undefined;
  #aheadMs: number | undefined;

  readonly onRequest = (event: RequestEvent): void => {
    this.#last = event;
    const theirs = Date.parse(event.date ?? "");
    // The header has whole seconds. The response was sent somewhen during the attempt.
    if (!Number.isNaN(theirs)) this.#aheadMs = Date.now() - event.ms / 2 - (theirs + 500);
  };

  /** The HTTP status of the last response; undefined when there was none. */
  get status(): number | undefined {
    return this.#last?.status;
  }

  /** How far this machine's clock is ahead of that of the service; undefined when the service doesn't tell its time. */
  get aheadMs(): number | undefined {
    return this.#aheadMs;
  }
}
