/** Fits text into the lines of a terminal. */
import { formatCount, toOneLine, splitVisibleLines } from "./texts";

const mark = "  |";
/** Marks the continuation of a wrapped line. Only real lines start with `mark`, so a reviewer sees which line breaks will be public. */
const continuation = "  \u21b3";

/** The room for text in a terminal. */
interface Room {
  /** The number of characters to show. The others are counted in the last line. */
  readonly most: number;
  /** The width of a line, including its mark. */
  readonly columns: number;
}

/** The engine indents its lines by four columns, and a terminal is at least 80 columns wide. */
const engineRoom: Room = { most: 3000, columns: 76 };

/** Quotes text for a terminal. Each of its lines starts with a mark, and wrapped lines continue after a different mark. */
export function formatQuotation(text: string, { most, columns } = engineRoom): string[] {
  const characters = Array.from(text);
  const left = characters.length - most;
  const shown = left > 0 ? characters.slice(0, most).join("") : text;
  const width = columns - mark.length - 1;
  const lines = splitVisibleLines(shown).flatMap((line) =>
    wrapWords(line.match(/ *[^ ]+/g) ?? [], width).map(
      (part, index) => (index === 0 ? mark : continuation) + (part && ` ${part}`),
    ),
  );
  return left > 0 ? [...lines, `  \u2026 and ${formatCount(left, "more character")}`] : lines;
}

/**
 * Wraps a sentence for a terminal and indents the lines after the first. Never splits a command between backticks, so that it can be
 * copied.
 */
export function wrapSentence(sentence: string, columns: number): string[] {
  const words = toOneLine(sentence).match(/ *(?:`[^`]+`|[^ ])+/g) ?? [];
  const lines = wrapWords(words, columns - 2, (word) => [word]);
  // CI systems run lines that start with `::`, even after spaces.
  return lines.map((line, index) => (index === 0 ? "" : "  ") + line.replace(/^::/, ": :"));
}

/** Breaks text into lines of at most this width, except for longer words. */
export function wrapText(text: string, width: number): string[] {
  return wrapWords(text.match(/ *[^ ]+/g) ?? [], width, (word) => [word]);
}

/** Joins words to lines and splits words that are longer than a line. */
function wrapWords(words: readonly string[], width: number, split = splitWord): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    if (measureColumns(current + word) <= width) {
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

/**
 * Matches a character as a reader sees it: a flag, a syllable, or a character with modifiers and joined characters. Intl.Segmenter would
 * need quadratic time.
 */
const character =
  /\p{Regional_Indicator}{2}|[\u1100-\u115f][\u1160-\u11ff]*|.(?:[\p{M}\p{Emoji_Modifier}]|\u200d.?)*/gsu;

const splitCharacters = (text: string): readonly string[] => text.match(character) ?? [];

/** Splits a word into pieces that fit into a line. */
function splitWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let current = "";
  let columns = 0;
  for (const segment of splitCharacters(word)) {
    const more = measureColumns(segment);
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

/** Matches characters that are two columns wide in a terminal: emoji, and East Asian characters. */
const wide =
  /^(\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;

/** Returns the number of columns that a line needs in a terminal. */
export function measureColumns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const segment of splitCharacters(text)) columns += wide.test(segment) ? 2 : 1;
  return columns;
}
