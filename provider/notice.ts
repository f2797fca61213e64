/**
 * Tells the user something that is no error. Pulumi shows what the provider process writes to stderr; nothing else
 * of this package prints.
 */
export function notice(text: string): void {
  process.stderr.write(`${oneLine(text)}\n`);
}

/** Without anything that a terminal would obey. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
