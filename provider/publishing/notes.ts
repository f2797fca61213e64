/**
 * Stores notes about posts next to the lock of their incident. After a kill, the next process reads from the notes which update may
 * still appear, and the protocol decides how to continue. Notes contain no text of an update.
 */
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { MonitoringError } from "../client";
import { isHeld, retryWhileHeld } from "../files";
import { formatVersion, getCodeStart, isFromEarlierContainer, type NotedPost, type Task } from "../protocol";
import { getErrorCode, parseJson } from "../texts";
import { type Nouns } from "../wording";
import { maxDelayMs, maxPostMs, retentionMs } from "./time";

/** The largest timestamp that a `Date` can hold. */
const latestMs = 8_640_000_000_000_000;
const time = z.number().min(0).max(latestMs);

const noteSchema = z.object({
  nonce: z.string(),
  containerCreatedAt: z.string().nullable(),
  /** The salt and the {@link computeSaltedHash} of the content key, and the index among identical entries of a timeline. */
  salt: z.string(),
  content: z.string(),
  occurrence: z.number(),
  date: z.string().optional(),
  /** The times of the post and of its result, in milliseconds since 1970. */
  at: time,
  endedAt: time.optional(),
  id: z.string().optional(),
  /** The ID of the edited update, if the note is about an edit. If the note also contains `id`, the edit was applied. */
  edits: z.string().optional(),
  /** True if a run reported the result as unknown. */
  isReported: z.boolean().optional(),
  /** {@link computeSaltedHash}es of the `pulumi` command that sent the post, and of the resource. */
  command: z.string().optional(),
  resource: z.string().optional(),
});

/**
 * A line of the file. The first line contains the run that holds or last held the lock, and all earlier notes. Each change appends a line
 * with the nonces of dropped notes, and the notes that are added or replaced.
 */
const lineSchema = z.object({
  version: formatVersion,
  holder: z.string(),
  dropped: z.array(z.string()).default([]),
  sent: z.array(noteSchema),
});

type Note = z.output<typeof noteSchema>;
type Line = z.output<typeof lineSchema>;
type Change = Pick<Line, "dropped" | "sent">;
type Result = Pick<Note, "id" | "isReported">;

/**
 * The sender of a post. A program has a process for each Provider, and the same engine calls all of them, so the engine's address identifies
 * the command.
 */
export interface Sender {
  readonly resource: string;
  readonly engine?: string | undefined;
}

/** The earlier posts that a task has read about. */
interface KnownPosts {
  /** Nonces of denied posts, whose notes are dropped. */
  readonly denied?: readonly string[];
  readonly applied?: Task["applied"];
  readonly edits?: string;
}

/** The posts to one incident by all processes that share the lock directory or, without a file, only by this process. */
export class Notes {
  readonly #file: string | undefined;
  readonly #holder: string;
  readonly #report: (error: unknown) => void;
  readonly #nouns: Nouns;
  /** All posts of other processes ended before this time, because each process holds the lock during its post. */
  readonly #openedAt = Date.now();
  readonly #notes: Map<string, Note>;
  #containerCreatedAt: string | null = null;
  /**
   * Descriptor of the file that this run created. If another process takes over the lock, it replaces the file, and later writes are
   * ignored.
   */
  #descriptor: number | undefined;
  #size = 0;

  private constructor(
    file: string | undefined,
    written: ReturnType<typeof readNotes>,
    holder: string,
    report: (error: unknown) => void,
    nouns: Nouns,
  ) {
    this.#file = file;
    this.#nouns = nouns;
    this.#holder = holder;
    this.#report = report;
    this.#notes = new Map([...(written?.notes ?? [])].filter(([, note]) => isNoteValid(note)));
  }

  /** Requires the lock. @throws MonitoringError if the file can't be read or written, because losing a note could lead to a second post. */
  static open(
    file: string | undefined,
    holder: string,
    report: (error: unknown) => void,
    nouns: Nouns,
  ): Promise<Notes> {
    return wrapNotesErrors(file, nouns, async () => {
      const written = readNotes(file, holder);
      const notes = new Notes(file, written, holder, report, nouns);
      if (file !== undefined) await notes.#begin(file, written?.descriptor);
      return notes;
    });
  }

  /** Reads the notes synchronously. @throws if they can't be read. */
  static peek(file: string, nouns: Nouns): Notes {
    return new Notes(file, readNotes(file), "", () => undefined, nouns);
  }

  static read(file: string | undefined, nouns: Nouns): Promise<Notes> {
    return wrapNotesErrors(file, nouns, () => new Notes(file, readNotes(file), "", () => undefined, nouns));
  }

  setContainerCreatedAt(createdAt: string | null | undefined): void {
    this.#containerCreatedAt = createdAt ?? null;
  }

  /** @param contentKeys The keys of the posts that matter, see {@link NotedPost}. */
  listPosts(contentKeys: readonly string[], reader?: Sender): NotedPost[] {
    const hashAll = (salt: string) => ({
      contents: new Map(contentKeys.map((key) => [computeSaltedHash(key, salt), key])),
      reader: hashIfKnown(reader?.resource, salt),
      engine: hashIfKnown(reader?.engine, salt),
    });
    // Notes of one run share a salt, so each entry of a long timeline is hashed only once.
    const bySalt = new Map<string, ReturnType<typeof hashAll>>();
    return [...this.#notes.values()].flatMap((note) => {
      const { salt, content, endedAt, containerCreatedAt, command, resource, ...post } = note;
      const hashed = bySalt.get(salt) ?? hashAll(salt);
      bySalt.set(salt, hashed);
      const isOwn = resource !== undefined && resource === hashed.reader;
      // Own posts and edits also matter if their content is different.
      const contentKey = hashed.contents.get(content) ?? (isOwn || post.edits !== undefined ? "" : undefined);
      if (contentKey === undefined || isFromEarlierContainer(note, this.#containerCreatedAt, Date.now()))
        return [];
      // If the clock was set back, recorded times are in the future.
      const { at } = note;
      const isOfCommand = command !== undefined && command === hashed.engine;
      const isFromOtherProvider = isOfCommand && !isOwn;
      const mayAppearUntil = Math.min(this.#openedAt, endedAt ?? at + maxPostMs) + maxDelayMs;
      const times = { mayAppearUntil, codeStart: getCodeStart(Math.min(this.#openedAt, at)) };
      return [
        {
          ...post,
          contentKey,
          ...times,
          ...(isFromOtherProvider && { isFromOtherProvider }),
          ...(isOwn && { isOwn }),
        },
      ];
    });
  }

  /**
   * Writes the note of a post to disk immediately before the post, together with the results of earlier posts. The decision to post relies
   * on these results, so they must survive a kill after the post.
   *
   * @throws MonitoringError if the lock is lost or the note can't be written.
   */
  async recordPost(
    nonce: string,
    { contentKey, occurrence, date }: Pick<NotedPost, "contentKey" | "occurrence" | "date">,
    { denied = [], applied = [], sender, edits }: KnownPosts & { readonly sender?: Sender } = {},
  ): Promise<void> {
    const file = this.#file;
    const { container, posted } = this.#nouns;
    const [other] = this.#notes.values();
    const salt = other?.salt ?? randomBytes(16).toString("hex");
    const content = computeSaltedHash(contentKey, salt);
    const by = {
      command: hashIfKnown(sender?.engine, salt),
      resource: hashIfKnown(sender?.resource, salt),
    };
    const containerCreatedAt = this.#containerCreatedAt;
    const note = { nonce, containerCreatedAt, salt, content, occurrence, date, edits, at: Date.now(), ...by };
    await wrapNotesErrors(file, this.#nouns, async () => {
      const known = applied.flatMap(({ nonce: of, ...result }) => this.#withResult(of, result, sender) ?? []);
      this.#change({ dropped: [...denied], sent: [...known, note] });
      if (file === undefined || this.#descriptor === undefined) return;
      await promisify(fs.fsync)(this.#descriptor);
      // The lock may have been lost during the write, for example on a slow disk.
      const written = readNotes(file);
      if (written?.holder === this.#holder && written.notes.has(nonce)) return;
      throw new MonitoringError(
        `Another process took over the lock of this ${container}, or replaced its records in the lock directory. Nothing was ${posted}. ` +
          "Run `pulumi up` again.",
      );
    });
  }

  /** @param owner The resource that owns the update now. It may have adopted the post of another resource's killed run. */
  recordResult(nonce: string, result: Result, owner?: Sender): void {
    const note = this.#withResult(nonce, result, owner);
    if (!note) return;
    const { edits } = note;
    // After an edit, its note alone shows the content of the update.
    const older = [...this.#notes.values()].filter(
      (each) => edits !== undefined && each.nonce !== nonce && [each.id, each.edits].includes(edits),
    );
    this.#changeIfPossible({ dropped: older.map((each) => each.nonce), sent: [note] });
  }

  /** Returns the note with the result. Undefined if there is no note, or if it already contains the result. */
  #withResult(nonce: string, result: Result, owner?: Sender): Note | undefined {
    const note = this.#notes.get(nonce);
    if (!note) return undefined;
    const resource = hashIfKnown(owner?.resource, note.salt) ?? note.resource;
    if (result.id !== undefined && result.id === note.id && resource === note.resource) return undefined;
    // A post without a response may still be applied.
    const endedAt = result.id === undefined ? undefined : Date.now();
    return { endedAt, ...note, ...result, resource };
  }

  /** Returns true if a note belongs to the resource. */
  hasPost({ resource }: Sender): boolean {
    return [...this.#notes.values()].some((note) => isOwnPost(note, resource));
  }

  /**
   * Records that the resource no longer owns its posts, because it was removed from the state. A new update under the same name of the
   * resource isn't a change of the removed one then.
   */
  disown({ resource }: Sender): void {
    const own = [...this.#notes.values()].filter((note) => isOwnPost(note, resource));
    this.#changeIfPossible({ sent: own.map(({ resource: _, ...note }) => note) });
  }

  drop(nonce: string): void {
    if (this.#notes.has(nonce)) this.#changeIfPossible({ dropped: [nonce] });
  }

  #changeIfPossible(change: Partial<Change>): void {
    try {
      this.#change(change);
    } catch (error) {
      this.#reportUnwritten(error);
    }
  }

  /** Warns that the file still contains the old note. Other runs wait for its update at first, and may post an identical one later. */
  #reportUnwritten(error: unknown): void {
    const { entry, request, posted } = this.#nouns;
    this.#report(
      new MonitoringError(
        `The records in ${this.#file} can't be updated (${getReason(error)}), so they don't contain the result of a ${request}. Other ` +
          `runs wait ${(maxPostMs + maxDelayMs) / 60_000} minutes for its ${entry}. After that, an identical ${entry} of another resource or ` +
          `stack may be ${posted}. Check the file's permissions and the disk before the next run.`,
      ),
    );
  }

  #change({ dropped = [], sent = [] }: Partial<Change>): void {
    const change = { dropped, sent };
    if (this.#descriptor !== undefined)
      this.#size += append(this.#descriptor, this.#formatLine(change), this.#size);
    apply(change, this.#notes);
  }

  /** @param own The descriptor of the file, if no other process has held the lock since the previous update of this run. */
  async #begin(file: string, own: number | undefined): Promise<void> {
    const draft = `${file}.${this.#holder}`;
    const line = this.#formatLine({ dropped: [], sent: [...this.#notes.values()] });
    this.#descriptor =
      own ?? (await replaceFile(file, draft, line, () => shareWithGroup(draft, dirname(file))));
    this.#size = fs.fstatSync(this.#descriptor).size;
  }

  /** Closes the file. Some file systems report a failed write only when the file is closed. */
  close(): void {
    try {
      if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    } catch (error) {
      this.#reportUnwritten(error);
    }
    this.#descriptor = undefined;
  }

  #formatLine(change: Change): string {
    return `${JSON.stringify({ version: formatVersion.value, holder: this.#holder, ...change })}\n`;
  }
}

/** Hashes a content key, because notes contain no text. The salt prevents looking up the hash of a guessed text in all files at once. */
function computeSaltedHash(key: string, salt: string): string {
  return createHash("sha256").update(salt).update(key).digest("hex");
}

function isOwnPost({ salt, resource }: Note, sender: string): boolean {
  return resource === computeSaltedHash(sender, salt);
}

function hashIfKnown(value: string | undefined, salt: string): string | undefined {
  return value === undefined ? undefined : computeSaltedHash(value, salt);
}

class ContentError extends Error {}

/** @throws if the file is held or isn't a file of notes, because it may contain the note of a post. */
function readNotes(file: string | undefined, writer?: string): ReturnType<typeof readOnce> {
  return file === undefined ? undefined : retryWhileHeld(() => readOnce(file, writer));
}

/** The content of a file of notes, and its descriptor if the reader created the file and continues writing. */
interface NotesContent {
  readonly holder: string;
  readonly notes: Map<string, Note>;
  readonly descriptor?: number;
}

/** Reads the notes once, without waiting for a process that holds the file. @param writer The holder that continues writing. */
export function readOnce(file: string, writer?: string): NotesContent | undefined {
  // Accept only regular files: reading a FIFO blocks, and a symlink may lead elsewhere.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const { O_RDONLY, O_RDWR, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const mode = writer === undefined ? O_RDONLY : O_RDWR;
  const descriptor = fs.openSync(file, mode | O_NONBLOCK | O_NOFOLLOW);
  let isKept = false;
  try {
    const written = parseNotes(fs.readFileSync(descriptor, "utf8"));
    isKept = written.holder === writer;
    // Keep the descriptor for writing. If the file were opened again, it might belong to a process that has taken over the lock.
    return isKept ? { ...written, descriptor } : written;
  } finally {
    if (!isKept) fs.closeSync(descriptor);
  }
}

function parseNotes(content: string): NotesContent {
  const [first = "", ...more] = content.split("\n");
  const { holder, sent } = parseLine(first);
  const notes = new Map(sent.map((note) => [note.nonce, note]));
  // Ignore an incomplete line: the machine crashed while it was written, which is before the post.
  for (const line of more.slice(0, -1)) apply(parseLine(line), notes);
  return { holder, notes };
}

function parseLine(text: string): Line {
  const { data } = lineSchema.safeParse(parseJson(text));
  if (data === undefined) throw new ContentError("unknown format");
  return data;
}

function apply({ dropped, sent }: Change, notes: Map<string, Note>): void {
  for (const nonce of dropped) notes.delete(nonce);
  for (const note of sent) notes.set(note.nonce, note);
}

async function wrapNotesErrors<Result>(
  file: string | undefined,
  nouns: Nouns,
  action: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof MonitoringError) throw error;
    throw createNothingPostedError(`The records in ${file} can't be read or replaced`, file, error, nouns);
  }
}

function createNothingPostedError(
  problem: string,
  file: string | undefined,
  error: unknown,
  nouns: Nouns,
): MonitoringError {
  const advice = getAdvice(file, error, nouns);
  return new MonitoringError(`${problem} (${getReason(error)}). Nothing was ${nouns.posted}. ${advice}`);
}

function getReason(error: unknown): string {
  return error instanceof ContentError ? error.message : (getErrorCode(error) ?? "unknown reason");
}

function getAdvice(file: string | undefined, error: unknown, { entry, request }: Nouns): string {
  if (error instanceof ContentError) {
    return (
      `The file may record a ${request} that isn't visible yet. If a different version of pulumi-monitoring-service wrote it, use that ` +
      `version. Otherwise, check that every ${entry} is on the public page, and delete the file.`
    );
  }
  if (!isHeld(error))
    return (
      "Run `pulumi up` again. If the error persists, free up disk space, or set monitoring:lockDirectory to a different directory. All " +
      "runs that share the current directory must use the new one."
    );
  const owner = file === undefined ? undefined : findForeignOwner(file);
  return owner === undefined
    ? "Run `pulumi up` again. If the error persists, find the process that holds the file."
    : `The file belongs to user ${owner}, but this run belongs to user ${process.geteuid?.()}. Use a lock directory that belongs to a group ` +
        "of these users, with mode 2770, or run Pulumi as one user.";
}

/** Returns the ID of the file's owner if it is another user. Windows has no user IDs. */
function findForeignOwner(file: string): number | undefined {
  try {
    const { uid } = fs.lstatSync(file);
    return process.geteuid === undefined || uid === process.geteuid() ? undefined : uid;
  } catch {
    return undefined;
  }
}

/** Creates the error for a lock that can't be acquired. Its holder may have posted, so nothing may be posted without its notes. */
export function createLockHeldError(lock: string, error: unknown, nouns: Nouns): MonitoringError {
  return createNothingPostedError(`The lock ${lock} can't be acquired`, lock, error, nouns);
}

function isNoteValid({ at }: Note): boolean {
  return at > Date.now() - retentionMs;
}

/** Lets every member of the directory's group write the notes, regardless of the umask. */
function shareWithGroup(draft: string, folder: string): void {
  const { mode, gid } = fs.statSync(folder);
  if ((mode & 0o020) !== 0 && fs.statSync(draft).gid === gid) fs.chmodSync(draft, 0o660);
}

/**
 * Replaces the file's content atomically. After a crash of the machine, the file contains either the complete new content or the complete
 * old content.
 *
 * @param draft A new file in the same folder.
 * @param finish Runs after the draft is written.
 * @returns The descriptor of the new file.
 */
async function replaceFile(
  file: string,
  draft: string,
  content: string,
  finish: () => void,
): Promise<number> {
  const descriptor = fs.openSync(draft, "wx", 0o600);
  try {
    fs.writeFileSync(descriptor, content);
    finish();
    await promisify(fs.fsync)(descriptor);
    retryWhileHeld(() => fs.renameSync(draft, file));
    await syncFolder(dirname(file));
    return descriptor;
  } catch (error) {
    fs.closeSync(descriptor);
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/** Appends to the file or leaves it unchanged. The bytes may not be on disk yet. @returns The number of bytes. */
function append(descriptor: number, text: string, size: number): number {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length;)
      at += fs.writeSync(descriptor, bytes, at, bytes.length - at, size + at);
    return bytes.length;
  } catch (error) {
    fs.ftruncateSync(descriptor, size);
    throw error;
  }
}

const unsupportedCodes: readonly unknown[] = ["EINVAL", "ENOTSUP", "ENOSYS"];

/** Waits until the names of a folder's files are on disk. Windows and some network file systems don't support it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const descriptor = fs.openSync(folder, "r");
  try {
    await promisify(fs.fsync)(descriptor);
  } catch (error) {
    if (!unsupportedCodes.includes(getErrorCode(error))) throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}
