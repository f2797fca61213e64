/** Reads a list: one page to await, or every object to iterate over. */
import { PagingError } from "./errors";
import { type ListOf, type Id } from "../api";

/** One page of a list. */
export interface Page<Entry> {
  /** The objects on this page. */
  readonly entries: Entry[];
  /** Number of entries on this page, as the service reports it; not a total. */
  readonly length: number;
  /** Cursor of the next page; null at the end. */
  readonly nextId: string | null;
}

export interface Received<T> {
  readonly value: T;
  /** Number of characters of the response. */
  readonly size: number;
}

/** Reads the page at a cursor. If there is no cursor, reads the page that the caller's query asks for. */
type ReadPage<Entry> = (cursor?: string) => Promise<Received<ListOf<Entry>>>;

/**
 * `await` it for one page, or use `for await` for every object from there on, once each. It sends no request before
 * that.
 */
export class PagePromise<Entry extends { readonly id: Id }>
  implements Promise<Page<Entry>>, AsyncIterable<Entry>
{
  readonly [Symbol.toStringTag] = "PagePromise";
  readonly #operation: string;
  readonly #read: ReadPage<Entry>;
  #page: Promise<Page<Entry>> | undefined;

  constructor(operation: string, read: ReadPage<Entry>) {
    this.#operation = operation;
    this.#read = read;
  }

  then<A = Page<Entry>, B = never>(
    onPage?: ((page: Page<Entry>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= this.#read().then(({ value }) => pageOf(value));
    return this.#page.then(onPage, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page<Entry> | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page<Entry>> {
    return this.then().finally(onEnd);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    const cursors = new Cursors(this.#operation);
    const seen = new Set<Id>();
    for (let cursor: string | undefined; ;) {
      const page = await this.#read(cursor);
      for (const entry of page.value.entries) {
        if (!seen.has(entry.id)) yield entry;
        seen.add(entry.id);
      }
      cursor = cursors.after(page);
      if (cursor === undefined) return;
    }
  }
}

/** Maps a missing, null or empty cursor to null: each of them means the end. */
function pageOf<Entry>({ entries, length, nextId }: ListOf<Entry>): Page<Entry> {
  return { entries, length: length ?? entries.length, nextId: nextId || null };
}

/** Protects the memory of callers that keep the whole list. */
const largestListMiB = 128;
/** Each page counts as at least this much, so that an endless list of small pages reaches the limit, too. */
const smallestPageKiB = 64;

/** Follows the cursors of one iteration. A faulty service could repeat them, or return new ones forever. */
class Cursors {
  readonly #seen = new Set<string>();
  #pages = 0;
  #entries = 0;
  #emptyInARow = 0;
  #kibibytes = 0;

  constructor(private readonly operation: string) {}

  /**
   * Returns the cursor of the page after this one; undefined at the end.
   *
   * @throws PagingError when the list doesn't end.
   */
  after({ value: { entries, nextId }, size }: Received<ListOf<unknown>>): string | undefined {
    this.#pages += 1;
    this.#entries += entries.length;
    this.#emptyInARow = entries.length === 0 ? this.#emptyInARow + 1 : 0;
    this.#kibibytes += Math.max(size / 1024, smallestPageKiB);
    if (!nextId) return undefined;
    if (this.#seen.has(nextId)) throw this.#endless("the service returned the same cursor twice");
    if (this.#emptyInARow === 2) {
      throw this.#endless("the service returned two empty pages in a row that were not the last");
    }
    if (this.#kibibytes >= largestListMiB * 1024) {
      throw this.#endless(
        `the list is larger than ${largestListMiB} MiB, where each page counts as ${smallestPageKiB} KiB or more`,
      );
    }
    this.#seen.add(nextId);
    return nextId;
  }

  #endless(why: string): PagingError {
    return new PagingError(
      `${this.operation}: ${why}. Stopped after ${this.#pages} pages with ${this.#entries} entries. ` +
        "Raise `limit` (maximum 100), or report this to the service.",
    );
  }
}
