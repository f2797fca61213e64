/** Text of others in messages, logs and reports: a terminal and a CI system only show it. */

/** A fast check for the common case. */
const plain = /^(?!.*##)[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * Removes control characters, which could rewrite a terminal, and line breaks, and breaks up `##[…]` and `##vso[…]`,
 * which CI systems run as commands anywhere in a line.
 */
export function oneLine(text: string): string {
  return plain.test(text) ? text : printable(text.replace(/[\p{C}\s]+/gu, " ")).trim();
}

/** The same, but for line breaks. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]+/gu, " ").replace(/##(?=\w*\[)/g, "# #");
}
