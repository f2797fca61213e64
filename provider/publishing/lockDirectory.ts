/**
 * Locks an incident against other processes that share the lock directory while an update is published. A lock directory belongs to one
 * user or to one group. A directory that every user can write to is rejected.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
// Loaded at the start, because its listener for signals must precede this package's own. Otherwise, a signal ends the process at once, without
// the result of a post.
import { lock } from "proper-lockfile";
import { type Origin } from "../api";
import { MonitoringError, TimeoutError } from "../client";
import { createFolder, isHeld } from "../files";
import { getErrorCode } from "../texts";
import { getNounsAt, type Nouns } from "../wording";
import { createLockHeldError, Notes, readOnce } from "./notes";
import { maxHoldMs, pause, retentionMs } from "./time";

type Service = Pick<Origin, "host" | "path">;

/**
 * The location of an incident: its page and ID. After its page is migrated, an incident may have two locations with separate updates. A
 * page on which incidents are opened is its own container, so both IDs are the ID of the page.
 */
export interface IncidentLocation {
  readonly service: Service;
  readonly containerId: string;
  readonly statusPageId?: string | undefined;
}

/**
 * Identifies a service without the account, because two configured names may refer to one account, and only one of them may contain its ID.
 */
export function computeServiceKey({ host, path }: Service): string {
  return JSON.stringify([host, path]);
}

export function computeLocationKey({ service, containerId, statusPageId }: IncidentLocation): string {
  return JSON.stringify([computeServiceKey(service), containerId, statusPageId]);
}

/** If a lock isn't renewed for this time, its process has exited. */
const staleMs = 10_000;
const retryMs = 100;
/** On Windows, acquiring a lock may fail for a moment after its release. */
const heldTries = 10;

export class LockDirectory {
  readonly #folder: string | undefined;
  readonly #holder = randomUUID();
  #wasChecked = false;
  #wasReported = false;
  /** The result of the last `peek`, and the version of the file that it read. */
  #peeked: { readonly version: string; readonly notes: Notes } | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /**
   * Runs the work while it holds the lock of the incident. If the directory can't be used, warns once and runs without a lock.
   *
   * @throws MonitoringError if another process doesn't release the lock in time.
   */
  async withLock<T>(
    place: IncidentLocation,
    { notice, signal }: { notice: (text: string) => void; signal?: AbortSignal },
    work: (notes: Notes) => Promise<T>,
  ): Promise<T> {
    const report = (error: unknown): void => this.#report(error, notice);
    const lock = await this.#acquire(place, signal).catch((error: unknown) => {
      if (!isDirectoryError(error)) throw error;
      report(error);
    });
    try {
      const notes = await Notes.open(lock?.file, this.#holder, report, getNounsAt(place));
      return await work(notes).finally(() => notes.close());
    } finally {
      // The lock may already be lost, for example because the machine was suspended.
      await lock?.release().catch(() => undefined);
    }
  }

  /** Reads the notes without the lock, so they can't be changed. Returns empty notes if `pulumi up` would work without notes. */
  async read(place: IncidentLocation, notice: (text: string) => void): Promise<Notes> {
    try {
      const file = this.getFile(place);
      assertUsable(dirname(file));
      return await Notes.read(file, getNounsAt(place));
    } catch (error) {
      if (!isDirectoryError(error)) throw error;
      // `pulumi up` creates the directory.
      if (getErrorCode(error) !== "ENOENT") this.#report(error, notice);
      return Notes.read(undefined, getNounsAt(place));
    }
  }

  /**
   * Reads the notes synchronously. Returns undefined if they can't be read, because `pulumi up` reports that. The result is cached, because
   * each resource calls this, and the file rarely changes in between.
   */
  peek(place: IncidentLocation): Notes | undefined {
    return tryOrUndefined(() => {
      const file = this.getFile(place);
      assertUsable(dirname(file));
      const { mtimeNs, size } = lstatSync(file, { bigint: true });
      const version = `${file} ${mtimeNs} ${size}`;
      if (this.#peeked?.version !== version)
        this.#peeked = { version, notes: Notes.peek(file, getNounsAt(place)) };
      return this.#peeked.notes;
    });
  }

  getFile(place: IncidentLocation): string {
    if (this.#folder === undefined) throw new UnusableError();
    const name = `monitoring-${createHash("sha256").update(computeLocationKey(place)).digest("hex").slice(0, 32)}.json`;
    return join(this.#folder, name);
  }

  #report(error: unknown, notice: (text: string) => void): void {
    if (error instanceof MonitoringError) notice(error.message);
    else if (!this.#wasReported) {
      this.#wasReported = true;
      notice(describeUnusable(this.#folder, error));
    }
  }

  async #acquire(place: IncidentLocation, signal: AbortSignal | undefined) {
    const nouns = getNounsAt(place);
    const { container, posted } = nouns;
    const file = this.getFile(place);
    const folder = dirname(file);
    const lockFile = `${file}.lock`;
    createFolder(folder, 0o700);
    if (!this.#wasChecked) {
      assertUsable(folder);
      removeOldFiles(folder);
    }
    this.#wasChecked = true;
    // The monotonic clock can't be set back.
    const deadline = performance.now() + maxHoldMs;
    let seen = { renewedAt: 0, at: 0 };
    for (let held = 0; ;) {
      try {
        // `Notes.recordPost` detects a lost lock before anything is sent.
        const onCompromised = (): void => undefined;
        return { file, release: await lock(file, { realpath: false, stale: staleMs, onCompromised }) };
      } catch (error) {
        // Retry here, because the library's own retries would include permanent errors, such as a read-only folder.
        held = isHeld(error) ? held + 1 : 0;
        if (held === 0 && getErrorCode(error) !== "ELOCKED") throw error;
        if (held > heldTries)
          throw existsSync(lockFile) ? createLockHeldError(lockFile, error, nouns) : error;
        // This time is from the holder's clock. It is zero if the lock was released after the attempt.
        const renewedAt = tryOrUndefined(() => statSync(lockFile).mtimeMs) ?? 0;
        if (renewedAt !== seen.renewedAt) seen = { renewedAt, at: performance.now() };
        if (renewedAt > Date.now() && performance.now() - seen.at > staleMs)
          throw createFutureLockError(lockFile, renewedAt, nouns);
        if (performance.now() >= deadline)
          throw new TimeoutError(
            `Another process has held the lock of this ${container} for more than ${maxHoldMs / 1000} s. Nothing was ${posted}. ` +
              "Run `pulumi up` again.",
          );
        await pause(retryMs, signal);
      }
    }
  }
}

/** Matches notes, unfinished drafts of notes, and locks of killed processes. */
const ownName = /^monitoring-[0-9a-f]{32}\.json(\.lock|\.[0-9a-f-]{36})?$/;

/**
 * Removes the files of old incidents, so that they don't accumulate. Other files in the folder stay, because they may belong to the user.
 */
function removeOldFiles(folder: string): void {
  const names = tryOrUndefined(() => readdirSync(folder)) ?? [];
  for (const file of names.filter((name) => ownName.test(name)).map((name) => join(folder, name)))
    tryOrUndefined(() => {
      const stat = lstatSync(file);
      if (Date.now() - stat.mtimeMs <= retentionMs) return;
      // A lock is an empty directory.
      if (stat.isDirectory()) rmdirSync(file);
      else if (readOnce(file)) rmSync(file);
    });
}

function tryOrUndefined<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/**
 * Rejects a folder that every user can write to, because another user could delete locks and forge notes. On Windows, file modes have no
 * meaning. There, the inherited access control list protects a folder inside a user's own folder from everyone except administrators.
 */
function assertUsable(folder: string): void {
  if (process.platform !== "win32" && (statSync(folder).mode & 0o002) !== 0)
    throw new UnusableError("every user can write to it");
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

class UnusableError extends Error {}

/** Returns true if the error was caused by the directory. Errors of this package must not turn off locks and notes. */
function isDirectoryError(error: unknown): boolean {
  return error instanceof UnusableError || getErrorCode(error) !== undefined;
}

function describeUnusable(folder: string | undefined, error: unknown): string {
  const reason = error instanceof UnusableError ? error.message : getErrorCode(error);
  const problem =
    folder === undefined
      ? "There is no lock directory, because this user has no home directory"
      : `The lock directory ${folder} can't be used (${reason})`;
  return (
    `${problem}. Publishing continues without locks, so two processes that declare an identical update at the same time may both post it. ` +
    "Set monitoring:lockDirectory, MONITORING_LOCK_DIRECTORY or lockDirectory of the Provider to a directory that only you or one group can " +
    "write to."
  );
}

/** Creates the error for a lock with a renewal time in the future: its holder had a fast clock and was probably killed. */
function createFutureLockError(lock: string, renewedAt: number, { container, posted }: Nouns): TimeoutError {
  // File systems support later times than `Date`.
  const formatTime = (ms: number): string => new Date(Math.min(ms, 8_640_000_000_000_000)).toISOString();
  const [time, end] = [formatTime(renewedAt), formatTime(renewedAt + staleMs)];
  return new TimeoutError(
    `The lock ${lock} has a timestamp in the future (${time}) and isn't being renewed. A run on a machine with a fast clock was probably ` +
      `killed. Nothing was ${posted}. If no run on any machine that shares the directory is posting to this ${container}, delete the lock ` +
      `and run \`pulumi up\` again. Otherwise, the lock expires at ${end}.`,
  );
}

/** Deletes the notes of incidents that no longer exist, so that no run waits for their updates or requires a resend code. */
export function deleteNotes(places: readonly IncidentLocation[], folder: string | undefined): void {
  const directory = new LockDirectory(folder);
  for (const place of places)
    // Ignore errors, because a run that can't read the notes reports it.
    tryOrUndefined(() => {
      const file = directory.getFile(place);
      // Keep the notes while a process holds the lock, because it may post.
      if (!existsSync(`${file}.lock`)) rmSync(file);
    });
}
