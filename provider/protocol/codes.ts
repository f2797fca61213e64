/** The codes with which a user answers the questions of refusals. Each belongs to one question, so that one that is left over answers no other. */
import { computeDigest } from "../texts";

/** What is assumed of a service, in milliseconds: a post ends in the first time, and after the second, every read shows its update. */
export const serviceLimits = { maxPostMs: 60_000, maxDelayMs: 60_000 } as const;

/** The time from which an answer about the post counts: before, the service may still show it. @param at The time of the post. */
export function getCodeStart(at: number): number {
  return at + serviceLimits.maxPostMs + serviceLimits.maxDelayMs;
}

/** The time from which the codes of a question count, if that is later than now. */
export function toFutureStart(from: number, now: number): { readonly from?: number } {
  return from > now ? { from } : {};
}

/** The most codes that count: a refusal prints all, and must fit into the response of a provider process. */
export const maxCodes = 100;

/** The code of the question whether the post with this nonce is public: given once, it answers each question about that post. */
export function computePostCode({ nonce }: { readonly nonce: string }): string {
  return computeCode({ about: "post", nonce });
}

/** The code of the question whether the public update is the one with this {@link computeDeclarationKey}. */
export function computeSimilarUpdateCode(declared: string, id: string): string {
  return computeCode({ about: "alike", declared, id });
}

/** The code of the question whether an edit may overwrite what somebody made of the update since the resource `made` it say something. */
export function computeEditCode(id: string, made: string, shown: string, declared: string): string {
  return computeCode({ about: "edit", id, made, shown, declared });
}

/** 8 hex digits, short enough to copy. */
function computeCode(question: { readonly about: string } & Readonly<Record<string, unknown>>): string {
  return normalizeCode(computeDigest(JSON.stringify(question)).slice(0, 8));
}

/**
 * The code in the spelling in which it is printed: readers of YAML take `12345e67`, `01234567` and `e1234567` for numbers, where a user
 * copies them without quotes.
 */
function normalizeCode(code: string): string {
  return code.toLowerCase().replace(/^[\de]/, (first) => "abcdf".charAt(parseInt(first, 16) % 5));
}

/** Reads the codes of a setting, in the spelling in which they are printed. @returns what is wrong, if something is. */
export function parseCodes(text: string): readonly string[] | { readonly problem: string } {
  const codes = (text.match(/\S+/g) ?? []).map(normalizeCode);
  if (!codes.every((code) => /^[0-9a-f]{8}$/.test(code)))
    return { problem: "must be codes of 8 hexadecimal digits, separated by spaces, such as cf3a1c20" };
  if (codes.length > maxCodes)
    return { problem: `must be at most ${maxCodes} codes: set those of the last message alone` };
  return codes;
}

/**
 * Adds the codes that are set to those that are asked for, because `pulumi config set` replaces them, and they may answer other
 * questions of the run. Too many codes are none.
 */
export function mergeCodes(before: readonly string[], asked: readonly string[]) {
  if (asked.length === 0 || asked.length > maxCodes) return { codes: [] };
  const room = maxCodes - asked.length;
  const set = room > 0 ? before.slice(-room) : [];
  return { codes: [...set, ...asked], ...(set.length > 0 && { set }) };
}
