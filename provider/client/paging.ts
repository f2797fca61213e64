/** The list of status pages: one page to await, or every status page to iterate over. */
import { z } from "zod";
import { PagingError } from "./errors";
import { ResponseTooLargeError } from "./responseTooLarge";
import { type StatusPage, type StatusPageList, statusPagesPerPage } from "../api";

/** One page of the list of status pages (operation `listStatusPages`). */
export interface Page {
  /** The status pages on this page. */
  readonly entries: StatusPage[];
  /** Number of entries on this page, as the service reports it; not a total. */
  readonly length: number;
  /** Cursor of the next page; null at the end. */
  readonly nextId: string | null;
}

export interface PageRequest {
  /** Default: the caller's `nextId`. */
  readonly cursor?: string | undefined;
  /** Most entries of the page. Default: the caller's `limit`. */
  readonly limit?: number | undefined;
  /** Fires when the loop ends. */
  readonly signal?: AbortSignal;
}

/** A response whose JSON is checked when its value is asked for. */
export interface Unchecked<T> {
  readonly json: unknown;
  check(): T;
}

type UncheckedPage = Unchecked<StatusPageList>;
type ReadPage = (request: PageRequest) => Promise<UncheckedPage>;

interface PagingOptions {
  readonly limit?: number | undefined;
  readonly prefetch?: boolean | undefined;
}

const mostPages = 1_000;

/**
 * `await` it for one page, or use `for await` for every status page from there on, once each. It sends no request before
 * that. Leaving the loop cancels its requests.
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
    this.#page ??= this.#read({}).then((page) => pageOf(page.check()));
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
    const loop = new AbortController();
    const cursors = new Cursors();
    const seen = new Set<string>();
    const size = new PageSize(this.#options.limit);
    const request = (cursor?: string): Promise<UncheckedPage> => {
      const page = size.fit((limit) => this.#read({ cursor, limit, signal: loop.signal }));
      // It may fail while the caller still works on the previous page; the loop reports the failure after that.
      page.catch(() => undefined);
      return page;
    };
    try {
      let upcoming: Promise<UncheckedPage> | undefined = request();
      while (upcoming !== undefined) {
        const page = await upcoming;
        const next = cursors.after(cursorFacts.parse(page.json), size.reduction);
        upcoming = typeof next === "string" && prefetch ? request(next) : undefined;
        // Otherwise the request is not sent while this page is checked, and while a caller works without a pause.
        if (upcoming) await nextTick();
        for (const entry of page.check().entries) {
          // By the size, because `has` before `add` would search twice.
          if (seen.size < seen.add(entry.id).size) yield entry;
        }
        if (next instanceof PagingError) throw next;
        if (next !== undefined) upcoming ??= request(next);
      }
    } finally {
      loop.abort();
    }
  }
}

/** How many entries to request at a time: fewer after a page was too large. */
class PageSize {
  readonly #requested: number | undefined;
  #limit: number | undefined;

  constructor(requested: number | undefined) {
    this.#requested = requested;
    this.#limit = requested;
  }

  /** By what factor the number of pages has grown. */
  get reduction(): number {
    return Math.ceil(
      (this.#requested ?? statusPagesPerPage.usual) / (this.#limit ?? statusPagesPerPage.usual),
    );
  }

  async fit<T>(read: (limit: number | undefined) => Promise<T>): Promise<T> {
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

/** Resolves when the requests of now are written to their connections. */
const nextTick = async (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** What decides on the next request, of a page that isn't checked yet. */
const cursorFacts = z
  .object({
    entries: z.custom<readonly unknown[]>(Array.isArray).catch([]),
    nextId: z.string().catch(""),
  })
  .catch({ entries: [], nextId: "" });

/** A missing, null or empty cursor is the end. */
function pageOf({ entries, length, nextId }: StatusPageList): Page {
  return { entries, length: length ?? entries.length, nextId: nextId || null };
}

/** The cursors of one iteration. A faulty service could repeat them, or return new ones for ever. */
class Cursors {
  readonly #seen = new Set<string>();
  #pages = 0;
  #entries = 0;
  #emptyInARow = 0;

  /**
   * The cursor of the page after this one; undefined at the end; an error when the list doesn't end.
   *
   * @param reduction by what factor the number of pages has grown, because they are smaller than requested
   */
  after(
    { entries, nextId }: z.output<typeof cursorFacts>,
    reduction: number,
  ): string | undefined | PagingError {
    this.#pages += 1;
    this.#entries += entries.length;
    this.#emptyInARow = entries.length === 0 ? this.#emptyInARow + 1 : 0;
    if (nextId === "") return undefined;
    if (this.#seen.has(nextId)) return this.#endless("the service returned the same cursor twice");
    if (this.#emptyInARow === 2) {
      return this.#endless("the service returned two empty pages in a row that were not the last");
    }
    const most = mostPages * reduction;
    if (this.#pages >= most) return this.#endless(`there are more than ${most} pages`);
    this.#seen.add(nextId);
    return nextId;
  }

  #endless(why: string): PagingError {
    return new PagingError(
      `listStatusPages: ${why}. Stopped after ${this.#pages} pages with ${this.#entries} entries. ` +
        "Raise `limit` (maximum 100), or report this to the service.",
    );
  }
}
