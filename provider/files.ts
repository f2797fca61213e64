/**
 * Replaces and reads files that another process may hold for a moment. On Windows, a rename fails while a virus scanner has the
 * file open, and a read fails while the file is being replaced.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { types } from "node:util";

/**
 * Replaces the file's content atomically: after a crash of the machine, the file has all of the new content, or all of the old one
 * until {@link syncFolder} has synced its folder.
 *
 * @param draft a file beside it
 * @param options mode and flag of the draft
 * @param finish runs when the draft is written
 */
export function replaceFile(
  file: string,
  draft: string,
  content: string,
  { mode, flag = "w" }: { readonly mode?: number; readonly flag?: string } = {},
  finish: () => void = () => undefined,
): void {
  const descriptor = openSync(draft, flag, mode);
  try {
    try {
      writeFileSync(descriptor, content);
      finish();
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    whileHeld(() => renameSync(draft, file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const unsupportedCodes: readonly unknown[] = ["EINVAL", "ENOTSUP", "ENOSYS"];

/** Syncs a folder, which stores the names of its files. Windows and some network file systems don't support it. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!unsupportedCodes.includes(errorCode(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** The delays add up to less than a second, because they block the whole process. */
const delaysMs = [10, 20, 40, 80, 160, 320];

/** Performs the action, and repeats it while a file is held. @throws what the last attempt throws */
export function whileHeld<Result>(action: () => Result): Result {
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

/** Returns true if another process holds the file, or if it belongs to another user. */
export function isHeld(error: unknown): boolean {
  return types.isNativeError(error) && "code" in error && heldCodes.includes(error.code);
}

/** Returns the error code of the operating system or of Node, if any. */
export function errorCode(error: unknown): string | undefined {
  const code = types.isNativeError(error) && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
}
