import { setTimeout as wait } from "node:timers/promises";

/** Waits. @throws the signal's reason immediately when the run is cancelled. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
