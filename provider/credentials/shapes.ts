/** Recognizes tokens by their random look. */
import { literalOf } from "./grammar";

/** Ids in public paths are shorter, such as T0AB12CD3 of a Slack workspace or the 12 letters and digits of a Statuspage. */
export const shortestToken = 16;

const uuid = /(?<![0-9a-f])(?!0{8}-)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/gi;
/** Up to three letters may precede the digits and name the kind of an id, such as `AC` of Twilio. */
const hex = /(?<![0-9a-z])(?:[a-z]{1,3}_?)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}(?![0-9a-z])/gi;
/** Matches digests, such as of an image or a script, and keys that vendors publish: those of PostHog and Stripe. */
export const published = /(?<!\w)(?:sha\d{3}[:-][\w+/=]+|(?:phc|pk_live|pk_test)_\w+)/g;

/** Says what looks random in a marked text: a token, or only UUIDs and hexadecimal digits, which ids are as well. */
export function randomIn(text: string): "token" | "id" | undefined {
  if (text.length < shortestToken) return undefined;
  const plain = literalOf(text).replace(published, " ");
  const rest = plain.replace(uuid, " ").replace(hex, " ");
  if (rest.split(/\s+/).some(hasScrambledPart)) return "token";
  return rest === plain ? undefined : "id";
}

/** Whether a part of a marked text looks random. */
export const isToken = (text: string): boolean => randomIn(text) !== undefined;

/** `run` matches letters and digits without a separator, and `writtenRun` one that is a single word or number. */
export const run = /[A-Za-z0-9]+/g;
const writtenRun = /(?<![A-Za-z0-9])(?:[A-Z]?[a-z]{4,}|[A-Z]{5,}|\d{5,})(?![A-Za-z0-9])/;
/** Matches a time in the notation of AWS, such as 20261120T120000Z. */
const time = /^\d{8}T\d{6}Z?$/i;
/** Matches the parts that a reader sees in a run: words, also in camelCase, acronyms, also as in `IPv4`, and numbers. */
const piece = /[A-Z]{2,}[a-z](?=\d)|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/** Whether a part of a word looks random: a single run, or everything between two written runs. */
function hasScrambledPart(word: string): boolean {
  if (word.length < shortestToken) return false;
  return [...word.split(writtenRun), ...(word.match(run) ?? [])].some(isScrambled);
}

/** Whether a text changes so often between letters, digits and cases that a program made it. */
function isScrambled(text: string): boolean {
  const runs = (text.match(run) ?? []).filter((one) => !time.test(one));
  // Sentences and versions have more separators.
  if (text.length < shortestToken || runs.length - 1 > text.length / 6) return false;
  const mixed = runs.filter((one) => (one.match(piece) ?? []).length > 1);
  // Letters of one case alone never look random; digits divide them.
  if (text === text.toLowerCase() || text === text.toUpperCase())
    return mixed.some((one) => one.length >= shortestToken && (one.match(piece) ?? []).length > 3);
  const { length } = mixed.join("");
  return length >= shortestToken && pointsOf(mixed) > 7 + 0.6 * length;
}

/** The 100 most frequent pairs of letters in the words of `docs`: 77 % of the pairs there, and 15 % of random ones. */
const pairs = new Set(
  `in th he at re er on or st es it te an en de nt ng se ne ri ha ch ti nd ul id ed le ts co ta al to ou ec ac ge is
   nc ce ro me of da as el pu un ar ic up lu ea et no tu ll li us ve am vi pr mi ex ct ci um rt ag pa mo ni nn pd pe
   po ut fi cr io ho wh ck ns ur tr la ru na ls ma ai il fo om hi ot di ev`.split(/\s+/),
);

/**
 * Counts what tells a token of both cases from a name in camelCase: it changes more often, has small letters after digits, and other
 * pairs of letters. The weights and the limit are fitted to the names and tokens that test/credentials/tokens.test.ts draws.
 */
function pointsOf(runs: readonly string[]): number {
  const count = (pattern: RegExp) => runs.reduce((sum, one) => sum + (one.match(pattern) ?? []).length, 0);
  const inWords = runs.flatMap((one) =>
    [...one.matchAll(/(?=([A-Za-z][a-z]))./g)].map(([, pair = ""]) => pair),
  );
  const common = inWords.filter((pair) => pairs.has(pair.toLowerCase())).length;
  const words = count(piece) - count(/\d+/g);
  return 4 * (words + count(/\d[a-z]/g) - common) + inWords.length - common;
}

/** Whether a text has digits between its letters. Where a secret is likely, only a secret has. */
export function isMixed(text: string): boolean {
  return text.length >= 6 && /[a-z]\d+[a-z]|\d[a-z]+\d/i.test(text);
}
