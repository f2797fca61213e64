/**
 * Locks an incident against the other processes of this machine while an update is published, and records each post in
 * a file next to the lock. When a process is killed, the file tells the next process which update may still appear.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lock } from "proper-lockfile";
import { z } from "zod";
import { MonitoringError, TimeoutError } from "../client";
import { errorCode } from "../client/rawResponse";
import { type Context } from "./lifecycle";
import { pause } from "./pause";

/** A lock that has not been renewed for this time belongs to a process that has exited. */
const staleMs = 10_000;
/** Upper limit of the time that a process needs for one update. */
const maxHoldMs = 60_000;
/** How late a service may show an update after its process has exited. */
const maxDelayMs = 60_000;
const noteRetentionMs = 3_600_000;
const retryMs = 100;

const noteSchema = z.object({
  /** The process that holds the lock. */
  holder: z.string(),
  sent: z.array(
    z.object({
      /** Salted hash of the content: identifies it without storing it. */
      salt: z.string(),
      digest: z.string(),
      /** When it was sent, and when the response was received, in milliseconds since 1970. */
      at: z.number(),
      endedAt: z.number().optional(),
      /** The update that it created. */
      id: z.string().optional(),
    }),
  ),
});

type Note = z.output<typeof noteSchema>;
type Sent = Note["sent"][number];

const unusableFolders = new Set<string>();

function warnOnce(notice: (text: string) => void, folder: string, error: unknown): void {
  if (!unusableFolders.has(folder)) notice(unusableFolderNotice(folder, error));
  unusableFolders.add(folder);
}

/**
 * Runs the work while it holds the lock for this key. When the lock directory can't be used, runs the work without a lock
 * and emits one notice.
 *
 * @throws MonitoringError when another process doesn't release the lock in time.
 */
export async function withLock<T>(
  folder: string,
  key: string,
  context: Pick<Context, "notice" | "signal">,
  work: (sentPosts: SentPosts) => Promise<T>,
): Promise<T> {
  const file = join(folder, createHash("sha256").update(key).digest("hex").slice(0, 32));
  const { notice } = context;
  const release = await acquire(folder, file, context).catch((error: unknown) => {
    if (error instanceof MonitoringError) throw error;
    warnOnce(notice, folder, error);
  });
  const warn = (error: unknown): void => warnOnce(notice, folder, error);
  try {
    return await work(new SentPosts(release ? `${file}.json` : undefined, warn));
  } finally {
    // The lock may be lost already, for example after the machine was suspended.
    await release?.().catch(() => undefined);
  }
}

async function acquire(
  folder: string,
  file: string,
  context: Pick<Context, "signal">,
): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOldNotes(folder);
  const deadline = Date.now() + maxHoldMs;
  for (;;) {
    try {
      // `noteSending` detects a lost lock before anything is sent.
      return await lock(file, { realpath: false, stale: staleMs, onCompromised: () => undefined });
    } catch (error) {
      // The library's own retries would also retry permanent errors, such as a folder that isn't writable.
      if (errorCode(error) !== "ELOCKED") throw error;
      if (Date.now() >= deadline) throw heldTooLong();
      await pause(retryMs, context);
    }
  }
}

function heldTooLong(): TimeoutError {
  return new TimeoutError(
    `Another process on this machine has been publishing to this incident for more than ${maxHoldMs / 1000} s. ` +
      "Nothing was posted. Run `pulumi up` again.",
  );
}

/** A note, or the draft of one that was never finished. */
const noteName = /^[0-9a-f]{32}\.json(\.[0-9a-f-]{36})?$/;

const cleanedFolders = new Set<string>();

/**
 * Runs once per process, so that files of old incidents do not accumulate. The folder may be one with files of others,
 * such as `/tmp`.
 */
function removeOldNotes(folder: string): void {
  if (cleanedFolders.has(folder)) return;
  cleanedFolders.add(folder);
  for (const name of readdirSync(folder).filter((each) => noteName.test(each))) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > noteRetentionMs) rmSync(file, { force: true, recursive: true });
  }
}

function unusableFolderNotice(folder: string, error: unknown): string {
  return (
    `The lock directory ${folder} can't be used (${errorCode(error) ?? "unknown reason"}). Publishing continues without locks: two ` +
    "processes on this machine that declare an identical update at the same time may both post it. " +
    "Set monitoring:lockDirectory, MONITORING_LOCK_DIRECTORY or lockDirectory of the Provider to a writable directory."
  );
}

/** Recent posts to one incident by any process of this machine. Without a file, only those of this instance. */
export class SentPosts {
  #file: string | undefined;
  readonly #warn: (error: unknown) => void;
  readonly #holder = randomUUID();
  #sent: Sent[];

  constructor(file: string | undefined, warn: (error: unknown) => void) {
    this.#file = file;
    this.#warn = warn;
    this.#sent = readNote(file)?.sent ?? [];
    this.#write();
  }

  /** Whether this process still holds the lock. The file of another holder must not be overwritten. */
  #isHolder(): boolean {
    return this.#file === undefined || readNote(this.#file)?.holder === this.#holder;
  }

  /**
   * Until when an identical update may still appear, in milliseconds since 1970; undefined when none was sent, or when the
   * history shows it.
   */
  mayAppearUntil(content: string, history: readonly { id: string }[]): number | undefined {
    const sent = this.#sent.find(({ digest, salt }) => digest === digestOf(content, salt));
    if (history.some(({ id }) => id === sent?.id)) return undefined;
    // After the clock was set back, recorded times lie in the future.
    return sent && Math.min(Date.now(), sent.endedAt ?? sent.at + maxHoldMs) + maxDelayMs;
  }

  /** Call immediately before the post. @throws MonitoringError when another process holds the lock. */
  noteSending(content: string): void {
    if (!this.#isHolder()) {
      throw new MonitoringError(
        "Another process on this machine took over the lock of this incident. Nothing was posted. Run `pulumi up` again.",
      );
    }
    this.#drop(content);
    const salt = randomBytes(16).toString("hex");
    this.#sent.push({ salt, digest: digestOf(content, salt), at: Date.now() });
    this.#write();
  }

  /** Records that the service applied the post. The service may still show it late. */
  noteApplied(content: string, id: string): void {
    if (!this.#isHolder()) return;
    const now = Date.now();
    this.#sent = this.#sent.map((sent) =>
      sent.digest === digestOf(content, sent.salt) ? { ...sent, endedAt: now, id } : sent,
    );
    this.#write();
  }

  /** Records that the post was not applied. */
  noteNotApplied(content: string): void {
    if (!this.#isHolder()) return;
    this.#drop(content);
    this.#write();
  }

  #drop(content: string): void {
    this.#sent = this.#sent.filter((sent) => sent.digest !== digestOf(content, sent.salt));
  }

  #write(): void {
    if (this.#file === undefined) return;
    const recent = this.#sent.filter(({ at }) => at > Date.now() - maxHoldMs - maxDelayMs);
    const note: Note = { holder: this.#holder, sent: recent };
    const draft = `${this.#file}.${this.#holder}`;
    try {
      writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
      renameSync(draft, this.#file);
    } catch (error) {
      this.#file = undefined;
      this.#warn(error);
    }
  }
}

function digestOf(content: string, salt: string): string {
  return createHash("sha256").update(salt).update(content).digest("hex");
}

function readNote(file: string | undefined): Note | undefined {
  if (file === undefined) return undefined;
  try {
    return noteSchema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}
