/** The cursors of a list: opaque to clients, valid for one list of one account. */
import type { SandboxAccount } from "./store/data";
import { HttpError } from "./http/httpResponse";

export class ListCursors {
  readonly #list: string;
  readonly #length: number;

  constructor(operation: string, { id }: SandboxAccount, length: number) {
    this.#list = `${operation}:${id}`;
    this.#length = length;
  }

  /** The cursor of the page that begins there; null after the end. */
  at(offset: number): string | null {
    return offset < this.#length ? Buffer.from(`${offset}:${this.#list}`).toString("base64url") : null;
  }

  /**
   * Where the page of a cursor begins.
   *
   * @throws HttpError for a cursor that the list never returned for this account
   */
  decode(cursor: string): number {
    const offset = Number.parseInt(Buffer.from(cursor, "base64url").toString(), 10);
    if (offset > 0 && this.at(offset) === cursor) return offset;
    throw new HttpError(400, "nextId: is not a cursor that this list returned", {
      validation: { source: "query", keys: ["nextId"] },
    });
  }
}
