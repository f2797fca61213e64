/** Waiting that a signal can end early. */

/** Waits; rejects with the signal's reason as soon as it fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await unlessAborted(time, signal).finally(() => clearTimeout(timer));
}

/** Settles as `work` does, unless the signal fires first: then it rejects with the signal's reason. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening = (): void => undefined;
  const settled = new Promise<T>((resolve, reject) => {
    work.then(resolve, reject);
    stopListening = listen([signal], reject);
  });
  return settled.finally(() => stopListening());
}

/** A signal that fires when its time is over, or with any of the other signals. `release` it in the end. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #ends: number;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(ms: number, sources: readonly AbortSignal[]) {
    this.#ends = performance.now() + ms;
    this.#timer = setTimeout(() => this.#controller.abort(new TimeLimitReached()), ms);
    this.#stopListening = listen(sources, (reason) => this.#controller.abort(reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get leftMs(): number {
    return this.#ends - performance.now();
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#stopListening();
  }
}

/** Why a {@link TimeLimit} fired, when none of the other signals did. */
export class TimeLimitReached extends Error {}

/**
 * Calls back with the reason of each signal that has fired or fires, until the returned function is called. Doesn't use
 * the option `signal` of addEventListener: after a garbage collection Node 20 no longer removes such a listener.
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
