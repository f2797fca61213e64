/** Writes report files: all of them completely, or none. */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorReason } from "../../provider/errorReason";
import { AuditError } from "./auditError";

export interface Output {
  readonly file: string;
  /** In chunks. */
  readonly text: Iterable<string>;
}

/**
 * Checks before the audit that all files can be written.
 *
 * @throws AuditError that names all files that can't
 */
export function checkWritable(files: readonly string[]): void {
  const problems = files.flatMap((file) => {
    try {
      const draft = writeDraft(file, []);
      if (draft !== undefined) rmSync(draft);
      return [];
    } catch (error) {
      return [`${file} can't be written: ${errorReason(error)}`];
    }
  });
  if (problems.length > 0) throw new AuditError(problems.join("\n"));
}

/** @throws AuditError when a file can't be written; no file then has an incomplete report */
export function writeOutputs(outputs: readonly Output[]): void {
  const drafts: { file: string; draft: string }[] = [];
  let current = "";
  try {
    for (const { file, text } of outputs) {
      current = file;
      const draft = writeDraft(file, text);
      if (draft === undefined) writeChunks(file, "w", text);
      else drafts.push({ file: targetOf(file), draft });
    }
    for (const { file, draft } of drafts) renameSync(draft, file);
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true });
    throw new AuditError(`${current} can't be written: ${errorReason(error)}`);
  }
}

/** Writes a temporary file beside the file; undefined for a pipe or a device, which can't be replaced. */
function writeDraft(file: string, text: Iterable<string>): string | undefined {
  let mode: number | undefined;
  // Checked by the given path: a pipe such as /dev/stdout may have no other.
  if (existsSync(file)) {
    accessSync(file, constants.W_OK);
    const stat = statSync(file);
    if (stat.isDirectory()) throw new Error("it is a directory");
    if (!stat.isFile()) return undefined;
    mode = stat.mode & 0o777;
  }
  const target = targetOf(file);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    writeChunks(draft, "wx", text, mode);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return draft;
}

/** Follows a link, so that it is kept. */
function targetOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function writeChunks(file: string, flags: "w" | "wx", chunks: Iterable<string>, mode?: number): void {
  const descriptor = openSync(file, flags, mode);
  try {
    // The umask may have removed permissions.
    if (mode !== undefined) fchmodSync(descriptor, mode);
    for (const batch of batches(chunks)) writeFileSync(descriptor, batch);
  } finally {
    closeSync(descriptor);
  }
}

const batchLength = 1 << 16;

/** The same text in larger chunks, to save writes. */
export function* batches(chunks: Iterable<string>): Generator<string> {
  let batch = "";
  for (const chunk of chunks) {
    batch += chunk;
    if (batch.length < batchLength) continue;
    yield batch;
    batch = "";
  }
  yield batch;
}
