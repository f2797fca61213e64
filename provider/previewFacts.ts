/**
 * Writes the file that `monitoring preview` reads: what becomes of each declaration, and which errors are of this package. Providers and
 * programs write it. Every program loads this file, so it needs neither zod nor axios.
 */
import { appendFileSync, closeSync, constants, openSync } from "node:fs";

/** The variable by which the command names the file. Without it, nothing is written. */
export const factsVariable = "MONITORING_PREVIEW_FACTS";

/** The version of the lines. */
export const factFormat = 3;

/**
 * What this package says in an error of the run: a sentence of its own; a problem of a declaration, which the engine names before it; or
 * only that there are other errors.
 */
export type ErrorKind = "error" | "problem" | "summary";

/** Records the words of an error. The engine reports them later, among errors of others, which may quote credentials. */
export function recordError(text: string, is: ErrorKind = "error"): void {
  appendFact({ format: factFormat, is, text });
}

/** Appends a line, and returns true if it is written. A failure fails no preview. */
export function appendFact(fact: object): boolean {
  const file = process.env[factsVariable];
  if (file === undefined) return false;
  try {
    // Never creates the file: a text that isn't public yet belongs only where the command reads it.
    const opened = openSync(file, constants.O_WRONLY | constants.O_APPEND);
    try {
      appendFileSync(opened, `${JSON.stringify(fact)}\n`);
    } finally {
      closeSync(opened);
    }
    return true;
  } catch {
    // The command says that the declaration may post.
    return false;
  }
}
