/** Waiting that can be cut short. */

/** Waits; rejects with the signal's reason as soon as that fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await unlessAborted(time, [signal]).finally(() => clearTimeout(timer));
}

/** What `work` comes to, unless a signal fires before: then rejects with its reason and leaves the work alone. */
export async function unlessAborted<T>(work: Promise<T>, signals: readonly AbortSignal[]): Promise<T> {
  let forget = (): void => undefined;
  const outcome = new Promise<T>((resolve, reject) => {
    work.then(resolve, reject);
    forget = listen(signals, reject);
  });
  return outcome.finally(() => forget());
}

/** A signal that fires when its time is up, with any of the others, or when told to. `release` it in the end. */
export class Limit {
  readonly #controller = new AbortController();
  readonly #ends: number;
  readonly #timer: NodeJS.Timeout;
  readonly #forget: () => void;

  constructor(ms: number, sources: readonly AbortSignal[]) {
    this.#ends = performance.now() + ms;
    this.#timer = setTimeout(() => this.stop(new TimeIsUp()), ms);
    this.#forget = listen(sources, (reason) => this.stop(reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get leftMs(): number {
    return this.#ends - performance.now();
  }

  stop(reason: unknown): void {
    this.#controller.abort(reason);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }
}

/** Why a {@link Limit} fired, when none of its sources did. */
export class TimeIsUp extends Error {}

/**
 * Hands over the reason of each signal that has fired or fires, until what it returns is called. Not by the option
 * `signal` of addEventListener: after a garbage collection Node 20 no longer removes such a listener.
 */
function listen(signals: readonly AbortSignal[], onAbort: (reason: unknown) => void): () => void {
  const listeners = signals.map((signal) => ({ signal, listener: () => onAbort(signal.reason) }));
  for (const { signal, listener } of listeners) {
    if (signal.aborted) listener();
    signal.addEventListener("abort", listener);
  }
  return () => {
    for (const { signal, listener } of listeners) signal.removeEventListener("abort", listener);
  };
}
