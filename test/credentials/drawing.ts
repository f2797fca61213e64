/** Draws texts at random, the same in each run. */

/** Random numbers below 1, the same in each run: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function drawer(seed: number) {
  const random = randomOf(seed);
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = (words: string) => words.split(" ")[below(words.split(" ").length)] ?? "";
  const many = (least: number, most: number, draw: () => string) =>
    Array.from({ length: least + below(most - least + 1) }, draw);
  const drawn = (characters: string, length: number) =>
    many(length, length, () => characters.charAt(below(characters.length))).join("");
  const number = (most: number) => String(below(most)).padStart(2, "0");
  return { below, oneOf, many, drawn, number };
}
