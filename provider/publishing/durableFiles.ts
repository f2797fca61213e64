/** Writes files that are still there after a crash of the machine, without blocking the process while they get to the disk. */
import {
  closeSync,
  fstatSync,
  fsync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { errorCode, whileHeld } from "../files";

/**
 * Replaces the file's content atomically: after a crash of the machine, the file has all of the new content, or all of the old one
 * until {@link syncFile} has synced its name.
 *
 * @param draft a new file beside it
 * @param finish runs when the draft is written
 */
export async function replaceFile(
  file: string,
  draft: string,
  content: string,
  finish: () => void,
): Promise<void> {
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    try {
      writeFileSync(descriptor, content);
      finish();
      await promisify(fsync)(descriptor);
    } finally {
      closeSync(descriptor);
    }
    whileHeld(() => renameSync(draft, file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Appends to the file, or leaves it as it was. It may not be on disk yet. */
export function append(file: string, text: string): void {
  const descriptor = whileHeld(() => openSync(file, "a"));
  const { size } = fstatSync(descriptor);
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    // Windows shortens no file by a descriptor that only appends.
    truncateSync(file, size);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until the content of a file, and its name in its folder, are on disk. */
export async function syncFile(file: string): Promise<void> {
  await Promise.all([syncOpened(openSync(file, "r+")), syncFolder(dirname(file))]);
}

const unsupportedCodes: readonly unknown[] = ["EINVAL", "ENOTSUP", "ENOSYS"];

/** Waits until the names of a folder's files are on disk. Windows and some network file systems don't support it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await syncOpened(openSync(folder, "r")).catch((error: unknown) => {
    if (!unsupportedCodes.includes(errorCode(error))) throw error;
  });
}

async function syncOpened(descriptor: number): Promise<void> {
  await promisify(fsync)(descriptor).finally(() => closeSync(descriptor));
}
