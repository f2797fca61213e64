/**
 * Keeps the other processes of this machine out of one incident while an update is published there, and notes what is
 * sent: a process that is killed leaves this note, and tells the next one what may be about to appear.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lock } from "proper-lockfile";
import { z } from "zod";
import { MonitoringError, TimeoutError } from "../client";
import { type Context } from "./lifecycle";
import { pause } from "./pause";

/** A lock that wasn't renewed for so long was left by a process that is gone. */
const staleMs = 10_000;
/** Longer than a process needs for one update. */
const longestHoldMs = 60_000;
/** A service may show an update so long after the process that posted it is gone. */
const lateMs = 60_000;
const oldNoteMs = 3_600_000;
const retryMs = 100;

const noteSchema = z.object({
  /** The process that holds the lock. */
  holder: z.string(),
  sent: z.array(
    z.object({
      /** What was sent, so that it can be recognized but not read. */
      salt: z.string(),
      digest: z.string(),
      /** When it was sent, and when the response came, in milliseconds since 1970. */
      at: z.number(),
      endedAt: z.number().optional(),
    }),
  ),
});

type Note = z.output<typeof noteSchema>;
type Sent = Note["sent"][number];

const unusableFolders = new Set<string>();

function warnOnce(notice: (text: string) => void, folder: string, error: unknown): void {
  if (!unusableFolders.has(folder)) notice(unusable(folder, error));
  unusableFolders.add(folder);
}

/**
 * Runs the work while no other process of this machine works on the place. Where no lock can be made, it goes on
 * without, and says so once.
 *
 * @throws MonitoringError when another process doesn't release it in time.
 */
export async function withLock<T>(
  folder: string,
  place: string,
  context: Pick<Context, "notice" | "signal">,
  work: (sentPosts: SentPosts) => Promise<T>,
): Promise<T> {
  if (unusableFolders.has(folder)) return work(new SentPosts(undefined, () => undefined));
  const file = join(folder, createHash("sha256").update(place).digest("hex").slice(0, 32));
  const { notice } = context;
  const release = await acquire(folder, file, context).catch((error: unknown) => {
    if (error instanceof MonitoringError) throw error;
    warnOnce(notice, folder, error);
  });
  const warn = (error: unknown): void => warnOnce(notice, folder, error);
  try {
    return await work(new SentPosts(release ? `${file}.json` : undefined, warn));
  } finally {
    // It may be gone: a machine that slept for a while has lost it.
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
  const until = Date.now() + longestHoldMs;
  for (;;) {
    try {
      // That it was lost is found before anything is sent.
      return await lock(file, { realpath: false, stale: staleMs, onCompromised: () => undefined });
    } catch (error) {
      // The library's own retries would also retry what can't succeed, such as a folder that isn't writable.
      if (codeOf(error) !== "ELOCKED") throw error;
      if (Date.now() >= until) throw heldTooLong();
      await pause(retryMs, context);
    }
  }
}

function heldTooLong(): TimeoutError {
  return new TimeoutError(
    `Another process on this machine has been publishing to this incident for more than ${longestHoldMs / 1000} s. ` +
      "Nothing was posted. Run `pulumi up` again.",
  );
}

const swept = new Set<string>();

/** Once in each process: incidents come and go. */
function removeOldNotes(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (!name.endsWith(".lock") && age > oldNoteMs) rmSync(file, { force: true });
  }
}

function unusable(folder: string, error: unknown): string {
  return (
    `The folder for locks, ${folder}, can't be used (${codeOf(error) ?? "unknown reason"}). Publishing goes on, but two ` +
    "processes on this machine that declare an identical update at the same moment may both post it. " +
    "Set monitoring:lockDirectory or MONITORING_LOCK_DIRECTORY to a writable folder."
  );
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** What was sent to one incident lately, by any process of this machine. Without a file, by this turn alone. */
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

  /** Whether no other process took the lock over, whose note must not be overwritten. */
  #isHolder(): boolean {
    return this.#file === undefined || readNote(this.#file)?.holder === this.#holder;
  }

  /** Until when an identical update may still appear, in milliseconds since 1970; undefined when none was sent. */
  mayAppearUntil(content: string): number | undefined {
    const now = Date.now();
    const ends = this.#sent
      .filter((sent) => sent.digest === digestOf(content, sent.salt))
      // A clock that was set back leaves times that are yet to come.
      .map(({ at, endedAt }) => Math.min(now, endedAt ?? at + longestHoldMs) + lateMs);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** Call it just before it is sent. @throws MonitoringError when another process holds the lock now. */
  noteSending(content: string): void {
    if (!this.#isHolder()) {
      throw new MonitoringError(
        "Another process on this machine took over this incident meanwhile. Nothing was posted. Run `pulumi up` again.",
      );
    }
    this.#drop(content);
    const salt = randomBytes(16).toString("hex");
    this.#sent.push({ salt, digest: digestOf(content, salt), at: Date.now() });
    this.#write();
  }

  /** The service said that it was applied; it may show it late all the same. */
  noteApplied(content: string): void {
    if (!this.#isHolder()) return;
    const now = Date.now();
    this.#sent = this.#sent.map((sent) =>
      sent.digest === digestOf(content, sent.salt) ? { ...sent, endedAt: now } : sent,
    );
    this.#write();
  }

  /** It was provably not applied. */
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
    const recent = this.#sent.filter(({ at }) => at > Date.now() - longestHoldMs - lateMs);
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
