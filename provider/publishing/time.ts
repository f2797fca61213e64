/** Limits the time of publishing one update, in milliseconds. */
import { setTimeout as wait } from "node:timers/promises";

/** An update, from its turn on; customTimeouts and `deadlineMs` may only shorten it. */
const updateMs = 45_000;
/** The search for what an earlier run sent. With the update, at most one minute: the grace period of many CI systems. */
const settleMs = 15_000;
/** Limits each read during a wait for another process's post. */
const waitReadMs = 10_000;
/** A post takes at most this time, for other processes. */
const maxPostMs = 60_000;
/** The next run waits for this time for an update after its post has ended. */
const maxDelayMs = 60_000;
/** A process needs at most this time for one update, with a wait for an earlier post to appear. */
const maxHoldMs = settleMs + maxPostMs + maxDelayMs + waitReadMs + updateMs;
/** A note counts for this time whose update is known, or whose post was reported; other files of locks and notes are removed then, too. */
const retentionMs = 86_400_000;

export const limits = { updateMs, settleMs, waitReadMs, maxPostMs, maxDelayMs, maxHoldMs, retentionMs };

export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
