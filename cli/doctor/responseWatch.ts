/** What the responses of the service say besides their bodies. */
import type { RequestEvent } from "../../provider/client";

/** A difference that only the resolution of the header and the time of the request may cause. */
const unnoticedMs = 3_000;
const mostMs = 30_000;

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

  /** How far this machine's clock is from that of the service. */
  clock(): { readonly ok: boolean; readonly text: string } {
    if (this.#aheadMs === undefined)
      return { ok: true, text: "unknown, because the service doesn't tell its time" };
    const seconds = Math.round(Math.abs(this.#aheadMs) / 1000);
    if (Math.abs(this.#aheadMs) <= unnoticedMs) return { ok: true, text: "agrees with that of the service" };
    const text = `${seconds} s ${this.#aheadMs > 0 ? "ahead of" : "behind"} that of the service`;
    return { ok: Math.abs(this.#aheadMs) <= mostMs, text };
  }
}
