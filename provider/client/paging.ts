/** Reads a list. Await it for one page, or iterate over it for every object. */
import { type Id, type ListOf, type ListQuery, Mismatch, numberedPageSize } from "../api";
import { NotFoundError, PagingError } from "./errors";
import { formatCount } from "../texts";

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
  /** Number of objects in the whole list, if the response contains it. */
  readonly total?: number | undefined;
}

interface NumberedQuery {
  readonly limit: number;
  readonly page: number;
}

/**
 * Finds the pages of a list in order. Yields the query for each page, receives the page, and returns undefined at the end, or the reason
 * why the list can't be read.
 */
export type Cursor = Generator<ListQuery | NumberedQuery, string | undefined, Received<ListOf<Identified>>>;

interface Identified {
  readonly id?: Id | undefined;
  readonly updated_at?: string | null | undefined;
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

/** `await` it for one page, or use `for await` for every object from that page, once each. It sends no request before that. */
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
    // A cursor always yields a first query.
    const { value: first } = cursor.next();
    const page = await this.#list.read(typeof first === "object" ? first : {});
    const { entries, length } = page.value;
    const { value: next } = cursor.next(page);
    const { total = Infinity } = page;
    const second = total <= entries.length ? null : "2";
    const nextId = typeof next === "object" ? ("page" in next ? second : next.nextId) : null;
    return { entries: this.#matching(entries), length: length ?? entries.length, nextId: nextId ?? null };
  }

  /**
   * Reads the whole list. If the list spans several pages, repeats this until two readings are equal, because objects move to another page
   * when the list changes, or when another server returns it.
   *
   * @internal
   */
  async settled(): Promise<Entry[]> {
    let before: string | undefined;
    for (let reading = 1; reading <= maxReadings; reading++) {
      let requests = 0;
      const read: List<Entry>["read"] = (query) => this.#list.read(query).finally(() => (requests += 1));
      const entries = new Map<Id, Entry>();
      for await (const entry of new PagePromise({ ...this.#list, read })) entries.set(entry.id, entry);
      const found = [...entries.values()];
      const versions = computeVersions(found);
      if (requests === 1 || versions === before) return found;
      before = versions;
    }
    throw new PagingError(`${this.#list.operation}: ${keptChanging}. Try again later.`);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    const { operation, begin, read } = this.#list;
    const cursor = begin();
    const seen = new Set<Id>();
    const asked = new Set<object>();
    let [pages, count, kibibytes] = [0, 0, 0];
    let next = cursor.next().value;
    while (typeof next === "object") {
      // A faulty service could return pages forever.
      if (kibibytes >= largestListMiB * 1024) {
        next = tooLarge;
        break;
      }
      const page = await read(next).catch((error: unknown) => {
        // A 404 for the first page means that the list doesn't exist, so the error is thrown. For a later page, it means that the page has
        // gone.
        if (pages > 0 && error instanceof NotFoundError) return undefined;
        throw error;
      });
      if (!page) {
        next = "the next page was not found (HTTP 404)";
        break;
      }
      const { entries } = page.value;
      // A page that is read again only shows whether it has changed.
      const isAgain = asked.has(next);
      asked.add(next);
      const unseen = entries.filter((entry) => {
        const { id } = entry;
        if (isAgain || id === undefined) return !isAgain;
        if (seen.has(id)) return false;
        seen.add(id);
        return true;
      });
      yield* this.#matching(unseen);
      pages += 1;
      count += entries.length;
      kibibytes += Math.max(page.size / 1024, smallestPageKiB);
      next = cursor.next(page).value;
    }
    if (typeof next === "string")
      throw new PagingError(
        `${operation}: ${next}. Stopped after ${formatCount(pages, "page")} with ${formatCount(count, "object")}. ${advice}`,
      );
  }

  #matching(entries: readonly (Entry | Mismatch)[]): Entry[] {
    return entries.flatMap((entry) => {
      if (!(entry instanceof Mismatch)) return [entry];
      this.#list.onMismatch(entry);
      return [];
    });
  }
}

const advice = "Raise `limit` (maximum 100), or report this to the operator of the service.";

/** Protects the memory of callers that keep the whole list. */
const largestListMiB = 128;
/** A smaller page is treated as this large, so that an endless list of small pages also reaches the limit. */
const smallestPageKiB = 64;
const tooLarge = `the list is larger than ${largestListMiB} MiB (a page smaller than ${smallestPageKiB} KiB is treated as ${smallestPageKiB} KiB)`;

/** Follows the opaque cursors that pages contain. A faulty service could repeat them. */
export function* followCursors(query: ListQuery): Cursor {
  const seen = new Set<string>();
  let wasEmpty = false;
  let [count, most] = [0, 0];
  for (let next = query; ;) {
    const { entries, length, nextId } = (yield next).value;
    count += entries.length;
    most = Math.max(most, length ?? 0);
    // A missing, null or empty cursor means the end. The length may refer to the whole list or to one page.
    if (!nextId && (count >= most || query.nextId !== undefined)) return undefined;
    if (!nextId)
      return `the list ended after ${formatCount(count, "object")}, but the service reported a length of ${most}`;
    if (seen.has(nextId)) return "the service returned the same cursor twice";
    seen.add(nextId);
    const isEmpty = entries.length === 0;
    if (isEmpty && wasEmpty) return "the service returned two empty pages in a row that were not the last";
    wasEmpty = isEmpty;
    next = { ...query, nextId };
  }
}

const maxReadings = 3;
const keptChanging = `the list changed during each of ${maxReadings} attempts to read it`;

/**
 * Numbers the pages itself. An object that is created or deleted between two requests shifts all later pages, so that the objects that move
 * to the previous page would be missed. Therefore each page starts before the end of the last one. If both contain the same objects there,
 * none was missed. An edited object may move to the start, so the first page is read again at the end. If anything differs, the list is
 * read again.
 */
export function* readNumberedPages(query: Pick<ListQuery, "limit">): Cursor {
  let problem: string | undefined;
  for (let reading = 1; reading <= maxReadings; reading++) {
    problem = yield* readNumbered(query);
    if (problem === undefined) return undefined;
  }
  return `${keptChanging}, or the service ignores \`page\` or \`limit\`: ${problem}`;
}

/** Reads the list once. Returns the reason if it has to be read again. */
function* readNumbered(query: Pick<ListQuery, "limit">): Cursor {
  const { limit = numberedPageSize } = query;
  const first: NumberedQuery = { ...query, limit, page: 1 };
  const ids: (Id | undefined)[] = [];
  const known = new Set<Id | undefined>();
  let { value, total } = yield first;
  const start = listIds(value);
  // A service may allow fewer objects per page and report their number as the total, so only a page without a new object is the end.
  const most = Math.min(limit, start.length);
  for (let added = start; added.length > 0;) {
    for (const id of added) {
      if (known.has(id)) return "the same object appeared twice";
      ids.push(id);
      if (id !== undefined) known.add(id);
    }
    const next = findOverlappingPage(ids.length, most);
    ({ value, total = total } = yield next);
    const read = listIds(value);
    const common = ids.slice((next.page - 1) * next.limit);
    if (!isSameOrder(common, read.slice(0, common.length))) return "consecutive pages don't overlap";
    added = read.slice(common.length);
    // The service may have cut a larger page.
    if (added.length === 0 && next.limit > most) {
      const behind = yield { ...query, limit: most, page: ids.length / most + 1 };
      if (behind.value.entries.length > 0) return "pages have different sizes";
    }
  }
  if (total !== undefined && total > ids.length)
    return `the list ended after ${formatCount(ids.length, "object")}, but the header content-range contains the total ${total}`;
  if (ids.length === 0) return undefined;
  const again = listIds((yield first).value);
  return isSameOrder(start, again) ? undefined : "the first page changed";
}

/**
 * The fields that reveal a change. The IDs aren't enough, because they can be the same after as many objects as fit on a page have changed.
 */
const versionFields = ["id", "updated_at", "incidents", "lastUpdateStatus", "parentId"];

/** Sorts the entries, because the service may not define their order. */
const computeVersions = (entries: readonly object[]): string =>
  JSON.stringify(entries.map((entry) => JSON.stringify(entry, versionFields)).sort());

const listIds = ({ entries }: ListOf<Identified>) => entries.map(({ id }) => id);

function isSameOrder(start: readonly unknown[], again: readonly unknown[]): boolean {
  return JSON.stringify(start) === JSON.stringify(again);
}

/**
 * Returns the page that starts before a position and reaches farthest beyond it.
 * @param most Largest size of the page. It may be larger if none of these sizes fits.
 */
function findOverlappingPage(position: number, most: number): NumberedQuery {
  // The first page is read again anyway, and a larger one might be the same.
  if (position === most && most <= 2) return { limit: most, page: 2 };
  let best = { limit: 0, gain: 0 };
  for (let limit = 2; limit <= most || best.gain === 0; limit++) {
    const overlap = position % limit;
    if (overlap > 0 && limit - overlap >= best.gain) best = { limit, gain: limit - overlap };
  }
  return { limit: best.limit, page: Math.floor(position / best.limit) + 1 };
}
