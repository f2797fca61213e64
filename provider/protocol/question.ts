/** What only the user can know, and the code that answers it: nothing about an answer is stored. */
import { digestOf } from "../texts";

export type Question =
  /** Is the post with this nonce public? The incident doesn't show it. */
  | { readonly about: "post"; readonly nonce: string }
  /** Is the update public, beyond the latest ones that the service shows? */
  | {
      readonly about: "update";
      readonly ownId: string;
      /** The newest update that no resource of the program has. */
      readonly newestOther: string | undefined;
      /** The day in UTC, counted from 1970. */
      readonly day: number;
    };

/** How many codes count at most: a refusal prints all, and must fit into what a provider process may respond. */
export const maxCodes = 100;

/** 8 hex digits: a code that is left over answers no other question, short of a collision. */
export function codeOf(question: Question): string {
  return digestOf(JSON.stringify(question)).slice(0, 8);
}

/** The code of the question about one post: given once, it answers each question about that post. */
export function codeOfPost({ nonce }: { readonly nonce: string }): string {
  return codeOf({ about: "post", nonce });
}

const dayMs = 86_400_000;

/**
 * The days of the questions about an update whose answers count: today, as the question is asked, and the day before.
 *
 * @param now In milliseconds since 1970.
 */
export function daysOfAnswers(now: number): readonly number[] {
  const today = Math.floor(now / dayMs);
  return [today, today - 1];
}
