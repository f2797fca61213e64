/** How long publishing one update may take, what each part of it may, and what is said when the time is over. */
import { setTimeout as wait } from "node:timers/promises";
import { TimeoutError } from "../client";

// How long publishing one update may take, what each part of it may, and how long a post is remembered.

/** An update, from its turn on; customTimeouts and `deadlineMs` may only shorten it. */
export const updateMs = 45_000;
/** Of that, in parts of the whole: the post, so that time remains to search for a post without a response. */
export const postShare = 20 / 45;
/** With less, the post isn't sent: it would probably time out, and its result would be unknown. */
export const leastPostShare = 5 / 45;
/** The search for what an earlier run sent. With the update, at most one minute: the grace period of many CI systems. */
export const settleMs = 15_000;
/** Each read during a wait for another process's post. */
export const waitReadMs = 10_000;

/** Upper limit of the time that a post takes, for other processes. */
export const maxPostMs = 60_000;
/** For how long the next run waits for an update after its post has ended. */
export const maxDelayMs = 60_000;
/** For how long a note counts whose update is known, or whose post was reported; other files of locks and notes are removed then, too. */
export const retentionMs = 86_400_000;

/** Upper limit of the time that a process needs for one update, with a wait for an earlier post to appear. */
export const maxHoldMs = settleMs + maxPostMs + maxDelayMs + waitReadMs + updateMs;

/** The looks of a search: a service may show a write late. Within `settleMs` there are four, the last after 7.5 s. */
const searchDelaysMs = [500, 1_000, 2_000, 4_000, 8_000];
const longestDelayMs = 8_000;

/** A part of the time, which begins now. */
export class TimeLeft {
  readonly totalMs: number;
  readonly #ends: number;

  constructor(ms: number) {
    this.totalMs = ms;
    this.#ends = performance.now() + ms;
  }

  /** The remaining time: at least one millisecond, at most this share of the total. */
  leftMs(share = 1): number {
    return Math.max(1, Math.floor(Math.min(this.#ends - performance.now(), this.totalMs * share)));
  }
}

/**
 * The delay before a look; undefined when a search has looked often enough.
 *
 * @param look From 1 on.
 * @param until For a wait, which has no last look: when it ends, in milliseconds since 1970.
 */
export function delayBefore(look: number, until: number | undefined): number | undefined {
  const ms = searchDelaysMs[look - 1];
  if (until === undefined) return ms;
  return Math.min(ms ?? longestDelayMs, Math.max(1, until - Date.now()));
}

/** Waits. @throws the signal's reason immediately when the run is cancelled. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}

// Why an update isn't posted, before anything of it is sent.

/** The time of the update is nearly over. */
export function noTimeLeft(incidentId: string): TimeoutError {
  return new TimeoutError(
    `IncidentUpdate on incident ${incidentId}: reading the incident, or waiting for other requests, left too little time ` +
      "to post the update. Nothing was posted. Run `pulumi up` again. If `deadlineMs` or `customTimeouts` is below 45 s, raise it.",
  );
}

/** Another process doesn't release the lock. */
export function heldTooLong(): TimeoutError {
  return new TimeoutError(
    `Another process has been publishing to this incident for more than ${maxHoldMs / 1000} s. ` +
      "Nothing was posted. Run `pulumi up` again.",
  );
}
