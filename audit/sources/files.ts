/** Reads and writes files. An error names the file, and says why. */
import { isUtf8 } from "node:buffer";
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorReason } from "../../provider/texts/errorReason";
import { AuditError } from "./auditError";

/** @throws AuditError when the file can't be read or isn't UTF-8 */
export function readText(file: string): string {
  try {
    const content = readFileSync(file);
    if (!isUtf8(content)) throw new Error("it is not UTF-8");
    return content.toString("utf8").replace(/^\ufeff/, "");
  } catch (error) {
    throw new AuditError(`${file} can't be read: ${errorReason(error)}`);
  }
}

/**
 * Checks before the audit that all files can be written.
 *
 * @throws AuditError that names all files that can't
 */
export function checkWritable(files: readonly string[]): void {
  const problems = files.flatMap((file) => problemOf(file, () => assertWritable(file)) ?? []);
  if (problems.length > 0) throw new AuditError(problems.join("\n"));
}

/** @throws AuditError when the file can't be written */
export function writeFile(file: string, text: string): void {
  const problem = problemOf(file, () => writeFileSync(file, text));
  if (problem !== undefined) throw new AuditError(problem);
}

function assertWritable(file: string): void {
  const exists = existsSync(file);
  if (exists && statSync(file).isDirectory()) throw new Error("it is a directory");
  accessSync(exists ? file : dirname(file), constants.W_OK);
}

function problemOf(file: string, run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return `${file} can't be written: ${errorReason(error)}`;
  }
}
