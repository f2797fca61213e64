/** Describes a problem of a user's input, and suggests the name that was probably meant. */

/** One problem of the input. Never contains the value. */
export interface Problem {
  /** The option, argument or field; with dots if nested, such as `accounts.eu.apiKey`. */
  readonly property: string;
  /** The rest of a sentence that begins with the property: the mistake, and what is allowed. */
  readonly reason: string;
}

export function notKnown(name: string, allowed: readonly string[]): string {
  return `is not known; expected one of ${allowed.join(", ")}${didYouMean(name, allowed)}`;
}

/** Returns ` (did you mean "…"?)`, or an empty string when no allowed word is similar. */
export function didYouMean(wrong: string, allowed: readonly string[]): string {
  const nearest = nearestOf(wrong, allowed);
  return nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
}

/** Returns the most similar allowed word; undefined if none is similar. */
export function nearestOf(wrong: string, allowed: readonly string[]): string | undefined {
  const lower = wrong.toLowerCase();
  let nearest: string | undefined;
  let least = Infinity;
  for (const word of allowed) {
    const most = Math.min(Math.max(2, Math.floor(word.length / 3)), Math.ceil(word.length / 2) - 1);
    const edits = distance(lower, word.toLowerCase(), most);
    if (edits < least) [nearest, least] = [word, edits];
  }
  return nearest;
}

/** Returns true if the name differs from an allowed one only by a typing mistake. Short names are too similar to tell. */
export function isMisspelled(name: string, allowed: readonly string[]): boolean {
  const isTypo = (word: string) => word.length > 4 && levenshtein(name, word, 2) <= 2;
  return !allowed.includes(name) && allowed.some(isTypo);
}

const maxLength = 100;

/** Returns the Levenshtein distance; 1 for a prefix such as `warn`. */
function distance(a: string, b: string, most: number): number {
  if (a.length > 2 && b.startsWith(a)) return most < 1 ? Infinity : 1;
  return levenshtein(a, b, most);
}

/**
 * Returns the Levenshtein distance, or Infinity if it is more than `most`. It stops early, because a file may have many wrong
 * words, and each is compared with every allowed one.
 */
function levenshtein(a: string, b: string, most: number): number {
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
