/** Tells by its shape alone whether a text is a token: a UUID, hexadecimal digits, what begins as a vendor's keys do, or what is scrambled. */

const uuid = /(?<![0-9a-f])(?!0{8}-)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/i;
/** Up to three letters before the digits are the kind of an id, such as `AC` of Twilio. */
const hex = /(?<![0-9a-z])(?:[a-z]{1,3}_?)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}(?![0-9a-z])/i;

/** How the keys of vendors begin that are known by it wherever they stand. */
const vendorKey = new RegExp(
  [
    "(?<![A-Za-z0-9])(?:gh[opsur]_\\w{20}|github_pat_\\w{20}|gl[a-z]{2,5}-[\\w-]{20}|xox[a-z]-[\\w-]{10}|xapp-[\\w-]{10}",
    "[prsw][kh](?:_live|_test|sec)_\\w{10}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\\w-]{30}|SG\\.[\\w-]{16,40}\\.[\\w-]{16}",
    "eyJ[\\w-]{8,400}\\.eyJ[\\w-]{8}|npm_\\w{30}|lin_api_\\w{16}|hvs\\.[\\w-]{20}|sk-[\\w-]{20}|dapi[0-9a-f]{32})",
    "-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----",
  ].join("|"),
);

/** Whether a text has a key of a known vendor in it, also within a sentence. */
export const hasVendorKey = (text: string): boolean => vendorKey.test(text);

/** Whether a token has the shape that ids have as well. */
export function isIdShape(token: string): boolean {
  return (uuid.test(token) || hex.test(token)) && !hasVendorKey(token);
}

/** Ids in public paths are shorter, such as T0AB12CD3 of a Slack workspace or the 12 letters and digits of a Statuspage. */
const shortestToken = 16;

/** Whether a text without spaces looks random. */
export function isToken(text: string): boolean {
  if (text.length < shortestToken) return false;
  return uuid.test(text) || hex.test(text) || isScrambled(text);
}

/** A time as AWS writes it, such as 20261120T120000Z. */
const time = /^\d{8}T\d{6}Z?$/i;
/** The pieces that a reader sees: a word, also of camelCase, an acronym or a number. */
const chunk = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const word = /^[A-Za-z][a-z]+$/;

/**
 * Whether the runs of letters and digits in a text, divided by any other characters, change so often between letters, digits and
 * cases that nobody wrote them. Letters of one case alone never do.
 */
function isScrambled(text: string): boolean {
  const runs = (text.match(/[A-Za-z0-9]+/g) ?? []).map((run) => run.match(chunk) ?? []);
  // Words and versions have more separators. A word or a number that is a whole run was written.
  if (time.test(text) || runs.length - 1 > text.length / 6) return false;
  if (runs.some(([first = "", ...others]) => others.length === 0 && first.length >= 5)) return false;
  if (text === text.toLowerCase() || text === text.toUpperCase())
    return runs.some((run) => run.length > 3 && run.join("").length >= shortestToken);
  const mixed = runs.filter((run) => run.length > 1);
  const length = mixed.flat().join("").length;
  // Words of camelCase begin with a capital, except the first one.
  const isWord = (one: string, index: number) =>
    word.test(one) && (index === 0 || (one < "a" && one.length > 2));
  const words = mixed.flatMap((run) => run.filter(isWord));
  const areShort = length / mixed.flat().length <= 3.6;
  return length >= shortestToken && areShort && words.join("").length < length * 0.7;
}

/** Whether a text has digits between its letters, as only a secret has where one is likely. */
export function isMixed(text: string): boolean {
  return text.length >= 6 && /[a-z]\d+[a-z]|\d[a-z]+\d/i.test(text);
}
