/**
 * Writes the file that `monitoring preview` reads. It contains the result of each declaration, and the errors and warnings of this package.
 * Providers and programs write it. Every program loads this file, so it needs neither zod nor axios.
 */
import { appendFileSync, closeSync, constants, openSync } from "node:fs";

/** The variable with the path of the file. Without it, nothing is written. */
export const factsVariable = "MONITORING_PREVIEW_FACTS";

/** The version of the format of the lines. */
export const factFormat = 3;

/**
 * How a message of this package appears in an error of the run. `error`: as a separate message. `problem`: after the name of a declaration,
 * which the engine adds. `summary`: as a hint that there are other errors. `warning`: in no error.
 */
export type MessageKind = "error" | "problem" | "summary" | "warning";

/**
 * Records a message. The engine reports an error later among errors of other packages, which may quote credentials.
 *
 * @param markdown The message in Markdown, for a comment. Default: the text.
 * @returns True if it is written.
 */
export function recordMessage(text: string, is: MessageKind = "error", markdown?: string): boolean {
  return appendFact({ format: factFormat, is, text, markdown });
}

/** Appends a line. Returns true if it is written. A failure doesn't stop the preview. */
export function appendFact(fact: object): boolean {
  const file = process.env[factsVariable];
  if (file === undefined) return false;
  try {
    // Never creates the file. Text that isn't public yet must only be written where the command reads it.
    const opened = openSync(file, constants.O_WRONLY | constants.O_APPEND);
    try {
      appendFileSync(opened, `${JSON.stringify(fact)}\n`);
    } finally {
      closeSync(opened);
    }
    return true;
  } catch {
    // Without the line, the command reports that the declaration may post.
    return false;
  }
}
