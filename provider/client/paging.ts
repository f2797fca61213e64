/** The list of status pages: one page to await, or every status page to iterate over. */
import { setImmediate as aTurn } from "node:timers/promises";
import { PagingError } from "./errors";
import { ResponseTooLargeError } from "./responseTooLarge";
import { type StatusPage, type StatusPageList, statusPagesPerPage } from "../api";

/** One page of the list of status pages (section 4.6). */
export interface Page {
  /** The status pages on this page. */
  readonly entries: StatusPage[];
  /** How many there are on this page, as the service says; not a total. */
  readonly length: number;
  /** Cursor of the next page; null at the end. */
  readonly nextId: string | null;
}

/** Which page to read. */
export interface PageRequest {
  /** Where it begins. Default: where the caller asked for. */
  readonly cursor?: string | undefined;
  /** How many status pages it has at most. Default: as many as the caller asked for. */
  readonly limit?: number | undefined;
  /** Fires when nobody wants it any longer. */
  readonly leaving?: AbortSignal;
}

/** Reads a page, for a caller that asked for so many status pages at a time. */
type ReadPage = (request: PageRequest) => Promise<StatusPageList>;

interface PagingOptions {
  /** How many status pages the caller asked for at a time. */
  readonly limit?: number | undefined;
  readonly prefetch?: boolean | undefined;
}

const mostPages = 1_000;

/**
 * Await it for one page; `for await` over it for every status page from there on, once each. Nothing is requested
 * before either. Leaving the loop stops all requests.
 */
export class PagePromise implements Promise<Page>, AsyncIterable<StatusPage> {
  readonly [Symbol.toStringTag] = "PagePromise";
  readonly #read: ReadPage;
  readonly #options: PagingOptions;
  #page: Promise<Page> | undefined;

  constructor(read: ReadPage, options: PagingOptions) {
    this.#read = read;
    this.#options = options;
  }

  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= this.#read({}).then(pageOf);
    return this.#page.then(onPage, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.then().finally(onEnd);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StatusPage, void, undefined> {
    const { prefetch = true } = this.#options;
    const leaving = new AbortController();
    const cursors = new Cursors();
    const seen = new Set<string>();
    const size = new PageSize(this.#options.limit);
    const ask = (cursor?: string): Promise<StatusPageList> => {
      const page = size.fit((limit) => this.#read({ cursor, limit, leaving: leaving.signal }));
      // It may fail while the caller still works on the page before; it is awaited, and so reported, after that.
      page.catch(() => undefined);
      return page;
    };
    try {
      let coming: Promise<StatusPageList> | undefined = ask();
      while (coming !== undefined) {
        const page = pageOf(await coming);
        const next = cursors.after(page, size.reduction);
        coming = typeof next === "string" && prefetch ? ask(next) : undefined;
        // A caller that works without a pause would otherwise keep the request from leaving.
        if (coming) await aTurn();
        for (const entry of page.entries) {
          if (seen.has(entry.id)) continue;
          seen.add(entry.id);
          yield entry;
        }
        if (next instanceof PagingError) throw next;
        if (next !== undefined) coming ??= ask(next);
      }
    } finally {
      leaving.abort();
    }
  }
}

/** How many status pages to ask for at a time: fewer, once a page was too large to be read. */
class PageSize {
  readonly #asked: number | undefined;
  #limit: number | undefined;

  constructor(asked: number | undefined) {
    this.#asked = asked;
    this.#limit = asked;
  }

  /** How many times as many pages the list has by now. */
  get reduction(): number {
    return Math.ceil((this.#asked ?? statusPagesPerPage.usual) / (this.#limit ?? statusPagesPerPage.usual));
  }

  async fit(read: (limit: number | undefined) => Promise<StatusPageList>): Promise<StatusPageList> {
    for (;;) {
      try {
        return await read(this.#limit);
      } catch (error) {
        if (!(error instanceof ResponseTooLargeError)) throw error;
        const limit = this.#limit ?? statusPagesPerPage.usual;
        if (limit === 1) throw error.ofOneStatusPage();
        this.#limit = Math.floor(limit / 2);
      }
    }
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

  /**
   * The cursor to go on with after this page; undefined at the end; an error when there would be no end.
   *
   * @param reduction how many times as many pages the list has, because they are smaller than asked for
   */
  after({ entries, nextId }: Page, reduction: number): string | undefined | PagingError {
    this.#pages += 1;
    this.#entries += entries.length;
    this.#emptyInARow = entries.length === 0 ? this.#emptyInARow + 1 : 0;
    if (nextId === null) return undefined;
    if (this.#seen.has(nextId)) return this.#endless("the service gave the same cursor twice");
    if (this.#emptyInARow === 2) {
      return this.#endless("the service gave two empty pages in a row that were not the last");
    }
    const most = mostPages * reduction;
    if (this.#pages >= most) return this.#endless(`there are more than ${most} pages`);
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
