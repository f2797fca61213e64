/**
 * Handles files that another process may hold for a moment: on Windows, a rename fails while a virus scanner has the file open, and a read
 * fails while the file is being replaced.
 */
import { types } from "node:util";

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
