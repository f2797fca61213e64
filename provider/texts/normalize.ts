/** Compares texts as a reader sees them, and derives digests and ids from them. */
import { createHash } from "node:crypto";

/** Returns the string as a reader sees it: services escape text, and change its white space and character encoding. */
export function normalizeText(text: string): string {
  return visibleText(streamSafe(decodeEntities(text)).normalize("NFC"));
}

/** True if two strings look the same to a reader: services change line breaks, white space and character encodings. */
export function sameText(a: string, b: string): boolean {
  return a === b || normalizeText(a) === normalizeText(b);
}

/** Characters that a service loses if it stores text as ASCII, as Latin-1, or in at most three bytes each. */
const lost = [/[^\0-\x7f]/gu, /[^\0-\xff]/gu, /[\u{10000}-\u{10ffff}]/gu];

/** True if a service may show the text like this: the same, or with all characters of a kind replaced by `?` or U+FFFD, or left out. */
export function mayBeShownAs(text: string, shown: string): boolean {
  if (sameText(text, shown)) return true;
  if (shown === "") return false;
  const before = withoutSubstitutes(text);
  const after = withoutSubstitutes(shown);
  return before !== after && lost.some((kind) => before.replace(kind, "") === after);
}

function withoutSubstitutes(text: string): string {
  return normalizeText(text).replace(/[\s?\ufffd]/g, "");
}

/** What Unicode calls default-ignorable, except what changes an emoji before it, or keeps the order of combining marks. */
const invisible =
  /(?!(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[\d#*])\ufe0f\u20e3|(?<=\p{M})\u034f(?=\p{M})|(?<=\u{1f3f4}[\u{e0020}-\u{e007f}]{0,7})[\u{e0020}-\u{e007f}])\p{DI}/gu;

/** Removes invisible characters, and replaces white space by single spaces. */
export function visibleText(text: string): string {
  return text.replace(invisible, "").replace(/\s+/gu, " ").trim();
}

/**
 * Splits runs of more than 30 combining marks by a combining grapheme joiner, as the Stream-Safe Text Format of Unicode does
 * (UAX #15): the time to sort the marks of a run grows quadratically with its length.
 */
function streamSafe(text: string): string {
  // Whole runs, so that each mark is passed once.
  return text.replace(/(?:(?!\u034f)\p{M})+/gu, (run) =>
    run.length <= 30 ? run : run.replace(/.{30}(?=.)/gsu, "$&\u034f"),
  );
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Matches an entity that was escaped once or several times: `&amp;amp;lt;` is `<`. */
const entity = /&(?:(?:amp|#0*38|#x0*26);)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

/** More passes would let one text take seconds. */
const maxPasses = 10;

/** Decodes repeatedly: a service may escape an already escaped string. */
function decodeEntities(text: string, passes = maxPasses): string {
  // An entity may stand for an invisible character, or contain one.
  const decoded = text.replace(invisible, "").replace(entity, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal !== undefined ? parseInt(decimal, 10) : parseInt(hex ?? "", 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return decoded === text || passes === 1 ? decoded : decodeEntities(decoded, passes - 1);
}

/** Returns 16 hex digits of a hash of the text. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The namespace of the ids of this package: a random UUID, the same in all releases. */
const namespace = Buffer.from("0f6d2c0e9a5b4c1d8e7f3a2b1c4d5e6f", "hex");

/** Returns a UUID of version 5, which equal names share. */
export function uuidOf(name: string): string {
  const bytes = createHash("sha1").update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns the id in one spelling: a service may return a UUID of ours in capitals. Any other id has no second spelling. */
export function canonicalId(id: string): string {
  const isVersion5 = /^[\da-f]{8}-[\da-f]{4}-5/i.test(id);
  return isVersion5 ? id.toLowerCase() : id;
}
