/** Text of others in messages, logs and reports: a terminal and a CI system only show it. */

/** What a user is told: one line, or the lines of a preview, each of which is printable already. */
export type NoticeText = string | readonly string[];

/** A fast check for the common case. */
const plain = /^(?!.*(?:##|<\{%))[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** Removes control characters, which could rewrite a terminal, and line breaks, and breaks up commands. */
export function oneLine(text: string): string {
  return plain.test(text) ? text : printable(singleSpaced(text));
}

export function printed(text: NoticeText): string {
  return typeof text === "string" ? oneLine(text) : text.join("\n");
}

/** Any run of whitespace and unprintable characters becomes one space, and none at the ends. */
export function singleSpaced(text: string): string {
  return withSpaces(text).trim();
}

/** The same for a part of a sentence, whose ends keep their space. */
export function withSpaces(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, " ");
}

/** As {@link oneLine}, but with its line breaks. */
export function printable(text: string): string {
  return withoutCommands(text.replace(/[^\P{C}\n]+/gu, " "));
}

/**
 * Breaks up `##[…]` and `##vso[…]`, which CI systems run as commands anywhere in a line, and `<{%…%}>`, by which Pulumi's engine
 * marks colours: it crashes on a colour that it doesn't know.
 */
export function withoutCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, "# #").replace(/<\{%/g, "< {%");
}

/** In quotes and as one line, in which nothing is left out: control characters are escaped. */
export function quotedLine(text: string): string {
  const escaped = JSON.stringify(text).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return printable(escaped);
}
