/** Waits; rejects with the signal's reason as soon as that fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** A signal that fires with any of the others, or when its time is up. `release` it when it's no longer needed. */
export class Limit {
  readonly #controller = new AbortController();
  readonly #undo: (() => void)[] = [];

  constructor(ms: number, sources: readonly AbortSignal[]) {
    const timer = setTimeout(() => this.#controller.abort(new TimeIsUp()), ms);
    this.#undo.push(() => clearTimeout(timer));
    for (const source of sources) {
      const follow = (): void => this.#controller.abort(source.reason);
      if (source.aborted) follow();
      source.addEventListener("abort", follow);
      this.#undo.push(() => source.removeEventListener("abort", follow));
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  release(): void {
    for (const undo of this.#undo) undo();
  }
}

/** Why a {@link Limit} fired, when none of its sources did. */
export class TimeIsUp extends Error {}
