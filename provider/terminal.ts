/** Fits texts into the lines of a terminal. */
import { amount, oneLine, visibleLines } from "./texts";

const mark = "  |";
/** Only a line of the text has the mark: whoever approves it sees which line breaks will be public. */
const continuation = "  \u21b3";

/** The room that a terminal has for a text. */
interface Room {
  /** The number of characters; the rest is counted. */
  readonly most: number;
  /** The width of a line with its mark. */
  readonly columns: number;
}

/** The engine indents its lines by four columns, and a terminal has 80. */
const engineRoom: Room = { most: 3000, columns: 76 };

/** Quotes a text for a terminal, in its own lines, each with a mark, wrapped to lines with another one. */
export function quotation(text: string, { most, columns } = engineRoom): string[] {
  const characters = Array.from(text);
  const left = characters.length - most;
  const shown = left > 0 ? characters.slice(0, most).join("") : text;
  const width = columns - mark.length - 1;
  const lines = visibleLines(shown).flatMap((line) =>
    wrapped(line.match(/ *[^ ]+/g) ?? [], width).map(
      (part, index) => (index === 0 ? mark : continuation) + (part && ` ${part}`),
    ),
  );
  return left > 0 ? [...lines, `  \u2026 and ${amount(left, "more character")}`] : lines;
}

/** Wraps a sentence for a terminal, and indents the lines after the first. A command between backticks stays whole, to be copied. */
export function wrappedSentence(sentence: string, columns: number): string[] {
  const words = oneLine(sentence).match(/ *(?:`[^`]+`|[^ ])+/g) ?? [];
  const lines = wrapped(words, columns - 2, (word) => [word]);
  // A host of jobs runs a line that begins with `::`, also after spaces.
  return lines.map((line, index) => (index === 0 ? "" : "  ") + line.replace(/^::/, ": :"));
}

/** Breaks a text into lines of at most this width, but for a word that is longer. */
export function wrappedText(text: string, width: number): string[] {
  return wrapped(text.match(/ *[^ ]+/g) ?? [], width, (word) => [word]);
}

/** Joins words to lines, and splits a word that is longer than a line. */
function wrapped(words: readonly string[], width: number, split = piecesOf): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    if (columnsOf(current + word) <= width) {
      current += word;
      continue;
    }
    if (current !== "") lines.push(current);
    const pieces = split(word.trimStart(), width);
    current = pieces.pop() ?? "";
    lines.push(...pieces);
  }
  return [...lines, current];
}

/** Matches a character as a reader sees it: a flag, a syllable, or a sign with what changes or joins it. The segmenter's time is quadratic. */
const character =
  /\p{Regional_Indicator}{2}|[\u1100-\u115f][\u1160-\u11ff]*|.(?:[\p{M}\p{Emoji_Modifier}]|\u200d.?)*/gsu;

const charactersOf = (text: string): readonly string[] => text.match(character) ?? [];

/** Splits a word into pieces that fit a line. */
function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let current = "";
  let columns = 0;
  for (const segment of charactersOf(word)) {
    const more = columnsOf(segment);
    if (columns + more > width) {
      pieces.push(current);
      current = "";
      columns = 0;
    }
    current += segment;
    columns += more;
  }
  return [...pieces, current];
}

/** Matches characters that a terminal shows in two columns: emoji, and the characters of East Asia. */
const wide =
  /^(\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;

/** The columns that a terminal needs for a line. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const segment of charactersOf(text)) columns += wide.test(segment) ? 2 : 1;
  return columns;
}
