import { oneLine } from "./api/printable";

/**
 * Shows the user an informational message. Pulumi displays what the provider process writes to stderr; no other code of
 * this package prints.
 */
export function notice(text: string): void {
  process.stderr.write(`${oneLine(text)}\n`);
}
