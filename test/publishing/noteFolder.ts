/** A lock directory with the notes of one incident: a new one for each test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LockDirectory, type Place } from "../../provider/publishing/lockDirectory";
import { type Notes } from "../../provider/publishing/notes";

/** The incident of a service that the notes are about. */
export const place = { service: { host: "127.0.0.1", path: "" }, incidentId: "inc-1" };
const created = "2026-11-20T09:00:00Z";

export class NoteFolder {
  path = "";

  constructor() {
    beforeEach(() => {
      this.path = mkdtempSync(join(tmpdir(), "notes-"));
    });
    afterEach(() => {
      rmSync(this.path, { recursive: true, force: true });
    });
  }

  get file(): string {
    return new LockDirectory(this.path).fileOf(place) ?? "";
  }

  /** What a preview reads. */
  read(service: Place["service"] = place.service): Promise<Notes> {
    return new LockDirectory(this.path).read({ ...place, service }, unexpected);
  }

  locked<T>(work: (notes: Notes) => T | Promise<T>, incident: string | null = created): Promise<T> {
    return new LockDirectory(this.path).withLock(place, { notice: unexpected }, (notes) => {
      notes.ofIncident(incident);
      return Promise.resolve(work(notes));
    });
  }
}

export function unexpected(notice: string): never {
  throw new Error(notice);
}
