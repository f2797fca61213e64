/** Creates a lock directory with the notes of one incident for each test. */
import { existsSync, readdirSync } from "node:fs";
import { LockDirectory, type IncidentLocation } from "../../provider/publishing/lockDirectory";
import { type Notes } from "../../provider/publishing/notes";
import { temporaryFolder } from "../temporaryFolder";

/** The location of the incident in the notes. */
export const place = { service: { host: "127.0.0.1", path: "" }, containerId: "inc-1" };
const created = "2026-11-20T09:00:00Z";
/** The content of a noted post. */
export const noteContent = { contentKey: "words", occurrence: 1 };

export class NoteFolder {
  path = "";
  /** The notices of the runs. */
  notices: string[] = [];
  posts = 0;

  constructor() {
    beforeEach(() => {
      this.path = temporaryFolder();
      this.notices = [];
      this.posts = 0;
    });
    afterEach(() => jest.restoreAllMocks());
  }

  get file(): string {
    return new LockDirectory(this.path).getFile(place);
  }

  /** Posts an update in another run, which records the result. */
  async post(run = new LockDirectory(this.path)): Promise<void> {
    await run.withLock(place, { notice: this.notice }, async (notes) => {
      await notes.recordPost("n", noteContent);
      this.posts += 1;
      notes.recordResult("n", { id: "u1" });
    });
  }

  readonly notice = (text: string): void => void this.notices.push(text);

  /** Reads the notes as a preview does. */
  read(service: IncidentLocation["service"] = place.service): Promise<Notes> {
    return new LockDirectory(this.path).read({ ...place, service }, unexpected);
  }

  locked<T>(
    work: (notes: Notes) => T | Promise<T>,
    incident: string | null = created,
    service: IncidentLocation["service"] = place.service,
  ): Promise<T> {
    return new LockDirectory(this.path).withLock({ ...place, service }, { notice: unexpected }, (notes) => {
      notes.setContainerCreatedAt(incident);
      return Promise.resolve(work(notes));
    });
  }
}

/** Returns the number of open files. Always 0 on Windows, which doesn't list them. */
export const countOpenFiles = (): number => (existsSync("/dev/fd") ? readdirSync("/dev/fd").length : 0);

export function unexpected(notice: string): never {
  throw new Error("There was a notice.", { cause: notice });
}
