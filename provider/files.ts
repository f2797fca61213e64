/**
 * Reads and writes a user's files, with errors that contain the name of the file and the reason, and retries while another process holds a
 * file.
 */
import { isUtf8 } from "node:buffer";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  promises,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { types } from "node:util";
import { MonitoringError } from "./client/errors";
import { getErrorReason } from "./texts";

/** A file can't be read, written or loaded. The message contains the name of the file and the reason. */
export class FileError extends MonitoringError {}

/**
 * @param content The bytes, if they were already read, for example from standard input.
 * @throws FileError when the file can't be read or isn't UTF-8
 */
export function readText(file: string, content?: Buffer): string {
  try {
    const bytes = content ?? readFileSync(file);
    const text = bytes.toString();
    if (/[\0\ufffd]/.test(text)) assertUtf8(text, bytes);
    return text.replace(/^\ufeff/, "");
  } catch (error) {
    throw new FileError(`${file} can't be read: ${getErrorReason(error)}`);
  }
}

function assertUtf8(text: string, content: Buffer): void {
  if (text.startsWith("PK\u0003\u0004"))
    throw new Error("the file is a ZIP archive. Convert a saved plan with `terraform show -json PLAN`");
  // PowerShell writes UTF-16, where every ASCII letter contains a zero byte.
  const zeros = content.filter((byte) => byte === 0).length;
  if (/^(?:fffe|feff)/.test(content.toString("hex", 0, 2)) || zeros > content.length / 4)
    throw new Error("the file is UTF-16. Save the file as UTF-8");
  if (!isUtf8(content)) throw new Error("the file is not UTF-8. Save the file as UTF-8");
  const nul = text.indexOf("\0");
  if (nul >= 0) throw new Error(`character ${nul + 1} is NUL. Remove the character`);
}

/**
 * Checks that all files can be written, before the work whose result they will contain.
 *
 * @throws FileError with all files that can't be written
 */
export function checkWritable(files: readonly string[]): void {
  const problems = files.flatMap((file) => {
    try {
      assertWritable(file);
      return [];
    } catch (error) {
      return formatUnwritable(file, error);
    }
  });
  if (problems.length > 0) throw new FileError(problems.join("\n"));
}

/** @throws FileError when the file can't be written */
export async function writeFile(file: string, content: string | Iterable<string>): Promise<void> {
  try {
    await promises.writeFile(file, content);
  } catch (error) {
    throw new FileError(formatUnwritable(file, error));
  }
}

function assertWritable(file: string): void {
  const exists = existsSync(file);
  if (exists && statSync(file).isDirectory()) throw new Error("the path is a directory");
  accessSync(exists ? file : dirname(file), constants.W_OK);
}

const formatUnwritable = (file: string, error: unknown) =>
  `${file} can't be written: ${getErrorReason(error)}`;

/**
 * Returns the path from the root of the Git repository, as code hosts expect it; unchanged outside of a repository. A symbolic link outside
 * a repository may lead into one.
 *
 * @param file Default: the project file in the working directory.
 */
export function toRepositoryPath(file = "Pulumi.yaml"): string {
  const paths = existsSync(file) ? [resolve(file), realpathSync(file)] : [resolve(file)];
  for (const path of paths) {
    const folder = listFoldersAbove(path).find((each) => existsSync(join(each, ".git")));
    if (folder !== undefined) return relative(folder, path);
  }
  return file;
}

/** Returns the folders of an absolute path, the nearest first. */
export function listFoldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...listFoldersAbove(folder)];
}

/** The delays add up to less than a second, because they block the whole process. */
const delaysMs = [10, 20, 40, 80, 160, 320];

/**
 * Performs the action, and repeats it while another process holds a file. On Windows, a rename fails while a virus scanner has the file
 * open, and a read fails while the file is being replaced.
 *
 * @throws the error of the last attempt
 */
export function retryWhileHeld<Result>(action: () => Result): Result {
  for (const ms of delaysMs) {
    try {
      return action();
    } catch (error) {
      if (!isHeld(error)) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }
  return action();
}

const heldCodes: readonly unknown[] = ["EPERM", "EACCES", "EBUSY"];

/**
 * Returns true if another process holds the file. Also returns true if the file belongs to another user, because the error code is the
 * same.
 */
export function isHeld(error: unknown): boolean {
  return types.isNativeError(error) && "code" in error && heldCodes.includes(error.code);
}

/**
 * Creates the folder and its parents, if they are missing. Node's `recursive` option never returns in a folder such as /proc, where no
 * folder can be created.
 */
export function createFolder(folder: string, mode?: number): void {
  const exists = (): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (exists()) return;
  if (dirname(folder) !== folder) createFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!exists()) throw error;
  }
}
