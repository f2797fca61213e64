/** Limits the time of publishing one update, in milliseconds. */
import { setTimeout as wait } from "node:timers/promises";
import { serviceLimits } from "../protocol";

/** Limits one update, from the start of its turn. `customTimeouts` and `deadlineMs` can only shorten it. */
export const updateMs = 45_000;
/** Limits the search for what an earlier run sent. With the update, it takes at most one minute: the grace period of many CI systems. */
export const settleMs = 15_000;
/** Pauses before the looks of a search, because a service may show a write late. `settleMs` has time for four, the last after 7.5 s. */
export const searchDelaysMs = [500, 1_000, 2_000, 4_000, 8_000];
/** Limits each read during a wait for another process's post. */
export const waitReadMs = 10_000;
/** Other processes assume that a post takes at most the first time, and wait for the second until its update appears. */
export const { maxPostMs, maxDelayMs } = serviceLimits;
/** The longest time for which a process holds a lock for one update, including a wait for an earlier post to appear. */
export const maxHoldMs = settleMs + maxPostMs + maxDelayMs + waitReadMs + updateMs;
/** In this time, the engine asks about the resources of a program that don't depend on each other. */
export const listenMs = 1_000;
/** How long a note counts if its update is known or its post was reported. After that, leftover files of locks and notes are removed. */
export const retentionMs = 86_400_000;

export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
