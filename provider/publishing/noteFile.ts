/** The files of notes: which are read, and how large one gets. */
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { isHeld, replaceFile, whileHeld } from "../machine/heldFile";
import { shareWithGroup } from "./directoryAccess";

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
export class ContentError extends Error {}

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
  return file === undefined ? undefined : whileHeld(() => readOnce(file));
}

/** Without waiting for who holds the file. */
export function readOnce(file: string): NoteFile | undefined {
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
