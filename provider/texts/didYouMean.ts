/** How many more words are compared in the input that is checked. */
let left = Infinity;

/**
 * Runs the check of one input, with suggestions for its first ten mistakes only: each is a comparison with every allowed
 * word, and nobody reads thousands.
 */
export function withFewSuggestions<Result>(check: () => Result): Result {
  const outer = left;
  left = 10;
  try {
    return check();
  } finally {
    left = outer;
  }
}

/** ` (did you mean "…"?)`, or an empty string when no allowed word is similar. */
export function didYouMean(wrong: string, allowed: readonly string[]): string {
  if (left === 0) return "";
  left -= 1;
  const nearest = nearestOf(wrong, allowed);
  return nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
}

/** The most similar allowed word, if one is similar. */
export function nearestOf(wrong: string, allowed: readonly string[]): string | undefined {
  const [nearest] = allowed
    .map((word) => ({ word, distance: distance(wrong.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(2, word.length / 3) && distance < word.length / 2)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.word;
}

/** Whether the name differs from an allowed one only by a typing mistake. Short names are too similar to tell. */
export function isMisspelled(name: string, allowed: readonly string[]): boolean {
  const isTypo = (word: string) => word.length > 4 && levenshtein(name, word) <= 2;
  return !allowed.includes(name) && allowed.some(isTypo);
}

const maxLength = 100;

/** The Levenshtein distance; 1 for a prefix such as `warn`. */
function distance(a: string, b: string): number {
  return a.length > 2 && b.startsWith(a) ? 1 : levenshtein(a, b);
}

function levenshtein(a: string, b: string): number {
  if (a.length > maxLength) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
