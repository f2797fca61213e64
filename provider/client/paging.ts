/** Reads a list: one page to await, or every object to iterate over. */
import { type Id, type ListOf, type ListQuery, Mismatch, numberedPageSize } from "../api";
import { PagingError } from "./errors";

/** One page of a list. */
export interface Page<Entry> {
  /** The objects on this page. */
  readonly entries: Entry[];
  /** Number of entries on this page, as the service reports it; not a total. */
  readonly length: number;
  /** Cursor of the next page, or its number in a list of numbered pages; null at the end. */
  readonly nextId: string | null;
}

export interface Received<T> {
  readonly value: T;
  /** Number of characters of the response. */
  readonly size: number;
  /** Number of objects in the whole list, if the response says it. */
  readonly total?: number | undefined;
}

interface NumberedQuery {
  readonly limit: number;
  readonly page: number;
}

/** Finds the pages of a list, one after the other. */
export interface Cursor {
  /** Query of the next page; undefined at the end. */
  readonly next: ListQuery | NumberedQuery | undefined;
  /** Moves on from the page that `next` asked for. Returns why the list can't be read, if so. */
  advance(page: Received<ListOf<Identified>>): string | undefined;
}

interface Identified {
  readonly id?: Id | undefined;
}

interface List<Entry> {
  /** Name of the operation, for errors. */
  readonly operation: string;
  /** Returns a cursor at the first page. */
  readonly begin: () => Cursor;
  readonly read: (query: ListQuery | NumberedQuery) => Promise<Received<ListOf<Entry | Mismatch>>>;
  /** Called with an entry that doesn't match the API. May throw. */
  readonly onMismatch: (mismatch: Mismatch) => void;
}

/**
 * `await` it for one page, or use `for await` for every object from there on, once each. It sends no request before
 * that.
 */
export class PagePromise<Entry extends { readonly id: Id }>
  implements Promise<Page<Entry>>, AsyncIterable<Entry>
{
  readonly [Symbol.toStringTag] = "PagePromise";
  readonly #list: List<Entry>;
  #page: Promise<Page<Entry>> | undefined;

  constructor(list: List<Entry>) {
    this.#list = list;
  }

  then<A = Page<Entry>, B = never>(
    onPage?: ((page: Page<Entry>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= this.#readPage();
    return this.#page.then(onPage, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page<Entry> | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page<Entry>> {
    return this.then().finally(onEnd);
  }

  async #readPage(): Promise<Page<Entry>> {
    const cursor = this.#list.begin();
    const page = await this.#list.read(cursor.next ?? {});
    const { entries, length } = page.value;
    cursor.advance(page);
    const { next } = cursor;
    const nextId = next && ("page" in next ? "2" : next.nextId);
    return { entries: this.#matching(entries), length: length ?? entries.length, nextId: nextId ?? null };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    const { operation, begin, read } = this.#list;
    const cursor = begin();
    const bounds = new Bounds();
    const seen = new Set<Id | undefined>();
    for (let { next } = cursor; next;) {
      const page = await read(next);
      const entries = page.value.entries.filter(({ id }) => {
        const isNew = id === undefined || !seen.has(id);
        seen.add(id);
        return isNew;
      });
      yield* this.#matching(entries);
      const tooMuch = bounds.add(page);
      const why = cursor.advance(page);
      next = cursor.next;
      const problem = why ?? (next && tooMuch);
      if (problem !== undefined) {
        throw new PagingError(`${operation}: ${problem}. Stopped after ${bounds.text}. ${advice}`);
      }
    }
  }

  #matching(entries: readonly (Entry | Mismatch)[]): Entry[] {
    return entries.flatMap((entry) => {
      if (!(entry instanceof Mismatch)) return [entry];
      this.#list.onMismatch(entry);
      return [];
    });
  }
}

const advice = "Raise `limit` (maximum 100), or report this to the service.";

/** Protects the memory of callers that keep the whole list. */
const largestListMiB = 128;
/** Each page counts as at least this much, so that an endless list of small pages reaches the limit, too. */
const smallestPageKiB = 64;

/** Counts what one iteration reads. A faulty service could return pages forever. */
class Bounds {
  #pages = 0;
  #entries = 0;
  #kibibytes = 0;

  /** Returns why the iteration must stop unless this was the last page. */
  add({ value: { entries }, size }: Received<ListOf<unknown>>): string | undefined {
    this.#pages += 1;
    this.#entries += entries.length;
    this.#kibibytes += Math.max(size / 1024, smallestPageKiB);
    if (this.#kibibytes < largestListMiB * 1024) return undefined;
    return `the list is larger than ${largestListMiB} MiB, where each page counts as ${smallestPageKiB} KiB or more`;
  }

  get text(): string {
    return `${this.#pages} pages with ${this.#entries} entries`;
  }
}

/** Follows the opaque cursors that pages contain. A faulty service could repeat them. */
export class NextIds implements Cursor {
  readonly #seen = new Set<string>();
  #next: ListQuery | undefined;
  #emptyInARow = 0;

  constructor(query: ListQuery) {
    this.#next = query;
  }

  get next(): ListQuery | undefined {
    return this.#next;
  }

  advance({ value: { entries, nextId } }: Received<ListOf<unknown>>): string | undefined {
    this.#emptyInARow = entries.length === 0 ? this.#emptyInARow + 1 : 0;
    // A missing, null or empty cursor means the end.
    this.#next = nextId ? { ...this.#next, nextId } : undefined;
    if (!nextId) return undefined;
    if (this.#seen.has(nextId)) return "the service returned the same cursor twice";
    this.#seen.add(nextId);
    return this.#emptyInARow === 2
      ? "the service returned two empty pages in a row that were not the last"
      : undefined;
  }
}

const mostReadings = 3;

/**
 * Numbers the pages itself. An object that is made or deleted between two requests shifts all later pages, and no request would
 * return what moved from one page to the one before it. So each page begins before the end of the last one: if both have the same
 * objects there, none was missed. Otherwise, the list is read again.
 */
export class NumberedPages implements Cursor {
  #most: number;
  #next: NumberedQuery | undefined;
  /** Ids of this reading, in the order of the list, and without those that objects lack. */
  #ids: (Id | undefined)[] = [];
  #known = new Set<Id>();
  #readings = 1;

  constructor(query: Pick<ListQuery, "limit">) {
    const { limit = numberedPageSize } = query;
    this.#most = limit;
    this.#next = { ...query, limit, page: 1 };
  }

  get next(): NumberedQuery | undefined {
    return this.#next;
  }

  advance({ value: { entries }, total }: Received<ListOf<Identified>>): string | undefined {
    const { limit, page } = this.#next ?? { limit: 0, page: 1 };
    const ids = entries.map(({ id }) => id);
    const common = this.#ids.slice((page - 1) * limit);
    if (common.some((id, index) => id !== ids[index])) return this.#again("its pages don't overlap");
    for (const id of ids.slice(common.length)) {
      if (id !== undefined && this.#known.has(id)) return this.#again("it has an object twice");
      this.#ids.push(id);
      if (id !== undefined) this.#known.add(id);
    }
    const count = this.#ids.length;
    const isShort = ids.length < limit;
    // A service may allow fewer objects per page. Without a total, only a page without a new object is the end.
    const hasMore = isShort && ids.length > common.length && (total === undefined || total > count);
    if (isShort && !hasMore) {
      this.#next = undefined;
      if (total === undefined || total === count) return undefined;
      return this.#again(`it ends after ${count} objects, but the header content-range says ${total}`);
    }
    if (hasMore) this.#most = ids.length;
    this.#next = pageAcross(count, this.#most);
    return undefined;
  }

  #again(reason: string): string | undefined {
    if (this.#readings === mostReadings)
      return `the list kept changing while it was read ${mostReadings} times, or the service ignores \`page\`: ${reason}`;
    this.#readings += 1;
    this.#ids = [];
    this.#known = new Set();
    this.#next = { limit: this.#most, page: 1 };
    return undefined;
  }
}

/** Returns the page that begins before a position and reaches farthest behind it. @param most Its size, unless none of these does. */
function pageAcross(position: number, most: number): NumberedQuery {
  let best = { limit: 0, gain: 0 };
  for (let limit = 2; limit <= most || best.gain === 0; limit++) {
    const overlap = position % limit;
    if (overlap > 0 && limit - overlap >= best.gain) best = { limit, gain: limit - overlap };
  }
  return { limit: best.limit, page: Math.floor(position / best.limit) + 1 };
}
