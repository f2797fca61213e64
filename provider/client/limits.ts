/** Limits the requests of a client: how long each may take, how many run at a time, and the pauses that the service asks for. */
import { WorkQueue } from "../workQueue";

type Listener = (reason: unknown) => void;

/**
 * Ends after a time, or with the first of other limits and signals. The owner must `release` it. An AbortController for
 * each attempt would take several times as long.
 */
export class TimeLimit {
  readonly #ends: number;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: readonly (() => void)[];
  readonly #listeners = new Set<Listener>();
  #over: { readonly reason: unknown } | undefined;

  constructor(ms: number, sources: readonly (AbortSignal | TimeLimit)[]) {
    this.#ends = performance.now() + ms;
    this.#timer = setTimeout(() => this.#end(new TimeLimitReached()), ms);
    const end: Listener = (reason) => this.#end(reason);
    this.#stopListening = sources.map((source) =>
      source instanceof TimeLimit ? source.onEnd(end) : onAbort(source, end),
    );
  }

  get leftMs(): number {
    return this.#ends - performance.now();
  }

  /** Holds the reason once the limit is over; undefined until then. */
  get over(): { readonly reason: unknown } | undefined {
    return this.#over;
  }

  throwIfOver(): void {
    if (this.#over) throw this.#over.reason;
  }

  /**
   * Calls the listener once the limit is over, immediately if it is over already. Returns a function that removes the
   * listener; `release` removes all of them.
   */
  onEnd(listener: Listener): () => void {
    if (this.#over) listener(this.#over.reason);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles as `work` does, but rejects with the limit's reason if the limit is over first. */
  async race<T>(work: Promise<T>): Promise<T> {
    let stopListening: (() => void) | undefined;
    const settled = new Promise<T>((resolve, reject) => {
      work.then(resolve, reject);
      stopListening = this.onEnd(reject);
    });
    return settled.finally(stopListening);
  }

  /** Waits; rejects with the reason as soon as the limit is over. */
  async sleep(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await this.race(time).finally(() => clearTimeout(timer));
  }

  release(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stopListening) stop();
    this.#listeners.clear();
  }

  #end(reason: unknown): void {
    this.#over ??= { reason };
    for (const listener of this.#listeners) listener(this.#over.reason);
    this.#listeners.clear();
  }
}

/** The reason of a {@link TimeLimit} that ended because its own time passed. */
export class TimeLimitReached extends Error {}

/**
 * Calls the listener with the signal's reason once the signal has fired, and returns a function that removes the listener.
 * Doesn't use the option `signal` of addEventListener: after a garbage collection Node 20 no longer removes such a listener.
 */
function onAbort(signal: AbortSignal, listener: Listener): () => void {
  const onEvent = (): void => listener(signal.reason);
  if (signal.aborted) onEvent();
  signal.addEventListener("abort", onEvent);
  return () => signal.removeEventListener("abort", onEvent);
}

/** Runs the requests of one client: a limited number at a time, and none while the service asked for a pause. */
export class RequestLimiter {
  readonly #queue: WorkQueue;

  constructor(concurrency: number) {
    this.#queue = new WorkQueue(concurrency);
  }

  /** Calls `send` when the limits allow it. If the deadline is over first, rejects with its reason and never calls it. */
  async run<T>(send: () => Promise<T>, deadline: TimeLimit): Promise<T> {
    return new Promise((resolve, reject) => {
      // The caller learns of the deadline at once, even while the request is queued; its turn then sends nothing.
      const stopListening = deadline.onEnd(reject);
      const turn = async (): Promise<T> => {
        deadline.throwIfOver();
        // Once the request may have been received, only `send` can tell what the end of the deadline means.
        stopListening();
        return send();
      };
      this.#queue.run(turn).then(resolve, reject);
    });
  }

  /** Holds back every request for this long, because the service asked for it. */
  pause(ms: number): void {
    this.#queue.pause(ms);
  }
}
