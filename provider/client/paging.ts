/** The list of status pages: one page to await, or every status page to iterate over. */
import { setImmediate as aTurn } from "node:timers/promises";
import { PagingError } from "./errors";
import { type StatusPage, type StatusPageList } from "./schemas";

/** One page of the list of status pages (section 4.6). */
export interface Page {
  /** The status pages on this page. */
  readonly entries: StatusPage[];
  /** How many there are on this page, as the service says; not a total. */
  readonly length: number;
  /** Cursor of the next page; null at the end. */
  readonly nextId: string | null;
}

/** Reads the page at a cursor; without one, the page that the caller asked for. */
export type ReadPage = (
  cursor: string | undefined,
  signal: AbortSignal | undefined,
) => Promise<StatusPageList>;

const mostPages = 1_000;

/**
 * Await it for one page; `for await` over it for every status page from there on, once each. Nothing is requested
 * before either. Leaving the loop stops all requests.
 */
export class PagePromise implements Promise<Page>, AsyncIterable<StatusPage> {
  readonly [Symbol.toStringTag] = "PagePromise";
  readonly #read: ReadPage;
  readonly #prefetch: boolean;
  #page: Promise<Page> | undefined;

  constructor(read: ReadPage, prefetch: boolean) {
    this.#read = read;
    this.#prefetch = prefetch;
  }

  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= this.#read(undefined, undefined).then(pageOf);
    return this.#page.then(onPage, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.then().finally(onEnd);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StatusPage, void, undefined> {
    const leaving = new AbortController();
    const cursors = new Cursors();
    const seen = new Set<string>();
    try {
      let coming: Promise<StatusPageList> | undefined = this.#ask(undefined, leaving.signal);
      while (coming !== undefined) {
        const page = pageOf(await coming);
        const next = cursors.after(page);
        coming = typeof next === "string" && this.#prefetch ? this.#ask(next, leaving.signal) : undefined;
        // A caller that works without a pause would otherwise keep the request from leaving.
        if (coming) await aTurn();
        for (const entry of page.entries) {
          if (seen.has(entry.id)) continue;
          seen.add(entry.id);
          yield entry;
        }
        if (next instanceof PagingError) throw next;
        if (next !== undefined) coming ??= this.#ask(next, leaving.signal);
      }
    } finally {
      leaving.abort();
    }
  }

  #ask(cursor: string | undefined, signal: AbortSignal): Promise<StatusPageList> {
    const coming = this.#read(cursor, signal);
    // It may fail while the caller still works on the page before; it is awaited, and so reported, after that.
    coming.catch(() => undefined);
    return coming;
  }
}

/** A missing, null or empty cursor is the end. */
function pageOf({ entries, length, nextId }: StatusPageList): Page {
  return { entries, length: length ?? entries.length, nextId: nextId || null };
}

/** The cursors of one walk through the pages, which a faulty service could repeat or spin out for ever. */
class Cursors {
  readonly #seen = new Set<string>();
  #pages = 0;
  #entries = 0;
  #emptyInARow = 0;

  /** The cursor to go on with after this page; undefined at the end; an error when there would be no end. */
  after({ entries, nextId }: Page): string | undefined | PagingError {
    this.#pages += 1;
    this.#entries += entries.length;
    this.#emptyInARow = entries.length === 0 ? this.#emptyInARow + 1 : 0;
    if (nextId === null) return undefined;
    if (this.#seen.has(nextId)) return this.#endless("the service gave the same cursor twice");
    if (this.#emptyInARow === 2) {
      return this.#endless("the service gave two empty pages in a row that were not the last");
    }
    if (this.#pages === mostPages) return this.#endless(`there are more than ${mostPages} pages`);
    this.#seen.add(nextId);
    return nextId;
  }

  #endless(why: string): PagingError {
    return new PagingError(
      `listStatusPages: ${why}. Stopped after ${this.#pages} pages with ${this.#entries} entries. ` +
        "Set a larger limit if there is room, or report it to the service.",
    );
  }
}
