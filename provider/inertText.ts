/** Makes text inert in Markdown: a code host must show it as it is, without markup, links or mentions. */
import { visibleLines } from "./texts";

/** Splits a word that a code host would turn into a link, and is invisible. */
const nothing = "<!-- -->";

/**
 * Matches what Markdown or a code host acts on. Signs of Markdown become entities. Hosts look for mentions, references and
 * addresses in the rendered text, where an entity is its sign again: an empty comment after the sign separates it from the word.
 * GitLab runs a line that begins with `/`.
 */
const active =
  /([@#!$%~&^:])(?=\S)|((?<=[a-z])-(?=\d)|(?<=\bwww)(?=\.))|(\b[\da-f]{7,}\b)|[&<>\\`*_[\]|~$@#^]|^[-+=/]|(?<=^\d{1,9})[.)]/gi;

/** Line breaks, other control characters, and those that change the direction of a text. */
const unshown = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

export function inertLine(line: string): string {
  return line
    .replace(unshown, "\ufffd")
    .replace(active, (sign: string, reference?: string, word?: string, digest?: string) => {
      if (word !== undefined) return word + nothing;
      if (digest !== undefined) return digest.replace(/.{6}(?=.)/g, `$&${nothing}`);
      const escaped = /[!%:]/.test(sign) ? sign : `&#${sign.charCodeAt(0)};`;
      return reference === undefined ? escaped : escaped + nothing;
    })
    .replace(/^ | (?= )/g, "&nbsp;");
}

/** A command between backticks, which a person copies. A backtick of somebody else's text isn't one of a pair. */
const command = /((?<=^|[ (])`[^`]+`(?=$|[ .,;:)]))/;

/** Like {@link inertLine}, but commands are code: a code host makes nothing of what is in it. */
export function inertSentence(sentence: string): string {
  return sentence
    .split(command)
    .map((part, index) => {
      if (index % 2 === 1) return part.replace(unshown, "\ufffd");
      const [, before = "", text = "", after = ""] = /^( ?)(.*?)( ?)$/s.exec(part) ?? [];
      return before + inertLine(text) + after;
    })
    .join("");
}

/** Quotes text in Markdown and keeps its lines: every renderer shows a line break for a backslash at the end of a line. */
export function inertQuotation(text: string): string {
  return visibleLines(text)
    .join("\n")
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
