/**
 * Writes untrusted text in HTML, XML and Markdown: it reads exactly as it is, and neither a browser nor a code host makes anything
 * of it.
 */
import { amount, oneLine, printable, withSpaces } from "./printable";

/** Splits a word of which a code host would make a link. It shows nothing. */
const nothing = "<!-- -->";

/**
 * Signs of Markdown become entities. Hosts look for mentions, references and addresses in what is rendered, where an entity is
 * its sign again: so what begins one is followed by an empty comment, which ends the text that they look at.
 */
const active =
  /([@#!$%~&^:])(?=\S)|((?<=[a-z])-(?=\d)|(?<=\bwww)(?=\.))|(\b[\da-f]{7,}\b)|[&<>\\`*_[\]|~$@#^]|^[-+=]|(?<=^\d{1,9})[.)]/gi;

export function inertLine(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd")
    .replace(active, (sign: string, reference?: string, word?: string, digest?: string) => {
      if (word !== undefined) return word + nothing;
      if (digest !== undefined) return digest.replace(/.{6}(?=.)/g, `$&${nothing}`);
      const escaped = /[!%:]/.test(sign) ? sign : `&#${sign.charCodeAt(0)};`;
      return reference === undefined ? escaped : escaped + nothing;
    })
    .replace(/^ | (?= )/g, "&nbsp;");
}

/** Lines that stay lines, in a quotation: a backslash at an end is a line break, wherever the text is shown. */
export function inertQuotation(text: string): string {
  return text
    .trim()
    .split(/\n(?:\s*\n)+/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map((line) => `> ${inertLine(line)}`)
        .join("\\\n"),
    )
    .join("\n>\n");
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

/** HTML or XML that is complete. The template tags below escape every value, unless it is one of these. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Markup, styles or scripts of this package. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

type Part = Markup | string | number | readonly Part[];

/** For reports: they may be printed in the log of a CI system, where a value must not begin a line or contain a command. */
export const markup = tagWith(escapeMarkup);

/** For pages that only a browser shows: values keep their line breaks. */
export const multilineMarkup = tagWith(escapeLines);

function tagWith(escaped: (text: string) => string) {
  const render = (part: Part): string => {
    if (part instanceof Markup) return part.text;
    return typeof part === "object" ? part.map(render).join("") : escaped(String(part));
  };
  return (literals: TemplateStringsArray, ...parts: Part[]): Markup =>
    new Markup(literals.map((literal, index) => literal + render(parts[index] ?? "")).join(""));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML or XML, in one line. */
export function escapeMarkup(text: string): string {
  return escapeLines(printable(withSpaces(text)));
}

/** Replaces characters that neither HTML nor XML allows, and those that change the text direction. */
function escapeLines(text: string): string {
  return text
    .replace(
      /[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
      "\ufffd",
    )
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
