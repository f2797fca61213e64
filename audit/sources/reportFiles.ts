/** Reports in files: all of them whole, or none. */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { reasonOf, Refusal } from "./usageMistake";

export interface Output {
  readonly file: string;
  /** Piece by piece. */
  readonly text: Iterable<string>;
}

/**
 * Notices what can't be written before the work begins.
 *
 * @throws Refusal that names all such files
 */
export function checkWritable(files: readonly string[]): void {
  const problems = files.flatMap((file) => {
    try {
      const draft = draftOf(file, []);
      if (draft !== undefined) rmSync(draft);
      return [];
    } catch (error) {
      return [`${file} can't be written: ${reasonOf(error)}`];
    }
  });
  if (problems.length > 0) throw new Refusal(problems.join("\n"));
}

/** @throws Refusal when one can't be written; no file then holds half a report */
export function writeOutputs(outputs: readonly Output[]): void {
  const drafts: { file: string; draft: string }[] = [];
  let current = "";
  try {
    for (const { file, text } of outputs) {
      current = file;
      const draft = draftOf(file, text);
      if (draft === undefined) writePieces(file, "w", text);
      else drafts.push({ file: targetOf(file), draft });
    }
    for (const { file, draft } of drafts) renameSync(draft, file);
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true });
    throw new Refusal(`${current} can't be written: ${reasonOf(error)}`);
  }
}

/** Writes beside the file; undefined where the file is a pipe or a device, which can't be replaced. */
function draftOf(file: string, text: Iterable<string>): string | undefined {
  // Looked at by the name that was given: a pipe such as /dev/stdout may have no other.
  if (existsSync(file)) {
    accessSync(file, constants.W_OK);
    const stat = statSync(file);
    if (stat.isDirectory()) throw new Error("it is a folder");
    if (!stat.isFile()) return undefined;
  }
  const target = targetOf(file);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    writePieces(draft, "wx", text);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return draft;
}

/** A link stays a link. */
function targetOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function writePieces(file: string, flags: "w" | "wx", pieces: Iterable<string>): void {
  const descriptor = openSync(file, flags);
  try {
    for (const batch of batches(pieces)) writeFileSync(descriptor, batch);
  } finally {
    closeSync(descriptor);
  }
}

const batchLength = 1 << 16;

/** The same text in fewer pieces: each write costs. */
export function* batches(pieces: Iterable<string>): Generator<string> {
  let batch = "";
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < batchLength) continue;
    yield batch;
    batch = "";
  }
  yield batch;
}
