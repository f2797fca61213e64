/** Limits the time of publishing one update, in milliseconds. */
import { setTimeout as wait } from "node:timers/promises";
import { serviceLimits } from "../protocol";

/** Limits one update, from the start of its turn. `customTimeouts` and `deadlineMs` can only shorten it. */
export const updateMs = 45_000;
/**
 * Limits the search for an earlier run's post. Together with the update, it takes at most one minute, the grace period of many CI systems.
 */
export const settleMs = 15_000;
/**
 * Pauses between the reads of a search, because reads may be stale after a write. `settleMs` has time for four reads, the last after 7.5 s.
 */
export const searchDelaysMs = [500, 1_000, 2_000, 4_000, 8_000];
/** Limits each read during a wait for another process's post. */
export const waitReadMs = 10_000;
/** Other processes assume that a post takes at most `maxPostMs`, and that its update appears at most `maxDelayMs` later. */
export const { maxPostMs, maxDelayMs } = serviceLimits;
/** The longest time for which a process holds a lock for one update, including a wait for an earlier post to appear. */
export const maxHoldMs = settleMs + maxPostMs + maxDelayMs + waitReadMs + updateMs;
/** Within this time, the engine calls the provider for all resources of a program that don't depend on each other. */
export const listenMs = 1_000;
/**
 * How long a note is valid. The note of a killed post stays valid after its update can't appear any more, because a correction may be declared
 * hours later and must edit that update. Older files of locks and notes are removed.
 */
export const retentionMs = 86_400_000;

export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
