/** The string as a reader sees it: services escape text, and change its white space and character encoding. */
export function normalizeText(text: string): string {
  return streamSafe(decodeEntities(text)).normalize("NFC").replace(/\s+/gu, " ").trim();
}

/**
 * Cuts runs of more than 30 combining marks by a combining grapheme joiner, as the Stream-Safe Text Format of Unicode does
 * (UAX #15): the time to sort the marks of a run grows by its square. Other text stays as it is.
 */
function streamSafe(text: string): string {
  return text.replace(/(?:(?!\u034f)\p{M}){30}(?=(?!\u034f)\p{M})/gu, "$&\u034f");
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** An entity, escaped once or several times: `&amp;amp;lt;` is `<`. */
const entity = /&(?:(?:amp|#0*38|#x0*26);)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

/** More would let one text take seconds. */
const maxPasses = 10;

/** Decodes repeatedly: a service may escape an already escaped string. */
function decodeEntities(text: string, passes = maxPasses): string {
  const decoded = text.replace(entity, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    // Stryker disable next-line StringLiteral: one of the groups has always matched
    const code = decimal !== undefined ? parseInt(decimal, 10) : parseInt(hex ?? "", 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  // Stryker disable next-line ConditionalExpression: more passes change nothing
  return decoded === text || passes === 1 ? decoded : decodeEntities(decoded, passes - 1);
}
