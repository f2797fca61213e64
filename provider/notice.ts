/**
 * Shows the user an informational message. Pulumi displays what the provider process writes to stderr; no other code of
 * this package prints.
 */
export function notice(text: string): void {
  process.stderr.write(`${oneLine(text)}\n`);
}

/** Removes control characters, which a terminal would interpret. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
