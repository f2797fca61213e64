/** The files of notes: which are read, how large one gets, and who may read it. */
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { MonitoringError } from "../client";
import { errorCode } from "../machine/errorCode";
import { isHeld, replaceFile, whileHeld } from "../machine/heldFile";
import { retentionMs } from "./timeLimits";

const largestBytes = 1_048_576;

/** Of a `Date`. */
const latestMs = 8_640_000_000_000_000;
const time = z.number().min(0).max(latestMs);

const noteSchema = z.object({
  nonce: z.string(),
  /** When the incident was created. */
  incident: z.string().nullable(),
  /** {@link saltedHash} of the content key, and which of several identical updates it is. */
  salt: z.string(),
  digest: z.string(),
  occurrence: z.number(),
  date: z.string().optional(),
  /** When it was sent, and when its result was known, in milliseconds since 1970. */
  at: time,
  endedAt: time.optional(),
  /** The update that it created. */
  id: z.string().optional(),
  /** Whether a run reported that its result is unknown. */
  isReported: z.boolean().optional(),
});

/** The process that holds the lock, and what was sent. */
const fileSchema = z.object({ holder: z.string(), sent: z.array(noteSchema) });

export type Note = z.output<typeof noteSchema>;
type NoteFile = z.output<typeof fileSchema>;

/** For the notes of one run. */
export function newSalt(): string {
  return randomBytes(16).toString("hex");
}

/** A note holds no text: with a salt, nobody can look up the hash of one that he guesses for all files at once. */
export function saltedHash(key: string, salt: string): string {
  return createHash("sha256").update(salt).update(key).digest("hex");
}

/** The content isn't what this version writes, or may write. */
class ContentError extends Error {}

/** Whether the file may tell of posts that this run can't read, or has no room for another. */
export function maySpeakOfPosts(error: unknown): boolean {
  return isHeld(error) || error instanceof ContentError;
}

/**
 * The notes, if any.
 *
 * @throws when the file is held, or isn't one of notes: it may tell of a post.
 */
export function readNotes(file: string | undefined): NoteFile | undefined {
  return file === undefined ? undefined : whileHeld(() => readNow(file));
}

function readNow(file: string): NoteFile | undefined {
  // Nobody writes notes into anything else: a pipe would block the process, and a link would lead elsewhere.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    if (fs.fstatSync(descriptor).size > largestBytes)
      throw new ContentError(`it is larger than ${largestBytes} bytes`);
    const { data } = fileSchema.safeParse(jsonOf(fs.readFileSync(descriptor, "utf8")));
    if (data === undefined) throw new ContentError("it has another format");
    return data;
  } finally {
    fs.closeSync(descriptor);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the notes.
 *
 * @param isNeeded Whether a note decides about posts that another one, whose update is known, doesn't.
 * @returns The notes that were written: those that fit.
 */
export function writeNotes(
  file: string,
  { holder, sent }: NoteFile,
  isNeeded: (note: Note) => boolean,
): readonly Note[] {
  let kept: readonly Note[] = sent;
  let content = JSON.stringify({ holder, sent });
  if (Buffer.byteLength(content) > largestBytes) {
    kept = fitting(sent, Buffer.byteLength(content) - largestBytes, isNeeded);
    content = JSON.stringify({ holder, sent: kept });
  }
  const draft = `${file}.${holder}`;
  replaceFile(file, draft, content, { mode: 0o600, flag: "wx" }, () => shareWithGroup(draft, dirname(file)));
  return kept;
}

/** Drops what isn't needed: the oldest with a known update first, then others. @throws ContentError when too much is needed */
function fitting(sent: readonly Note[], bytes: number, isNeeded: (note: Note) => boolean): readonly Note[] {
  const rank = ({ id }: Note): number => (id === undefined ? 1 : 0);
  const droppable = sent.filter((note) => !isNeeded(note)).sort((a, b) => rank(a) - rank(b) || a.at - b.at);
  const dropped = new Set<Note>();
  let excess = bytes;
  for (const note of droppable) {
    if (excess <= 0) break;
    dropped.add(note);
    excess -= Buffer.byteLength(JSON.stringify(note));
  }
  if (excess > 0) throw new ContentError(`it would be larger than ${largestBytes} bytes`);
  return sent.filter((note) => !dropped.has(note));
}

/** In the directory of a group, every member goes on with the notes, whatever the umask. */
function shareWithGroup(draft: string, folder: string): void {
  const { mode, gid } = fs.statSync(folder);
  if ((mode & 0o020) !== 0 && fs.statSync(draft).gid === gid) fs.chmodSync(draft, 0o660);
}

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
export function nothingPosted(problem: string, file: string | undefined, error: unknown): MonitoringError {
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

/** Notes, drafts of notes that were never finished, and locks of processes that were killed. */
const ownName = /^monitoring-[0-9a-f]{32}\.json(\.lock|\.[0-9a-f-]{36})?$/;

/** So that files of old incidents don't accumulate. The folder may be one with files of others. */
export function removeOldFiles(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((each) => ownName.test(each))) {
    const file = join(folder, name);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat || Date.now() - stat.mtimeMs <= retentionMs) continue;
    try {
      // A lock is an empty directory.
      if (stat.isDirectory()) fs.rmdirSync(file);
      else if (readNow(file)) fs.rmSync(file, { force: true });
    } catch {
      // A later run removes what is held, and nothing removes files of others.
    }
  }
}
