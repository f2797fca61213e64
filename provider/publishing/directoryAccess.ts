/** Who may use a lock directory: one user, or those of one group, and never everybody. */
import { accessSync, chmodSync, constants, statSync } from "node:fs";
import { errorCode } from "../machine/errorCode";

/**
 * Another user could delete locks, and write notes that a run then believes. On Windows, modes say nothing: the access
 * control list that a folder inherits protects it, in a user's own folder from all but administrators.
 */
export function assertUsable(folder: string | undefined): void {
  if (folder === undefined) throw new NoHomeError();
  if (process.platform !== "win32" && (statSync(folder).mode & 0o002) !== 0) {
    throw new NotPrivateError();
  }
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

class NotPrivateError extends Error {}

export class NoHomeError extends Error {}

/** What a run without locks says. */
export function unusable(folder: string | undefined, error: unknown): string {
  const reason = error instanceof NotPrivateError ? "every user can write to it" : errorCode(error);
  const problem =
    folder === undefined
      ? "There is no lock directory, because this user has no home directory"
      : `The lock directory ${folder} can't be used (${reason ?? "unknown reason"})`;
  return (
    `${problem}. Publishing continues without locks: two ` +
    "processes that declare an identical update at the same time may both post it. " +
    "Set monitoring:lockDirectory, MONITORING_LOCK_DIRECTORY or lockDirectory of the Provider to a writable directory."
  );
}

/** In the directory of a group, every member goes on with the notes, whatever the umask. */
export function shareWithGroup(draft: string, folder: string): void {
  const { mode, gid } = statSync(folder);
  if ((mode & 0o020) !== 0 && statSync(draft).gid === gid) chmodSync(draft, 0o660);
}
