import { z } from "zod";

/** One of the values that the service documents today, or one that it adds later: reading never fails on it. */
export type Open<Known extends string> = Known | (string & {});

/**
 * A moment as the service wrote it: a full ISO date-time with or without milliseconds, a date alone, or
 * `YYYY-MM-DD HH:mm:ss` without a zone, which means UTC. Kept as text; compare by instant.
 */
export type Timestamp = string;

/** An object as the service sent it: what is documented is typed, what is not is there, untyped. */
export interface Answer {
  [field: string]: unknown;
}

export const text = z.string().nullish();
export const flag = z.boolean().nullish();
