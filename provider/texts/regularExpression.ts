/** Regular expressions of expectations. They match in linear time, whatever the pattern and the text. */
import { RE2JS } from "re2js";

const maxLength = 1000;

/** Why it can't be used as a pattern, as the rest of a sentence that begins with its name. */
export function patternProblem(source: unknown): string | undefined {
  if (typeof source !== "string") return "must be a regular expression, as a string";
  if (source.length > maxLength) return `must have at most ${maxLength} characters`;
  if (isValid(() => compile(source))) return undefined;
  const otherwise = isValid(() => new RegExp(source, "u"))
    ? " that RE2 supports: without lookaround, backreferences and large repetitions"
    : "";
  return `must be a regular expression${otherwise}`;
}

/** Tells whether a part of a text matches. */
export function matcherOf(source: string): (text: string) => boolean {
  const pattern = compile(source);
  return (text) => pattern.matcher(text).find();
}

function compile(source: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(source));
}

function isValid(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}
