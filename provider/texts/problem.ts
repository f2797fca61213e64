import { didYouMean } from "./didYouMean";

/** One problem of the input: where it is, and what is allowed. Never the value itself. */
export interface Problem {
  /** The option, argument or field; with dots if nested, such as `accounts.eu.apiKey`. */
  readonly property: string;
  /** What is wrong and what is allowed, as the rest of a sentence that begins with the property. */
  readonly reason: string;
}

/** The reason for an unknown name. */
export function notKnown(name: string, known: readonly string[]): string {
  return `is not known; expected one of ${known.join(", ")}${didYouMean(name, known)}`;
}
