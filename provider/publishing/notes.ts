/**
 * Notes about posts, beside the lock of their incident. When a process is killed, they tell the next one which update may
 * still appear: `protocol/guards.ts` decides what that means. They hold no text.
 */
import { randomUUID } from "node:crypto";
import { isOfEarlierIncident, type NotedPost } from "../protocol";
import { maySpeakOfPosts, newSalt, type Note, readNotes, saltedHash, writeNotes } from "./noteFile";
import { orNothingIsPosted, resultNotNoted, takenOver } from "./noteProblems";
import { maxDelayMs, maxPostMs, retentionMs } from "./timeLimits";

/** The posts to one incident of all processes that share the lock directory; without a file, of this process. */
export class Notes {
  #file: string | undefined;
  readonly #report: (error: unknown) => void;
  readonly #holder = randomUUID();
  /** Posts of other processes had ended by then, because each holds the lock until its post has. */
  readonly #openedAt = Date.now();
  #sent: readonly Note[];
  /** When the incident was created, once it was read. */
  #incident: string | null = null;

  private constructor(file: string | undefined, report: (error: unknown) => void) {
    this.#file = file;
    this.#report = report;
    this.#sent = readNotes(file)?.sent.filter(stillCounts) ?? [];
  }

  /**
   * Requires the lock.
   *
   * @throws MonitoringError when the file is held or unreadable: neither what it says nor what this run adds may be lost.
   */
  static open(file: string | undefined, report: (error: unknown) => void): Notes {
    return orNothingIsPosted(file, () => {
      const notes = new Notes(file, report);
      try {
        notes.#write();
      } catch (error) {
        if (maySpeakOfPosts(error)) throw error;
        notes.#file = undefined;
        report(error);
      }
      return notes;
    });
  }

  /** @throws MonitoringError when the file is held or unreadable. */
  static read(file: string | undefined): Notes {
    return orNothingIsPosted(file, () => new Notes(file, () => undefined));
  }

  /** @param createdAt of the incident, as the service shows it. */
  ofIncident(createdAt: string | null | undefined): void {
    this.#incident = createdAt ?? null;
  }

  /** The posts to this incident that may still appear, were applied, or whose result was reported as unknown, if their content has one of these keys. */
  posts(keys: readonly string[]): NotedPost[] {
    // Notes of one run share a salt, so that each key of a long timeline is hashed once.
    const bySalt = new Map<string, Map<string, string>>();
    return this.#sent.flatMap((note) => {
      const { salt, digest, endedAt, incident, ...post } = note;
      const known = bySalt.get(salt) ?? new Map(keys.map((key) => [saltedHash(key, salt), key]));
      bySalt.set(salt, known);
      const key = known.get(digest);
      if (key === undefined || isOfEarlierIncident(note, this.#incident)) return [];
      return [{ ...post, key, mayAppearUntil: this.#mayAppearUntil(note) }];
    });
  }

  /** After the clock was set back, recorded times lie in the future. */
  #mayAppearUntil({ at, endedAt = at + maxPostMs }: Note): number {
    return Math.min(this.#openedAt, endedAt) + maxDelayMs;
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
    const salt = this.#sent.at(-1)?.salt ?? newSalt();
    const digest = saltedHash(key, salt);
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
      this.#report(resultNotNoted(this.#file, error));
    }
  }

  /** The file of another holder must not be overwritten. */
  #isHolder(): boolean {
    return this.#file === undefined || readNotes(this.#file)?.holder === this.#holder;
  }

  #write(): void {
    if (this.#file === undefined) return;
    const isNeeded = (note: Note): boolean =>
      (note.id === undefined && note.isReported === true) || this.#mayAppearUntil(note) > Date.now();
    this.#sent = writeNotes(this.#file, { holder: this.#holder, sent: [...this.#sent] }, isNeeded);
  }
}

function stillCounts({ at, id, isReported }: Note): boolean {
  const keptMs = id === undefined && !isReported ? 2 * (maxPostMs + maxDelayMs) : retentionMs;
  return at > Date.now() - keptMs;
}
