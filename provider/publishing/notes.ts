/**
 * Keeps notes about posts, beside the lock of their incident. When a process is killed, they tell the next one which update may
 * still appear: the protocol decides what that means. They hold no text.
 */
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { MonitoringError } from "../client";
import { errorCode, isHeld, replaceFile, syncFolder, whileHeld } from "../files";
import { isOfEarlierIncident, type NotedPost } from "../protocol";
import { jsonIn } from "../texts";
import { limits } from "./time";

/** The largest timestamp that a `Date` can hold. */
const latestMs = 8_640_000_000_000_000;
const time = z.number().min(0).max(latestMs);

const noteSchema = z.object({
  nonce: z.string(),
  /** The creation time of the incident. */
  incident: z.string().nullable(),
  /** {@link saltedHash} of the content key, and which of several identical updates it is. */
  salt: z.string(),
  digest: z.string(),
  occurrence: z.number(),
  date: z.string().optional(),
  /** The times of the post and of its result, in milliseconds since 1970. */
  at: time,
  endedAt: time.optional(),
  /** The update that it created. */
  id: z.string().optional(),
  /** True if only its words say so. */
  isByWords: z.boolean().optional(),
  /** True if a run reported that its result is unknown. */
  isReported: z.boolean().optional(),
});

/** The run that holds the lock, or held it last, and what was sent. */
const fileSchema = z.object({ holder: z.string(), sent: z.array(noteSchema) });

type Note = z.output<typeof noteSchema>;
type NoteFile = z.output<typeof fileSchema>;

/** The posts to one incident of all processes that share the lock directory; without a file, of this process. */
export class Notes {
  #file: string | undefined;
  readonly #holder: string;
  readonly #report: (error: unknown) => void;
  /** Posts of other processes had ended by then, because each holds the lock until its post has. */
  readonly #openedAt = Date.now();
  #notes: readonly Note[];
  /** The creation time of the incident, once it was read. */
  #incident: string | null = null;

  private constructor(file: string | undefined, holder: string, report: (error: unknown) => void) {
    this.#file = file;
    this.#holder = holder;
    this.#report = report;
    this.#notes = readNotes(file)?.sent.filter(stillCounts) ?? [];
  }

  /**
   * Requires the lock.
   *
   * @param holder Identifies the run, which publishes one update of an incident at a time.
   * @throws MonitoringError when the file is held or unreadable: neither what it says nor what this run adds may be lost.
   */
  static open(file: string | undefined, holder: string, report: (error: unknown) => void): Notes {
    return orNothingIsPosted(file, () => {
      const notes = new Notes(file, holder, report);
      // No other process has held the lock since this run's update before.
      if (notes.#isHolder()) return notes;
      try {
        notes.#write();
      } catch (error) {
        // A process that holds the file may add a note to it.
        if (isHeld(error)) throw error;
        notes.#file = undefined;
        report(error);
      }
      return notes;
    });
  }

  /** @throws MonitoringError when the file is held or unreadable. */
  static read(file: string | undefined): Notes {
    return orNothingIsPosted(file, () => new Notes(file, "", () => undefined));
  }

  /** @param createdAt of the incident, as the service shows it. */
  ofIncident(createdAt: string | null | undefined): void {
    this.#incident = createdAt ?? null;
  }

  /** The posts to this incident whose content has one of these keys. */
  posts(keys: readonly string[]): NotedPost[] {
    // Notes of one run share a salt, so that each key of a long timeline is hashed once.
    const bySalt = new Map<string, Map<string, string>>();
    return this.#notes.flatMap((note) => {
      const { salt, digest, endedAt, incident, ...post } = note;
      const byDigest = bySalt.get(salt) ?? new Map(keys.map((key) => [saltedHash(key, salt), key]));
      bySalt.set(salt, byDigest);
      const key = byDigest.get(digest);
      if (key === undefined || isOfEarlierIncident(note, this.#incident, Date.now())) return [];
      return [{ ...post, key, mayAppearUntil: this.#mayAppearUntil(note) }];
    });
  }

  /** Recorded times lie in the future if the clock was set back. */
  #mayAppearUntil({ at, endedAt = at + limits.maxPostMs }: Note): number {
    return Math.min(this.#openedAt, endedAt) + limits.maxDelayMs;
  }

  /**
   * Call immediately before the post.
   *
   * @param denied The nonces of posts that the user says aren't public.
   * @throws MonitoringError without the lock, or when there can be no note.
   */
  sending(
    nonce: string,
    { key, occurrence, date }: Pick<NotedPost, "key" | "occurrence" | "date">,
    denied: readonly string[] = [],
  ): void {
    const salt = this.#notes.at(-1)?.salt ?? randomBytes(16).toString("hex");
    const digest = saltedHash(key, salt);
    const note = { nonce, incident: this.#incident, salt, digest, occurrence, date, at: Date.now() };
    const obsolete = [nonce, ...denied];
    this.#notes = [...this.#notes.filter((each) => !obsolete.includes(each.nonce)), note];
    orNothingIsPosted(this.#file, () => {
      if (!this.#isHolder())
        throw new MonitoringError(
          "Another process took over the lock of this incident. Nothing was posted. Run `pulumi up` again.",
        );
      this.#write();
      if (this.#file !== undefined) syncFolder(dirname(this.#file));
    });
  }

  /** The result of the post: its update, which the service may still show late, or that the user is told that it is unknown. */
  learned(nonce: string, result: Pick<Note, "id" | "isByWords" | "isReported">): void {
    // A post without a response may still be applied.
    const endedAt = result.id === undefined ? undefined : Date.now();
    this.#set(this.#notes.map((note) => (note.nonce === nonce ? { endedAt, ...note, ...result } : note)));
  }

  drop(nonce: string): void {
    if (this.#notes.every((note) => note.nonce !== nonce)) return;
    this.#set(this.#notes.filter((note) => note.nonce !== nonce));
  }

  #set(notes: readonly Note[]): void {
    this.#notes = notes;
    try {
      if (this.#isHolder()) this.#write();
    } catch (error) {
      // The file has the note as it was: others wait for the update, and don't post it again.
      this.#report(
        new MonitoringError(
          `The notes about posts in ${this.#file} can't be replaced (${reasonOf(error)}), so they lack the result of a post. ` +
            `For ${(limits.maxPostMs + limits.maxDelayMs) / 60_000} minutes, other runs wait for its update; after that, nothing keeps ` +
            "another resource or stack from posting an identical one.",
        ),
      );
    }
  }

  /** The file of another holder must not be overwritten. */
  #isHolder(): boolean {
    return this.#file === undefined || readNotes(this.#file)?.holder === this.#holder;
  }

  #write(): void {
    const file = this.#file;
    if (file === undefined) return;
    const draft = `${file}.${this.#holder}`;
    const content = JSON.stringify({ holder: this.#holder, sent: this.#notes });
    const share = (): void => shareWithGroup(draft, dirname(file));
    replaceFile(file, draft, content, { mode: 0o600, flag: "wx" }, share);
  }
}

/** A note holds no text: with a salt, nobody can look up the hash of one that he guesses for all files at once. */
function saltedHash(key: string, salt: string): string {
  return createHash("sha256").update(salt).update(key).digest("hex");
}

/** The content isn't what this version writes. */
class ContentError extends Error {}

/** @throws when the file is held, or isn't one of notes: it may tell of a post. */
function readNotes(file: string | undefined): NoteFile | undefined {
  return file === undefined ? undefined : whileHeld(() => readOnce(file));
}

/** Reads the notes once. It doesn't wait for a process that holds the file. */
export function readOnce(file: string): NoteFile | undefined {
  // Nobody writes notes into anything else: a pipe would block the process, and a link would lead elsewhere.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const { data } = fileSchema.safeParse(jsonIn(fs.readFileSync(descriptor, "utf8")));
    if (data === undefined) throw new ContentError("it has another format");
    return data;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** @throws MonitoringError instead of another error */
function orNothingIsPosted<Result>(file: string | undefined, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof MonitoringError) throw error;
    throw nothingPosted(`The notes about posts in ${file} can't be read or replaced`, file, error);
  }
}

/** @param problem The beginning of a sentence. @param file What can't be used. */
function nothingPosted(problem: string, file: string | undefined, error: unknown): MonitoringError {
  const advice = adviceFor(file, error);
  return new MonitoringError(`${problem} (${reasonOf(error)}), so nothing was posted. ${advice}`);
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
export function lockHeld(lock: string, error: unknown): MonitoringError {
  return nothingPosted(`The lock ${lock} can't be taken`, lock, error);
}

function stillCounts({ at, id, isReported }: Note): boolean {
  const keptMs =
    id === undefined && !isReported ? 2 * (limits.maxPostMs + limits.maxDelayMs) : limits.retentionMs;
  return at > Date.now() - keptMs;
}

/** Every member of a directory's group can continue the notes, whatever the umask. */
function shareWithGroup(draft: string, folder: string): void {
  const { mode, gid } = fs.statSync(folder);
  if ((mode & 0o020) !== 0 && fs.statSync(draft).gid === gid) fs.chmodSync(draft, 0o660);
}
