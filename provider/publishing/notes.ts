/**
 * Notes about posts, beside the lock of their incident. When a process is killed, they tell the next one which update may
 * still appear. They hold no text.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { MonitoringError } from "../client";
import { type SentPost } from "../protocol";

/** Upper limit of the time that a post takes. */
const maxPostMs = 60_000;
/** How late a service may show an update after its post has ended. */
const maxDelayMs = 60_000;
const retentionMs = 3_600_000;
const largestBytes = 1_048_576;

const noteSchema = z.object({
  nonce: z.string(),
  /** When the incident was created. */
  incident: z.string().nullable(),
  /** Salted hash of the content key, and which of several identical updates it is. */
  salt: z.string(),
  digest: z.string(),
  occurrence: z.number(),
  /** When it was sent, and when its result was known, in milliseconds since 1970. */
  at: z.number(),
  endedAt: z.number().optional(),
  /** The update that it created. */
  id: z.string().optional(),
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
    this.#sent = parse(file)?.sent ?? [];
  }

  /** Requires the lock. */
  static open(file: string | undefined, report: (error: unknown) => void): Notes {
    const notes = new Notes(file, report);
    notes.#write();
    return notes;
  }

  static read(file: string | undefined): Notes {
    return new Notes(file, () => undefined);
  }

  /** @param createdAt of the incident, as the service shows it. */
  ofIncident(createdAt: string | null | undefined): void {
    this.#incident = createdAt ?? null;
  }

  /** The posts that may still appear in this incident, if their content has one of these keys. */
  posts(keys: readonly string[]): SentPost[] {
    return this.#sent.flatMap(({ nonce, salt, digest, occurrence, id, at, endedAt, ...note }) => {
      const key = keys.find((each) => digestOf(each, salt) === digest);
      if (key === undefined || note.incident !== this.#incident) return [];
      // After the clock was set back, recorded times lie in the future.
      const ended = Math.min(this.#openedAt, endedAt ?? at + maxPostMs);
      return [{ nonce, key, occurrence, id, mayAppearUntil: ended + maxDelayMs }];
    });
  }

  /** Call immediately before the post. @throws MonitoringError when another process holds the lock. */
  sending(nonce: string, key: string, occurrence: number): void {
    if (this.#file !== undefined && parse(this.#file)?.holder !== this.#holder) {
      throw new MonitoringError(
        "Another process took over the lock of this incident. Nothing was posted. Run `pulumi up` again.",
      );
    }
    const salt = randomBytes(16).toString("hex");
    const note = {
      nonce,
      incident: this.#incident,
      salt,
      digest: digestOf(key, salt),
      occurrence,
      at: Date.now(),
    };
    this.#set([...this.#sent.filter((sent) => sent.nonce !== nonce), note]);
  }

  /** The service may still show the update late. */
  applied(nonce: string, id: string): void {
    const endedAt = Date.now();
    this.#set(this.#sent.map((sent) => (sent.nonce === nonce ? { endedAt, ...sent, id } : sent)));
  }

  drop(nonce: string): void {
    if (this.#sent.every((sent) => sent.nonce !== nonce)) return;
    this.#set(this.#sent.filter((sent) => sent.nonce !== nonce));
  }

  #set(sent: readonly Note[]): void {
    this.#sent = sent;
    // The file of another holder must not be overwritten.
    if (this.#file !== undefined && parse(this.#file)?.holder === this.#holder) this.#write();
  }

  #write(): void {
    if (this.#file === undefined) return;
    const sent = this.#sent.filter(({ at }) => at > Date.now() - 2 * (maxPostMs + maxDelayMs));
    const draft = `${this.#file}.${this.#holder}`;
    try {
      fs.writeFileSync(draft, JSON.stringify({ holder: this.#holder, sent }), { mode: 0o600, flag: "wx" });
      fs.renameSync(draft, this.#file);
    } catch (error) {
      this.#file = undefined;
      this.#report(error);
    }
  }
}

function digestOf(key: string, salt: string): string {
  return createHash("sha256").update(salt).update(key).digest("hex");
}

/** Only a regular file: a pipe would block the process, and a link would lead elsewhere. */
function parse(file: string | undefined): z.output<typeof fileSchema> | undefined {
  if (file === undefined) return undefined;
  try {
    const descriptor = fs.openSync(
      file,
      fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW,
    );
    try {
      const stat = fs.fstatSync(descriptor);
      if (!stat.isFile() || stat.size > largestBytes) return undefined;
      return fileSchema.safeParse(JSON.parse(fs.readFileSync(descriptor, "utf8"))).data;
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** Notes, and drafts of notes that were never finished. */
const noteName = /^monitoring-[0-9a-f]{32}\.json(\.[0-9a-f-]{36})?$/;

/** So that files of old incidents don't accumulate. The folder may be one with files of others. */
export function removeOldNotes(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((each) => noteName.test(each))) {
    const file = join(folder, name);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    const isOld = stat?.isFile() && Date.now() - stat.mtimeMs > retentionMs;
    if (isOld && parse(file)) fs.rmSync(file, { force: true });
  }
}
