/**
 * Tells the user something that is no error. Pulumi shows what the provider process writes to stderr; nothing else
 * of this package prints. One line, without anything that may be secret, or that a terminal would obey.
 */
export function notice(text: string): void {
  process.stderr.write(`${text.replace(/[\s\p{Cc}]+/gu, " ").trim()}\n`);
}
