/** @param {string} text */
const code = (text) => `\`${text}\``;

/** @param {string} text */
const cell = (text) =>
  text
    .replace(/(?<!\\)\|/g, "\\|")
    .replace(/\s+/g, " ")
    .trim();

/**
 * A table; nothing when it has no rows. A column in which every cell is empty is left out.
 * @param {string[]} heads
 * @param {string[][]} rows
 */
function table(heads, rows) {
  if (rows.length === 0) return "";
  const kept = heads.map((_, column) => rows.some((row) => row[column] !== ""));
  /** @param {string[]} cells */
  const line = (cells) =>
    `| ${cells
      .filter((_, column) => kept[column])
      .map(cell)
      .join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

/** @param {string} language @param {string} text */
const block = (language, text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/**
 * Paragraphs, without the empty ones.
 * @param {string[]} parts
 */
const page = (...parts) => `${parts.filter((part) => part !== "").join("\n\n")}\n`;

/** The anchor that a heading gets. @param {string} heading */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** The first sentence of a doc comment. @param {string} text */
const firstSentence = (text) => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** @param {string} words */
const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

module.exports = { anchor, block, code, firstSentence, page, sentence, table };
