import { z } from "zod";

/** A documented value, or a newer one that the service added later: reading accepts both. */
export type Open<Known extends string> = Known | (string & {});

/**
 * A time as the service returns it: an ISO date-time with or without milliseconds, a date alone, or
 * `YYYY-MM-DD HH:mm:ss` without a zone, which means UTC. Compare the times, not the strings.
 */
export type Timestamp = string;

/** A schema for each field of the interface and for nothing else: otherwise, it doesn't compile. */
export type Shape<Type> = { readonly [Name in keyof Type]-?: z.ZodType<Type[Name]> };

/** An object with its dates. */
export interface Dated {
  /** When it was created. */
  created_at?: Timestamp | null;
  /** When it was last changed; null when never. */
  updated_at?: Timestamp | null;
}

export const text = z.string().nullish();
export const flag = z.boolean().nullish();

/** An id as a string: some services return numbers. */
export const objectId = z.union([z.string().min(1), z.int().transform(String)]);

/** The fields of {@link Dated}. */
export const dates = { created_at: text, updated_at: text } satisfies Shape<Dated>;
