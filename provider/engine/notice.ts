import { type NoticeText, printed } from "../texts/printable";

/**
 * Shows the user an informational message. Pulumi displays what the provider process writes to stderr; no other code of
 * this package prints.
 */
export function notice(text: NoticeText): void {
  // In one piece, so that nothing comes between its lines.
  process.stderr.write(`${printed(text)}\n`);
}
