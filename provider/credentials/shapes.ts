/** Recognizes tokens that look random. */
import { stripPublished } from "./vendorForms";
import { stripMarks } from "./grammar";

/** IDs in public paths are shorter, such as T0AB12CD3 of a Slack workspace or the 12 letters and digits of a Statuspage. */
const shortestToken = 16;

const uuid = /(?<![0-9a-f])(?!0{8}-)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/gi;
/** The digits may follow up to three letters for the kind of an ID, such as `AC` for Twilio. */
const hex = /(?<![0-9a-z])(?:[a-z]{1,3}_?)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}(?![0-9a-z])/gi;

/** Returns the kind of random-looking content in marked text: "token", or "id" if there are only UUIDs and hexadecimal digits. */
export function findRandom(text: string): "token" | "id" | undefined {
  if (text.length < shortestToken) return undefined;
  const plain = stripPublished(stripMarks(text));
  const rest = plain.replace(uuid, " ").replace(hex, " ");
  if (rest.split(/\s/).some(hasScrambledPart)) return "token";
  return rest === plain ? undefined : "id";
}

/** `run` matches letters and digits without a separator, and `writtenRun` a run that is a single word or number. */
const run = /[A-Za-z0-9]+/g;
const writtenRun = /(?<![A-Za-z0-9])(?:[A-Z]?[a-z]{4,}|[A-Z]{5,}|\d{5,})(?![A-Za-z0-9])/;
/** Matches a time in the notation of AWS, such as 20261120T120000Z. */
const time = /^\d{8}T\d{6}Z?$/i;
/** Matches the pieces of a run: words, single capitals, and numbers. */
const piece = /[A-Z]?[a-z]+|[A-Z]|\d+/g;
/** The longest average length of the pieces of a token with both cases. The pieces of names are longer. */
const longestMeanPiece = 2.4;

/** Returns true if a part of a word looks random. A part is a single run, or everything between two written runs. */
function hasScrambledPart(word: string): boolean {
  return [...word.split(writtenRun), ...(word.match(run) ?? [])].some(isScrambled);
}

/** Returns true if a string alternates so often between letters, digits and cases that a program must have generated it. */
function isScrambled(text: string): boolean {
  const runs = (text.match(run) ?? []).filter((one) => !time.test(one));
  // Sentences and versions have more separators.
  if (runs.length - 1 > text.length / 6) return false;
  const mixed = runs.filter((one) => countPieces(one) > 1);
  // Letters of a single case never look random; digits must divide them.
  if (text === text.toLowerCase() || text === text.toUpperCase())
    return mixed.some((one) => one.length >= shortestToken && (one.match(/[a-z]+|\d+/gi) ?? []).length > 3);
  const { length } = mixed.join("");
  return length >= shortestToken && length <= longestMeanPiece * countPieces(mixed.join(" "));
}

const countPieces = (text: string): number => (text.match(piece) ?? []).length;

/** Returns true if a word that is shorter than a token alternates as often between letters of both cases. */
export function looksRandom(text: string): boolean {
  const hasBoth = /[a-z]/.test(text) && /[A-Z]/.test(text);
  return hasBoth && text.length >= 8 && text.length <= longestMeanPiece * countPieces(text);
}

/** Returns true if a string contains digits between its letters. Where a secret is likely, this identifies one. */
export function isMixed(text: string): boolean {
  return text.length >= 6 && /[a-z]\d+[a-z]|\d[a-z]+\d/i.test(text);
}
