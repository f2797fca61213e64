/** Escapes text for Markdown, so that a code host shows it unchanged, without markup, links or mentions. */
import { splitVisibleLines } from "./texts";

/** An invisible separator. It splits words that a code host would turn into a link. */
const nothing = "<!-- -->";

/**
 * Matches the characters that Markdown or a code host interprets. Markdown characters become entities. Hosts look for mentions, references
 * and URLs in the rendered text, where an entity is a plain character again, so an empty comment separates it from the next word. GitLab
 * runs lines that start with `/`.
 */
const active =
  /([@#!$%~&^:])(?=\S)|((?<=[a-z])-(?=\d)|(?<=\bwww)(?=\.))|(\b[\da-f]{7,}\b)|[&<>\\`*_[\]|~$@#^]|^[-+=/]|(?<=^\d{1,9})[.)]/gi;

/** Matches line breaks, other control characters, and characters that change the direction of text. */
const unshown = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

export function toInertLine(line: string): string {
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

/** Matches a command between backticks, which a person copies. A single backtick in quoted text isn't part of a command. */
const command = /((?<=^|[ (])`[^`]+`(?=$|[ .,;:)]))/;

/** Does the same as {@link toInertLine}, but formats commands as code. A code host doesn't interpret code. */
export function toInertSentence(sentence: string): string {
  return sentence
    .split(command)
    .map((part, index) => {
      if (index % 2 === 1) return part.replace(unshown, "\ufffd");
      const [, before = "", text = "", after = ""] = /^( ?)(.*?)( ?)$/s.exec(part) ?? [];
      return before + toInertLine(text) + after;
    })
    .join("");
}

/** Quotes text in Markdown and keeps its lines. Every renderer shows a line break for a backslash at the end of a line. */
export function toInertQuotation(text: string): string {
  return splitVisibleLines(text)
    .join("\n")
    .trim()
    .split(/\n(?:\s*\n)+/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map((line) => `> ${toInertLine(line)}`)
        .join("\\\n"),
    )
    .join("\n>\n");
}
