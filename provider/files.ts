/**
 * Replaces and reads files that another process may hold for a moment: on Windows, neither a rename over a file that a virus scanner
 * has open nor reading one that is being replaced succeeds.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { types } from "node:util";

/**
 * Replaces the file's content atomically.
 *
 * @param draft a file beside it
 * @param options of the draft
 * @param finish runs when the draft is written
 */
export function replaceFile(
  file: string,
  draft: string,
  content: string,
  options: Parameters<typeof writeFileSync>[2] = {},
  finish: () => void = () => undefined,
): void {
  writeFileSync(draft, content, options);
  try {
    finish();
    whileHeld(() => renameSync(draft, file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
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
