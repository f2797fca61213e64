/**
 * Notes about posts, beside the lock of their incident. When a process is killed, they tell the next one which update may
 * still appear. They hold no text.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { notBefore } from "../api/timestamps";
import { MonitoringError } from "../client";
import { errorCode } from "../client/http";
import { isHeld, replaceFile, whileHeld } from "../heldFile";
import { type NotedPost } from "../protocol";

/** Upper limit of the time that a post takes. */
const maxPostMs = 60_000;
/** For how long the next run waits for an update after its post has ended. */
const maxDelayMs = 60_000;
/** What is known of a post, or was reported as unknown, counts for longer than one waits for it. */
const retentionMs = 86_400_000;
const largestBytes = 1_048_576;

const noteSchema = z.object({
  nonce: z.string(),
  /** When the incident was created. */
  incident: z.string().nullable(),
  /** Salted hash of the content key, and which of several identical updates it is. */
  salt: z.string(),
  digest: z.string(),
  occurrence: z.number(),
  date: z.string().optional(),
  /** When it was sent, and when its result was known, in milliseconds since 1970. */
  at: z.number(),
  endedAt: z.number().optional(),
  /** The update that it created. */
  id: z.string().optional(),
  /** Whether a run reported that its result is unknown. */
  isReported: z.boolean().optional(),
});

/** The process that holds the lock, and what was sent. */
const fileSchema = z.object({ holder: z.string(), sent: z.array(noteSchema) });

type Note = z.output<typeof noteSchema>;

/** The posts to one incident of all processes that share the lock directory; without a file, of this process. */
export class Notes {
  #file: string | undefined;
  readonly #report: (error: unknown) => void;
  readonly #holder = randomUUID();
  /** Posts of other processes had ended by then, because each holds the lock until its post has. */
  readonly #openedAt = Date.now();
  #sent: readonly Note[];
  /** When the incident was created, once it was read: a service that was set up anew may have another one with its id. */
  #incident: string | null = null;

  private constructor(file: string | undefined, report: (error: unknown) => void) {
    this.#file = file;
    this.#report = report;
    this.#sent = parse(file)?.sent.filter(stillCounts) ?? [];
  }

  /**
   * Requires the lock.
   *
   * @throws MonitoringError when the file is held: neither what it says nor what this run adds may be lost.
   */
  static open(file: string | undefined, report: (error: unknown) => void): Notes {
    return orNothingIsPosted(file, () => {
      const notes = new Notes(file, report);
      try {
        notes.#write();
      } catch (error) {
        if (isHeld(error)) throw error;
        notes.#file = undefined;
        report(error);
      }
      return notes;
    });
  }

  /** @throws MonitoringError when the file is held. */
  static read(file: string | undefined): Notes {
    return orNothingIsPosted(file, () => new Notes(file, () => undefined));
  }

  /** @param createdAt of the incident, as the service shows it. */
  ofIncident(createdAt: string | null | undefined): void {
    this.#incident = createdAt ?? null;
  }

  /** The posts to this incident that may still appear, were applied, or whose result was reported as unknown, if their content has one of these keys. */
  posts(keys: readonly string[]): NotedPost[] {
    return this.#sent.flatMap(({ salt, digest, endedAt, incident, ...post }) => {
      const key = keys.find((each) => digestOf(each, salt) === digest);
      if (key === undefined || !isSameTime(incident, this.#incident)) return [];
      // After the clock was set back, recorded times lie in the future.
      const ended = Math.min(this.#openedAt, endedAt ?? post.at + maxPostMs);
      return [{ ...post, key, mayAppearUntil: ended + maxDelayMs }];
    });
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
    const salt = randomBytes(16).toString("hex");
    const digest = digestOf(key, salt);
    const note = { nonce, incident: this.#incident, salt, digest, occurrence, date, at: Date.now() };
    const gone = [nonce, ...denied];
    this.#sent = [...this.#sent.filter((sent) => !gone.includes(sent.nonce)), note];
    orNothingIsPosted(this.#file, () => {
      if (!this.#isHolder()) throw takenOver();
      this.#write();
    });
  }

  /** The result of the post: its update, which the service may still show late, or that the user is told that it is unknown. */
  learned(nonce: string, result: Pick<Note, "id" | "isReported">): void {
    // What received no response may still be applied.
    const endedAt = result.id === undefined ? undefined : Date.now();
    this.#set(this.#sent.map((sent) => (sent.nonce === nonce ? { endedAt, ...sent, ...result } : sent)));
  }

  drop(nonce: string): void {
    if (this.#sent.every((sent) => sent.nonce !== nonce)) return;
    this.#set(this.#sent.filter((sent) => sent.nonce !== nonce));
  }

  #set(sent: readonly Note[]): void {
    this.#sent = sent;
    try {
      if (this.#isHolder()) this.#write();
    } catch (error) {
      // The file has the note as it was: others wait for the update, and don't post it again.
      this.#report(error);
    }
  }

  /** The file of another holder must not be overwritten. */
  #isHolder(): boolean {
    return this.#file === undefined || parse(this.#file)?.holder === this.#holder;
  }

  #write(): void {
    if (this.#file === undefined) return;
    const content = JSON.stringify({ holder: this.#holder, sent: this.#sent });
    replaceFile(this.#file, `${this.#file}.${this.#holder}`, content, { mode: 0o600, flag: "wx" });
  }
}

/** Services write one time in several ways, or omit it: only a time that certainly differs is another one. */
function isSameTime(a: string | null, b: string | null): boolean {
  return notBefore(a, b, 1_000) && notBefore(b, a, 1_000);
}

function stillCounts({ at, id, isReported }: Note): boolean {
  const keptMs = id === undefined && !isReported ? 2 * (maxPostMs + maxDelayMs) : retentionMs;
  return at > Date.now() - keptMs;
}

/** @throws MonitoringError instead of another error */
function orNothingIsPosted<Result>(file: string | undefined, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof MonitoringError) throw error;
    throw new MonitoringError(
      `The notes about posts in ${file} can't be read or replaced (${errorCode(error) ?? "unknown reason"}), so nothing was ` +
        "posted. Run `pulumi up` again; if this persists, find what holds the file, or delete it two minutes after the last run.",
    );
  }
}

function takenOver(): MonitoringError {
  return new MonitoringError(
    "Another process took over the lock of this incident. Nothing was posted. Run `pulumi up` again.",
  );
}

function digestOf(key: string, salt: string): string {
  return createHash("sha256").update(salt).update(key).digest("hex");
}

/** The notes, if any. @throws when the file is held */
function parse(file: string | undefined): z.output<typeof fileSchema> | undefined {
  if (file === undefined) return undefined;
  try {
    return whileHeld(() => parseNow(file));
  } catch (error) {
    if (isHeld(error)) throw error;
    return undefined;
  }
}

/** Only a regular file: a pipe would block the process, and a link would lead elsewhere. */
function parseNow(file: string): z.output<typeof fileSchema> | undefined {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile() || stat.size > largestBytes) return undefined;
    return fileSchema.safeParse(JSON.parse(fs.readFileSync(descriptor, "utf8"))).data;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Notes, and drafts of notes that were never finished. */
const noteName = /^monitoring-[0-9a-f]{32}\.json(\.[0-9a-f-]{36})?$/;

/** So that files of old incidents don't accumulate. The folder may be one with files of others. */
export function removeOldNotes(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((each) => noteName.test(each))) {
    const file = join(folder, name);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || Date.now() - stat.mtimeMs <= retentionMs) continue;
    try {
      if (parseNow(file)) fs.rmSync(file, { force: true });
    } catch {
      // A later run removes what is held, and nothing removes files of others.
    }
  }
}
