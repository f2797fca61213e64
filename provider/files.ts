/**
 * Replaces and reads files that another process may hold for a moment: on Windows, neither a rename over a file that a virus scanner
 * has open nor reading one that is being replaced succeeds.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { types } from "node:util";

/**
 * Replaces the file's content atomically. It is on disk then, so that neither the old content nor none is there after a crash of
 * the machine.
 *
 * @param draft a file beside it
 * @param options of the draft
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
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
const unsupportedCodes: readonly unknown[] = ["EINVAL", "ENOTSUP", "ENOSYS"];

/** A file's new name is on disk with its folder, where the system can sync one: Windows can't, nor can some network file systems. */
function syncFolder(folder: string): void {
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

/** Together less than a second: nothing else runs meanwhile. */
const delaysMs = [10, 20, 40, 80, 160, 320];

/** Performs the action, again while a file is held. @throws what the last attempt throws */
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

/** Whether another process holds the file, or a user to whom it belongs. */
export function isHeld(error: unknown): boolean {
  return types.isNativeError(error) && "code" in error && heldCodes.includes(error.code);
}

/** The error code of the operating system or of Node, if any. */
export function errorCode(error: unknown): string | undefined {
  const code = types.isNativeError(error) && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
}
