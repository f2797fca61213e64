/** Why nothing is posted when the notes about posts, or their lock, can't be used. */
import * as fs from "node:fs";
import { MonitoringError } from "../client";
import { errorCode } from "../machine/errorCode";
import { isHeld } from "../machine/heldFile";
import { ContentError } from "./noteFile";

/** @throws MonitoringError instead of another error */
export function orNothingIsPosted<Result>(file: string | undefined, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof MonitoringError) throw error;
    throw nothingPosted(`The notes about posts in ${file} can't be read or replaced`, file, error);
  }
}

/** @param problem The beginning of a sentence. @param file What can't be used. */
function nothingPosted(problem: string, file: string | undefined, error: unknown): MonitoringError {
  return new MonitoringError(
    `${problem} (${reasonOf(error)}), so nothing was posted. ${adviceFor(file, error)}`,
  );
}

/** After a post: the note stays as it was before. */
export function resultNotNoted(file: string | undefined, error: unknown): MonitoringError {
  return new MonitoringError(
    `The notes about posts in ${file} can't be replaced (${reasonOf(error)}), so they lack the result of a post. ` +
      "For two minutes, other runs wait for its update; after that, nothing keeps another resource or stack from posting an identical one.",
  );
}

function reasonOf(error: unknown): string {
  return error instanceof ContentError ? error.message : (errorCode(error) ?? "unknown reason");
}

function adviceFor(file: string | undefined, error: unknown): string {
  if (error instanceof ContentError) {
    return (
      "They may tell of an update that isn't shown yet. Unless another version of pulumi-monitoring-service wrote the file, " +
      "delete it once the public page shows every update that was sent to this incident."
    );
  }
  const owner = isHeld(error) && file !== undefined ? otherOwner(file) : undefined;
  return owner === undefined
    ? "Run `pulumi up` again; if this persists, find what holds the file."
    : `The file belongs to user ${owner}, and this run is by user ${process.geteuid?.()}. Let the users share a lock directory of ` +
        "their group, with mode 2770, or run all by one user.";
}

/** The id of the user to whom the file belongs, if that is another one. Windows has no such ids. */
function otherOwner(file: string): number | undefined {
  try {
    const { uid } = fs.lstatSync(file);
    return process.geteuid === undefined || uid === process.geteuid() ? undefined : uid;
  } catch {
    return undefined;
  }
}

/** Its process may have posted, so that nothing may be posted without its notes. */
export function lockHeld(file: string, error: unknown): MonitoringError {
  return nothingPosted(`The lock ${file}.lock can't be taken`, `${file}.lock`, error);
}

export function takenOver(): MonitoringError {
  return new MonitoringError(
    "Another process took over the lock of this incident. Nothing was posted. Run `pulumi up` again.",
  );
}
