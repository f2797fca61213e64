/** Tables and lists of a limited length in Markdown, from text that isn't trusted. */
import { oneLine } from "./printable";
import { inertLine } from "./inertMarkdown";
import { amount } from "./amount";

/** A table with the rows that fit, and how many are omitted. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  most: number,
  what: string,
): string {
  if (rows.length === 0) return "";
  const head = [`| ${heads.join(" | ")} |`, `|${" --- |".repeat(heads.length)}`].join("\n");
  const lines = rows.map((row) => `| ${row.join(" | ")} |`);
  return `${head}\n${list(lines, most, what)}`;
}

/** The lines that fit, and how many are omitted. */
export function list(lines: readonly string[], most: number, what: string): string {
  let length = 0;
  const fitting = lines.filter((line) => (length += line.length + 1) <= most);
  const left = lines.length - fitting.length;
  return fitting.join("\n") + (left > 0 ? `\n\nand ${amount(left, what)}` : "");
}

/** In one line, without markup, mentions of users, and the end of a table cell. */
export function escapeMarkdown(text: string): string {
  return inertLine(oneLine(text));
}

/**
 * Inline code. A backtick can't be escaped there, a bar would end the table cell, and so would an escaped bar after a
 * backslash.
 */
export function code(text: string): string {
  const safe = oneLine(text)
    .replace(/`/g, "'")
    .replace(/(\\*)\|/g, "$1$1\\|");
  return `\`${safe}\``;
}
