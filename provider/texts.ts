/**
 * Processes untrusted text: compares strings as a reader sees them, suggests similar names, and makes text safe to print. In a message, a
 * log or JSON, untrusted text must not rewrite a terminal, run a command of a CI system, or look like output of this package.
 */
import { createHash } from "node:crypto";
import { getSystemErrorMap, types } from "node:util";

/** Returns the string as a reader sees it, because services escape text, and change its white space and character encoding. */
export function normalizeText(text: string): string {
  return toVisibleText(toStreamSafe(decodeEntities(text)).normalize("NFC"));
}

/** Returns true if two strings look the same to a reader, because services change line breaks, white space and character encodings. */
export function sameText(a: string, b: string): boolean {
  return a === b || normalizeText(a) === normalizeText(b);
}

/** Match the characters that a service loses if it stores text as ASCII, as Latin-1, or with at most three bytes for each character. */
const lost = [/[^\0-\x7f]/gu, /[^\0-\xff]/gu, /[\u{10000}-\u{10ffff}]/gu];

/**
 * Returns true if a service may show the text like this: unchanged, or with all characters of a kind replaced with `?` or U+FFFD, or
 * removed. Both strings are normalized.
 */
export function canBeShownAs(text: string, shown: string): boolean {
  if (text === shown) return true;
  if (shown === "") return false;
  const before = stripSubstitutes(text);
  const after = stripSubstitutes(shown);
  return before !== after && lost.some((kind) => before.replace(kind, "") === after);
}

/** Returns the share of words that two normalized strings have in common, from 0 to 1. */
export function computeWordOverlap(a: string, b: string): number {
  const [one, other] = [splitWords(a), splitWords(b)];
  const common = [...one].filter((word) => other.has(word)).length;
  return (2 * common) / Math.max(1, one.size + other.size);
}

/** In scripts without spaces, each character is a word. */
function splitWords(text: string): Set<string> {
  const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;
  return new Set(text.toLowerCase().match(word));
}

function stripSubstitutes(text: string): string {
  return text.replace(/[\s?\ufffd]/g, "");
}

/** Matches Unicode's default-ignorable characters, except those that change the preceding emoji or keep the order of combining marks. */
const invisible =
  /(?!(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[\d#*])\ufe0f\u20e3|(?<=\p{M})\u034f(?=\p{M})|(?<=\u{1f3f4}[\u{e0020}-\u{e007f}]{0,7})[\u{e0020}-\u{e007f}])\p{DI}/gu;

/** Removes invisible characters and replaces white space with single spaces. */
export function toVisibleText(text: string): string {
  return text.replace(invisible, "").replace(/\s+/gu, " ").trim();
}

/**
 * Splits runs of more than 30 combining marks with a combining grapheme joiner, as in the Stream-Safe Text Format of Unicode (UAX #15).
 * Otherwise, the time to sort the marks of a run would grow quadratically with its length.
 */
function toStreamSafe(text: string): string {
  // Match whole runs, so that each mark is passed once.
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

/** Matches an entity, even if its ampersand was escaped several times: `&amp;amp;lt;` is `<`. */
const entity = /&(?:(?:amp|#0*38|#x0*26);)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

/** With more passes, a single string could take seconds. */
const maxPasses = 10;

/** Decodes repeatedly, because a service may escape an already escaped string. */
function decodeEntities(text: string, passes = maxPasses): string {
  // An entity may represent an invisible character, or contain one.
  const decoded = text.replace(invisible, "").replace(entity, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal !== undefined ? parseInt(decimal, 10) : parseInt(hex ?? "", 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return decoded === text || passes === 1 ? decoded : decodeEntities(decoded, passes - 1);
}

/** Returns 16 hex digits of a hash of the text. */
export function computeDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The namespace of the IDs that this package generates: a random UUID, the same in all releases. */
const namespace = Buffer.from("0f6d2c0e9a5b4c1d8e7f3a2b1c4d5e6f", "hex");

/** Returns a UUID of version 5. Equal names result in equal UUIDs. */
export function computeUuid(name: string): string {
  const bytes = createHash("sha1").update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns the ID in one spelling, because a service may return a UUID from this package in capitals. Other IDs have only one spelling. */
export function normalizeId(id: string): string {
  const isVersion5 = /^[\da-f]{8}-[\da-f]{4}-5/i.test(id);
  return isVersion5 ? id.toLowerCase() : id;
}

/** One problem of the input. Never contains the value. */
export interface Problem {
  /** Name of the option, argument or field; with dots if nested, such as `accounts.eu.apiKey`. */
  readonly property: string;
  /** The rest of a sentence that starts with the property: the problem, and the allowed values. */
  readonly reason: string;
}

/** Formats sentences about a subject: a single one in the same line, and several as a list. @param sentences Without a period. */
export function formatList(subject: string, sentences: readonly string[]): string {
  const items = sentences.map((sentence) => `${sentence}.`);
  return items.length === 1 ? `${subject}: ${items.join()}` : [`${subject}:`, ...items].join("\n  - ");
}

export function formatNotKnown(name: string, allowed: readonly string[]): string {
  return `is not known; expected one of ${allowed.join(", ")}${formatSuggestion(name, allowed)}`;
}

/** Returns ` (did you mean "…"?)`, or an empty string when no allowed word is similar. */
export function formatSuggestion(wrong: string, allowed: readonly string[]): string {
  const nearest = findNearest(wrong, allowed);
  return nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
}

/** Returns the most similar allowed word; undefined if none is similar. */
export function findNearest(wrong: string, allowed: readonly string[]): string | undefined {
  const lower = wrong.toLowerCase();
  let nearest: string | undefined;
  let least = Infinity;
  for (const word of allowed) {
    const most = Math.min(Math.max(2, Math.floor(word.length / 3)), Math.ceil(word.length / 2) - 1);
    const edits = computeDistance(lower, word.toLowerCase(), most);
    if (edits < least) [nearest, least] = [word, edits];
  }
  return nearest;
}

/**
 * Returns true if the name is probably a misspelled allowed name. Ignores allowed names of up to 4 characters, because short names often
 * resemble unrelated names.
 */
export function isMisspelled(name: string, allowed: readonly string[]): boolean {
  const isTypo = (word: string) => word.length > 4 && computeLevenshtein(name, word, 2) <= 2;
  return !allowed.includes(name) && allowed.some(isTypo);
}

const maxLength = 100;

/** Returns the Levenshtein distance; 1 for a prefix such as `warn`. */
function computeDistance(a: string, b: string, most: number): number {
  if (a.length > 2 && b.startsWith(a)) return most < 1 ? Infinity : 1;
  return computeLevenshtein(a, b, most);
}

/**
 * Returns the Levenshtein distance, or Infinity if it is more than `most`. Stops early, because a file may contain many wrong words, and
 * each is compared with every allowed word.
 */
function computeLevenshtein(a: string, b: string, most: number): number {
  if (a.length > maxLength || Math.abs(a.length - b.length) > most) return Infinity;
  const row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    let diagonal = i;
    let left = (row[0] = i + 1);
    let least = left;
    for (let j = 0; j < b.length; j++) {
      const above = row[j + 1] ?? 0;
      const replaced = diagonal + (a.charCodeAt(i) === b.charCodeAt(j) ? 0 : 1);
      row[j + 1] = left = Math.min(replaced, above + 1, left + 1);
      diagonal = above;
      if (left < least) least = left;
    }
    if (least > most) return Infinity;
  }
  const edits = row[b.length] ?? 0;
  return edits > most ? Infinity : edits;
}

/** A notice to the user: one line, or the lines of a preview, which are already printable. */
export type NoticeText = string | readonly string[];

export function formatNoticeText(text: NoticeText): string {
  return typeof text === "string" ? toOneLine(text) : text.join("\n");
}

/** A quick test for strings that need no change. It matches most of them. */
const plain = /^(?!.*(?:##|<\{%))[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** Removes control characters, which could rewrite a terminal, and line breaks, and breaks up commands. */
export function toOneLine(text: string): string {
  return plain.test(text) ? text : toPrintable(collapseSpaces(text));
}

/** Replaces each run of whitespace and unprintable characters with one space, and trims the result. */
export function collapseSpaces(text: string): string {
  return normalizeSpaces(text).trim();
}

/** Does the same for a part of a sentence, but keeps the spaces at its ends. */
export function normalizeSpaces(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, " ");
}

/** Does the same as {@link toOneLine}, but keeps line breaks. */
export function toPrintable(text: string): string {
  return breakCommands(text.replace(/[^\P{C}\n]+/gu, " "));
}

/**
 * Breaks up `##[…]` and `##vso[…]`, which CI systems run as commands anywhere in a line, and `<{%…%}>`, which marks colors for Pulumi's
 * engine. The engine crashes on an unknown color.
 */
function breakCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, "# #").replace(/<\{%/g, "< {%");
}

/** Quotes the text as one line and escapes control characters, so that nothing is lost. */
export function quoteLine(text: string): string {
  return toPrintable(JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCodePoint));
}

const escapeCodePoint = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Does the same as {@link quoteLine}, but omits the middle of a string that is too long. */
export function quoteExcerpt(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return quoteLine(text);
  const cut = Math.ceil((longest * 2) / 3);
  const [start, end] = [characters.slice(0, cut), characters.slice(cut - longest)].map((part) =>
    part.join(""),
  );
  return quoteLine(`${start} \u2026 ${end}`);
}

/** Returns JSON that is safe to print: escapes characters that a terminal interprets, and commands such as `##[…]`. */
export function toSafeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|#(?=#)/gu,
    escapeUnicode,
  );
}

function escapeUnicode(sign: string): string {
  return Array.from(
    { length: sign.length },
    (_, index) => `\\u${sign.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** Returns the error code of the operating system or of Node, if any. */
export function getErrorCode(error: unknown): string | undefined {
  const code = types.isNativeError(error) && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
}

/** Returns the reason of a failure in one line: the operating system's description, or the first line of the message. */
export function getErrorReason(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  const errno = "errno" in error && typeof error.errno === "number" ? error.errno : undefined;
  const description = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return description ?? error.message.split("\n", 1).join("");
}

/** Returns a number with its noun: `1 channel`, `2 channels`, `1,200 channels`. */
export function formatCount(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/** Returns the lines of a text, with invisible characters escaped. */
export function splitVisibleLines(text: string): string[] {
  return text.replace(/\r\n?/g, "\n").split("\n").map(escapeInvisible);
}

/** Escapes control and invisible characters, except the joiners inside emoji and inside words of other scripts. */
function escapeInvisible(line: string): string {
  const escaped = line
    .trimEnd()
    .replace(/\t/g, "    ")
    .replace(/(?!(?<=\P{ASCII})[\u200c\u200d](?=\P{ASCII}))[\p{C}\p{Zl}\p{Zp}]/gu, escapeCodePoint);
  return breakCommands(escaped);
}

/** Parses JSON. Returns undefined for other text, because the parser's error would quote the text, which may contain secrets. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
