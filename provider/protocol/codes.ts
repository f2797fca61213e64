/**
 * Resend codes, which a user sets to override a rejection. Each code is bound to one post or similar update, so a leftover code can't
 * override another rejection.
 */
import { maxCodes, normalizeCode } from "../resendCodes";
import { computeDigest } from "../texts";

/** Assumptions about the service, in milliseconds: how long a post can take, and how long after it a read can be stale. */
export const serviceLimits = { maxPostMs: 60_000, maxDelayMs: 60_000 } as const;

/** Returns when a resend code for the post takes effect. Before that, the update may still appear. @param at The time of the post. */
export function getCodeStart(at: number): number {
  return at + serviceLimits.maxPostMs + serviceLimits.maxDelayMs;
}

/** Returns the time at which resend codes take effect, if it is in the future. */
export function toFutureStart(from: number, now: number): { readonly from?: number } {
  return from > now ? { from } : {};
}

/** Returns the code that confirms that the post with this nonce isn't public. It overrides every rejection because of that post. */
export function computePostCode({ nonce }: { readonly nonce: string }): string {
  return computeCode({ about: "post", nonce });
}

/** Returns the code that confirms that a public update isn't the declared one. @param declared See {@link computeDeclarationKey}. */
export function computeSimilarUpdateCode(declared: string, id: string): string {
  return computeCode({ about: "alike", declared, id });
}

/** Returns 8 hex digits, so that the code is easy to copy. */
function computeCode(question: { readonly about: string } & Readonly<Record<string, unknown>>): string {
  return normalizeCode(computeDigest(JSON.stringify(question)).slice(0, 8));
}

/**
 * Adds the configured codes to the requested ones, because `pulumi config set` replaces the value, and other updates may need the old
 * codes. Returns at most `maxCodes`, without the first configured codes if necessary. Returns no codes if more are requested.
 */
export function mergeCodes(before: readonly string[], asked: readonly string[]) {
  if (asked.length === 0 || asked.length > maxCodes) return { codes: [] };
  const room = maxCodes - asked.length;
  const set = room > 0 ? before.slice(-room) : [];
  return { codes: [...set, ...asked], ...(set.length > 0 && { set }) };
}
