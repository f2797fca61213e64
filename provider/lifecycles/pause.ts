import { setTimeout as wait } from "node:timers/promises";
import { type Context } from "./lifecycle";

/** Waits. @throws MonitoringError immediately when the run is cancelled. */
export async function pause(ms: number, { signal }: Pick<Context, "signal">): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
