/** Texts made of other texts. */

/** @typedef {import("./random").Random} Random */

/** No text is made longer. */
const longest = 4_096;

const characters = Array.from(
  "\0\t\n\r \"#$%&'()*+,-./0:;<=>?@[\\]^_`{|}~a9AZé\u007f\u0085\u00a0\u00ad\u200b\u2028\u202e\ufeff\uffff😀",
).concat("\ud83d", "\ude00");

const numbers = [
  "0",
  "-1",
  "1",
  "1.5",
  "1e3",
  "60",
  "99",
  "100",
  "255",
  "256",
  "257",
  "65536",
  "1e400",
  "-0",
];

/**
 * One of the texts, changed in a few places.
 * @param {readonly string[]} texts at least one
 * @param {readonly string[]} words that mean something to the target
 * @param {Random} random
 */
function mutated(texts, words, random) {
  let text = random.of(texts);
  for (let change = random.below(4); change >= 0; change--) {
    text = random.of(changes)(text, random, words, texts).slice(0, longest);
  }
  return text;
}

/** @type {((text: string, random: Random, words: readonly string[], texts: readonly string[]) => string)[]} */
const changes = [
  (text, random, words) => inserted(text, random, random.of(words)),
  (text, random, words) => overwritten(text, random, random.of(words)),
  (text, random) => inserted(text, random, random.of(characters)),
  (text, random) => overwritten(text, random, random.of(characters)),
  (text, random) => inserted(text, random, String.fromCharCode(random.below(0x10000))),
  (text, random) => overwritten(text, random, ""),
  (text, random) => inserted(text, random, partOf(text, random)),
  (text, random) => overwritten(text, random, partOf(text, random)),
  (text, random, _, texts) => inserted(text, random, partOf(random.of(texts), random)),
  (text, random, _, texts) => text.slice(0, random.below(text.length + 1)) + partOf(random.of(texts), random),
  (text, random) => text.replace(/-?\d+/, () => random.of(numbers)),
];

/**
 * @param {string} text
 * @param {Random} random
 * @param {string} piece
 */
function inserted(text, random, piece) {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
}

/**
 * @param {string} text
 * @param {Random} random
 * @param {string} piece
 */
function overwritten(text, random, piece) {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at + 1 + random.below(8));
}

/**
 * @param {string} text
 * @param {Random} random
 */
function partOf(text, random) {
  const from = random.below(text.length + 1);
  return text.slice(from, from + 1 + random.below(40));
}

module.exports = { longest, mutated };
