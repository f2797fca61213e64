/** Text of others in Markdown: it reads exactly as it is, and no code host makes anything of it. */

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
      const shown = /[!%:]/.test(sign) ? sign : `&#${sign.charCodeAt(0)};`;
      return reference === undefined ? shown : shown + nothing;
    })
    .replace(/^ | (?= )/g, "&nbsp;");
}

/** Lines that stay lines, in a quotation: a backslash at an end is a line break, wherever the text is shown. */
export function inertQuotation(text: string): string {
  return text
    .split(/\n(?:\s*\n)+/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map((line) => `> ${inertLine(line)}`)
        .join("\\\n"),
    )
    .join("\n>\n");
}
