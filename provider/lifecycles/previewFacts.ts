/** Writes the facts of a preview for `monitoring preview`, which starts `pulumi preview` and names a file of its own. */
import { appendFileSync, closeSync, constants, openSync } from "node:fs";
import { factsVariable, type PreviewFact } from "../protocol";

/** Appends a line. The command takes a declaration without one for one that may post, so a failure to write fails no preview. */
export function appendFact(fact: PreviewFact, file = process.env[factsVariable]): void {
  if (file === undefined || file === "") return;
  try {
    // Never creates the file: a text that isn't public yet belongs only where the command reads it.
    const opened = openSync(file, constants.O_WRONLY | constants.O_APPEND);
    try {
      appendFileSync(opened, `${JSON.stringify(fact)}\n`);
    } finally {
      closeSync(opened);
    }
  } catch {
    // Said by the command.
  }
}
