/** The limit of `customTimeouts` for a call that only reads. */
import { setTimeout as wait } from "node:timers/promises";
import { TimeoutError } from "../provider/client";

/** @throws MonitoringError when the work takes longer. */
export async function within<T>(timeoutMs: number | undefined, work: T | Promise<T>): Promise<T> {
  if (timeoutMs === undefined) return work;
  const timer = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new TimeoutError(
      `The service did not respond within ${timeoutMs / 1000} s, the limit that customTimeouts sets.`,
    );
  });
  return Promise.race([work, late]).finally(() => timer.abort());
}
