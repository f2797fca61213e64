/** The right word for a mistyped one. */

/** ` (did you mean "…"?)`, or nothing when no word is near. */
export function didYouMean(wrong: string, right: readonly string[]): string {
  const [nearest] = right
    .map((word) => ({ word, distance: distance(wrong.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(2, word.length / 3) && distance < word.length / 2)
    .sort((a, b) => a.distance - b.distance);
  return nearest === undefined ? "" : ` (did you mean "${nearest.word}"?)`;
}

const longestWord = 100;

/** How many letters to insert, drop or replace (Levenshtein); a beginning such as `warn` is near. */
function distance(a: string, b: string): number {
  if (a.length > longestWord) return Infinity;
  if (a.length > 2 && b.startsWith(a)) return 1;
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
