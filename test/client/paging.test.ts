/** A list is read whole, with cursors or numbered pages. Every object that exists throughout is returned once, or the iteration fails. */
import { PagingError } from "../../provider/client";
import { followCursors, readNumberedPages, PagePromise } from "../../provider/client/paging";
import { formatCount } from "../../provider/texts";
import { fc, runs } from "../propertySeed";
import { createClient, catchError, notFound, send, serve, type Service } from "./services";

const page = (id: number | string) => ({ id: String(id), name: `Page ${id}` });

interface Listed {
  entries: unknown[];
  nextId?: string | number | null;
  length?: number;
}

/** Serves a list whose pages are found by their cursors. The first page has the cursor "". */
async function serveList(pages: Record<string, Listed>): Promise<Service> {
  return serve((response, { url }) => {
    const cursor = new URL(url, "http://a").searchParams.get("nextId") ?? "";
    send(response, pages[cursor] ?? notFound, pages[cursor] ? 200 : 404);
  });
}

const three = {
  "": { entries: [page(1), page(2)], length: 2, nextId: "b" },
  b: { entries: [page(3)], length: 1, nextId: "c" },
  c: { entries: [page(4)], length: 1, nextId: null },
};

async function listIds<Id>(list: AsyncIterable<{ id: Id }>, into: Id[] = []): Promise<Id[]> {
  for await (const { id } of list) into.push(id);
  return into;
}

test("awaiting a list reads one page with one request, however often it is awaited, and nothing is requested before", async () => {
  const service = await serveList(three);
  const promise = createClient(service).client.listStatusPages();
  expect(service.requests).toEqual([]);
  const ends: string[] = [];
  expect(await promise).toBe(await promise);
  expect(Object.prototype.toString.call(promise)).toBe("[object PagePromise]");
  await promise.catch(() => ends.push("caught")).finally(() => ends.push("finally"));
  await promise.finally(() => ends.push("finally"));
  expect(ends).toEqual(["finally", "finally"]);
  await expect(promise).resolves.toEqual(three[""]);
  expect(service.requests).toHaveLength(1);
});

// The end of a list is shown as null. A numeric cursor is converted to a string, because the caller passes it back.
test.each<[nextId: string | number | null | undefined, shown: string | null]>([
  ...[undefined, null, ""].map((end): [string | null | undefined, null] => [end, null]),
  [2, "2"],
])("a cursor that is %j is shown as %j", async (nextId, shown) => {
  const { client } = createClient(await serveList({ "": { entries: [page(1)], nextId } }));
  await expect(client.listStatusPages()).resolves.toEqual({ entries: [page(1)], length: 1, nextId: shown });
});

describe("iteration over a list", () => {
  // A cursor is a value in the query, so its format doesn't matter.
  const odd = "https://evil.example/v1?a=b#c&nextId=../..\r\nX-Odd: 1";
  const like = { "": { entries: [page(1)], nextId: odd }, [odd]: { entries: [page(2)], nextId: null } };
  const twice = { "": { entries: [page(1), page(2)], nextId: "b" }, b: { entries: [page(2), page(3)] } };
  const sparse = {
    ...{ "": { entries: [], nextId: "b" }, b: { entries: [page(1)], nextId: "c" } },
    ...{ c: { entries: [], nextId: "d" }, d: { entries: [page(2)] } },
  };
  test.each<[what: string, pages: Record<string, Listed>, ids: string]>([
    ["returns every status page of every page, in the service's order", three, "1 2 3 4"],
    ["continues after a cursor that looks like a URL", like, "1 2"],
    ["returns a status page once, although two pages contain it", twice, "1 2 3"],
    ["continues after empty pages that don't follow one another", sparse, "1 2"],
  ])("an iteration over a list %s", async (_, pages, ids) => {
    const { client, events } = createClient(await serveList(pages));
    expect((await listIds(client.listStatusPages())).join(" ")).toBe(ids);
    expect(events.map(({ operation, path }) => [operation, path])).toEqual(
      Object.keys(pages).map(() => ["listStatusPages", "/v1/status-pages"]),
    );
  });

  test("an iteration from a cursor uses the same limit throughout, even if the caller's object changes", async () => {
    const service = await serveList(three);
    const query = { limit: 2, nextId: "b" };
    const ids: string[] = [];
    for await (const { id } of createClient(service).client.listStatusPages(query)) {
      query.limit = 50;
      ids.push(id);
    }
    expect(ids).toEqual(["3", "4"]);
    const urls = service.requests.map(({ url }) => url);
    expect(urls).toEqual(["b", "c"].map((cursor) => `/v1/status-pages?limit=2&nextId=${cursor}`));
  });

  test("each iteration over a list is complete, even the second one or one after await", async () => {
    const list = createClient(await serveList(three)).client.listStatusPages();
    await list;
    for (let turn = 0; turn < 2; turn++) await expect(listIds(list)).resolves.toEqual(["1", "2", "3", "4"]);
  });
});

test("the next page is requested once the caller has finished the current one, and never after the caller has left", async () => {
  const service = await serveList(three);
  const requested: number[] = [];
  for await (const { id } of createClient(service).client.listStatusPages()) {
    requested.push(service.requests.length);
    if (id === "3") break;
  }
  expect(requested).toEqual([1, 1, 2]);
  expect(service.requests).toHaveLength(2);
});

/** A page of an endless list. @param size The page's length in characters. */
type Endless = (turn: number) => { entries: { id: string }[]; nextId: string; size?: number };
const endless: Endless = (turn) => ({ entries: [page(turn)], nextId: String(turn) });
const repeated: Endless = (turn) => ({ ...endless(turn), nextId: "again" });
const large: Endless = (turn) => ({ ...endless(turn), size: 30 * 1024 * 1024 });
const twoEmpty: Endless = (turn) => ({ ...endless(turn), ...(turn > 1 && { entries: [] }) });

const tooLarge = "the list is larger than 128 MiB (a page smaller than 64 KiB is treated as 64 KiB)";

test.each<[what: string, Endless, reason: string, pages: number, entries?: number]>([
  ["that repeats a cursor", repeated, "the service returned the same cursor twice", 2],
  ["with empty pages", twoEmpty, "two empty pages in a row that were not the last", 3, 1],
  ["of large pages", large, tooLarge, 5],
  ["of small pages", endless, tooLarge, 2_048],
])(
  "an endless list, %s, is stopped after its entries",
  async (_, createPage, reason, pages, entries = pages) => {
    let turn = 0;
    const list = new PagePromise<{ id: string }>({
      operation: "listStatusPages",
      begin: () => followCursors({}),
      read: () => {
        const { size = 1, ...value } = createPage((turn += 1));
        return Promise.resolve({ value, size });
      },
      onMismatch: () => undefined,
    });
    const ids: string[] = [];
    const error = await catchError(listIds(list, ids));
    expect(error).toBeInstanceOf(PagingError);
    expect(error.message).toContain(
      `${reason}. Stopped after ${formatCount(pages, "page")} with ${formatCount(entries, "object")}. Raise \`limit\` (maximum 100), or report this to the operator of the service.`,
    );
    expect(ids).toEqual(Array.from({ length: entries }, (_, index) => String(index + 1)));
    expect(turn).toBe(pages);
  },
);

/** Returns a list of two pages. The entries of the first page depend on the reading. */
function twoPages(getEntries: (reading: number) => { readonly id: string }[]) {
  let requests = 0;
  const list = new PagePromise<{ readonly id: string }>({
    operation: "listComponents",
    begin: () => followCursors({}),
    read: () => {
      requests += 1;
      const [isFirst, reading] = [requests % 2 === 1, Math.ceil(requests / 2)];
      const value = isFirst ? { entries: getEntries(reading), nextId: "b" } : { entries: [page(9)] };
      return Promise.resolve({ value, size: 1 });
    },
    onMismatch: () => undefined,
  });
  return { list, countRequests: () => requests };
}

const onceOther = (reading: number) => Math.min(reading, 2);
test.each<[what: string, getEntries: (reading: number) => { id: string }[], ids: string, requests: number]>([
  ["doesn't change", () => [page(1)], "1 9", 4],
  ["has a new order", (reading) => (reading > 1 ? [page(2), page(1)] : [page(1), page(2)]), "2 1 9", 4],
  ["has a new name, which isn't compared", (reading) => [{ ...page(1), name: `${reading}` }], "1 9", 4],
  ["has a new ID", (reading) => [page(onceOther(reading))], "2 9", 6],
  ...["updated_at", "lastUpdateStatus", "parentId", "incidents"].map(
    (field): [string, (reading: number) => { id: string }[], string, number] => [
      `has a new ${field}`,
      (reading) => [{ id: "1", [field]: String(onceOther(reading)) }],
      ...(["1 9", 6] as const),
    ],
  ),
])(
  "a list of several pages is read until two readings are equal: it %s",
  async (_, getEntries, ids, requests) => {
    const { list, countRequests } = twoPages(getEntries);
    expect((await list.settled()).map(({ id }) => id).join(" ")).toBe(ids);
    expect(countRequests()).toBe(requests);
  },
);

test("a list of one page is read once, and a list that keeps changing causes an error", async () => {
  const service = await serveList({ "": { entries: [page(1)] } });
  await expect(createClient(service).client.listStatusPages().settled()).resolves.toEqual([page(1)]);
  expect(service.requests).toHaveLength(1);
  const { list, countRequests } = twoPages((reading) => [page(reading)]);
  const { message } = await catchError(list.settled());
  expect(message).toBe(
    "listComponents: the list changed during each of 3 attempts to read it. Try again later.",
  );
  expect(countRequests()).toBe(6);
});

const stopped = "Stopped after 1 page with 1 object.";
test.each<[what: string, pages: Record<string, Listed>, outcome: string, nextId?: string]>([
  [
    "whose next page is missing is an error",
    { "": { entries: [page(1)], nextId: "b" } },
    `the next page was not found (HTTP 404). ${stopped}`,
  ],
  ["that doesn't exist is an error", {}, "listStatusPages: not found (HTTP 404)"],
  [
    "that is shorter than its length is an error",
    { "": { entries: [page(1)], length: 5 } },
    `the list ended after 1 object, but the service reported a length of 5. ${stopped}`,
  ],
  ["that is as long as its length is complete", { "": { entries: [page(1)], length: 1 } }, "complete: 1"],
  [
    "that is read from a cursor may have a larger length",
    { b: { entries: [page(3)], length: 5 } },
    "complete: 3",
    "b",
  ],
])("a list %s", async (_, pages, outcome, nextId = "") => {
  const { client } = createClient(await serveList(pages));
  const list = client.listStatusPages(nextId === "" ? {} : { nextId });
  const read = listIds(list).then((ids) => `complete: ${ids.join()}`, String);
  expect(await read).toContain(outcome);
});

test("an error of a later page is the error of the list", async () => {
  const problem = new Error("no connection");
  let requests = 0;
  const list = new PagePromise<{ id: string }>({
    operation: "listStatusPages",
    begin: () => followCursors({}),
    read: () =>
      (requests += 1) > 1
        ? Promise.reject(problem)
        : Promise.resolve({ value: { entries: [page(1)], nextId: "b" }, size: 1 }),
    onMismatch: () => undefined,
  });
  await expect(listIds(list)).rejects.toBe(problem);
});

const channel = (id: number) => ({ id, type: "EMAIL", config: { address: `a${id}@acme.io` } });
const channels = (count: number) => Array.from({ length: count }, (_, index) => channel(index + 1));

interface Page {
  readonly limit: number;
  readonly page: number;
}

/** Starts a service that lists channels. @param formatRange Returns the header `content-range`, if it is sent. */
async function listing(
  getEntries: (page: Page, turn: number) => unknown[],
  formatRange: (page: Page) => string | undefined = () => undefined,
) {
  const service = await serve((response, { url }, turn) => {
    const query = new URL(url, "http://a").searchParams;
    const page = { limit: Number(query.get("limit")), page: Number(query.get("page")) };
    const range = formatRange(page);
    if (range !== undefined) response.setHeader("content-range", range);
    send(response, getEntries(page, turn));
  });
  const pages = () => service.requests.map(({ url }) => url.replace("/v1/alert-channels?", ""));
  return { client: createClient(service).client, pages };
}

const slice = (all: readonly unknown[], { limit, page }: Page) => all.slice((page - 1) * limit, page * limit);

test.each([
  [0, 100, 100, 1],
  [100, 100, 100, 3],
  [1_000, 100, 100, 13],
  [23, undefined, 100, 5],
  [6, 2, 100, 6],
  [6, 100, 2, 7],
])(
  "%i channels in pages of %s, limited to %i by the service, need %i requests",
  async (count, limit, maxPerPage, requests) => {
    const all = channels(count);
    const { client, pages } = await listing(
      (page) => slice(all, page).slice(0, maxPerPage),
      () => `0-9/${count}`,
    );
    expect(await listIds(client.listAlertChannels({ limit }))).toEqual(all.map(({ id }) => id));
    expect(pages()).toHaveLength(requests);
  },
);

test("awaiting a list of channels returns the first page and whether there are more", async () => {
  const { client } = await listing(
    (page) => slice(channels(12), page),
    () => "0-9/12",
  );
  expect(await client.listAlertChannels()).toEqual({ entries: channels(10), length: 10, nextId: "2" });
  expect(await client.listAlertChannels({ limit: 50 })).toMatchObject({ length: 12, nextId: null });
});

/**
 * A change of the object at a position in the list, as a fraction. An edit moves the object to the start, as in a list sorted by change.
 */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom("insert", "delete", "edit"),
});

/** The total in the header content-range. */
const totals = fc.constantFrom("none", "all", "page");

/** The changes that happen before each request. */
const changes = fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 });

test("channels are listed once, even if channels are created, edited and deleted between pages of any size", async () => {
  const property = fc.asyncProperty(
    fc.nat(60),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 20 }),
    changes,
    totals,
    async (count, limit, maxPerPage, changesByRequest, totalKind) => {
      let ids = channels(count).map(({ id }) => id);
      const throughout = new Set(ids);
      let made = count;
      let requests = 0;
      const apply = ({ at, kind }: { at: number; kind: string }) => {
        const index = Math.floor(at * ids.length);
        const [id] = ids.slice(index);
        if (kind === "insert") ids.splice(index, 0, (made += 1));
        else if (id !== undefined) ids = ids.toSpliced(index, 1);
        if (kind === "edit" && id !== undefined) ids.unshift(id);
        if (kind === "delete" && id !== undefined) throughout.delete(id);
      };
      const list = new PagePromise<{ id: number }>({
        operation: "listAlertChannels",
        begin: () => readNumberedPages({ limit }),
        read: (query) => {
          if (!("page" in query)) throw new Error("a page without a number");
          if (requests > 0) changesByRequest[requests - 1]?.forEach(apply);
          requests += 1;
          const most = { limit: Math.min(query.limit, maxPerPage), page: query.page };
          const entries = slice(ids, most).map((id) => ({ id: Number(id) }));
          const total = { none: undefined, all: ids.length, page: entries.length }[totalKind];
          return Promise.resolve({ value: { entries }, size: 1, total });
        },
        onMismatch: () => undefined,
      });
      const read = await listIds(list).catch((error: unknown) => {
        expect(error).toBeInstanceOf(PagingError);
        return undefined;
      });
      if (read === undefined) return;
      expect(new Set(read).size).toBe(read.length);
      expect([...throughout].filter((id) => !read.includes(id))).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: runs(250) });
});

const changing =
  "the list changed during each of 3 attempts to read it, or the service ignores `page` or `limit`: ";
const apart = `${changing}consecutive pages don't overlap`;
const wrongTotal = `${changing}the list ended after 230 objects, but the header content-range contains the total `;
const edited = `${changing}the first page changed`;
const all = channels(230);
const twice = [...channels(5), { ...channel(2), sendFailure: false }];
const ofAll = (page: Page) => slice(all, page);

test.each<
  [
    what: string,
    getEntries: (page: Page, turn: number) => unknown[],
    string,
    requests: number,
    total?: number,
  ]
>([
  ["keeps changing", (page, turn) => slice(all.slice(turn), page), apart, 6],
  ["returns its first page for each page", () => channels(100), apart, 6],
  [
    "has a channel twice: the two may differ",
    (page) => slice(twice, page),
    `${changing}the same object appeared twice`,
    3,
  ],
  ["has fewer than its total", ofAll, wrongTotal, 12, 250],
  [
    "misses one where two pages overlap",
    (page, turn) => slice(turn % 3 > 0 ? all : all.toSpliced(197, 1), page),
    apart,
    9,
  ],
  [
    "cuts larger pages",
    (page) => slice(all.slice(0, 8), page).slice(0, 2),
    `${changing}pages have different sizes`,
    18,
  ],
  [
    "is sorted by change, and edited at its end",
    (page, turn) => slice(turn % 5 > 0 ? all : all.toReversed(), page),
    edited,
    15,
  ],
])(
  "a list that %s causes an error after three readings",
  async (_, getEntries, reason, requests, ...[total]) => {
    const range = total === undefined ? undefined : `0-99/${total}`;
    const { client, pages } = await listing(getEntries, () => range);
    const { message } = await catchError(listIds(client.listAlertChannels({ limit: 100 })));
    expect(message.startsWith(`listAlertChannels: ${reason}`)).toBe(true);
    expect(pages()).toHaveLength(requests);
  },
);

test("a list sorted by the last change is complete once it contains all objects, regardless of changes during the reads", async () => {
  const property = fc.asyncProperty(
    ...[fc.nat(30), fc.integer({ min: 1, max: 10 }), fc.boolean()],
    fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }), { maxLength: 8 }),
    async (count, limit, areObjects, changesByRequest) => {
      let time = 0;
      const changed = (id: number) => ({ id, updated_at: String((time += 1)) });
      let all = Array.from({ length: count }, (_, index) => changed(index));
      let requests = 0;
      const apply = (at: number) => {
        const index = Math.floor(at * (all.length + 1));
        const [moved] = all.slice(index);
        all = [changed(moved?.id ?? all.length), ...all.toSpliced(index, 1)];
      };
      const list = new PagePromise<{ readonly id: number }>({
        operation: "listComponentPageIncidents",
        begin: () => followCursors({ limit }),
        read: (query) => {
          const nextId = "nextId" in query ? query.nextId : "";
          if (requests > 0) changesByRequest[requests - 1]?.forEach(apply);
          requests += 1;
          const start = areObjects ? all.findIndex(({ id }) => `${id}` === nextId) : Number(nextId);
          const entries = all.slice(Math.max(start, 0)).slice(0, limit);
          const end = Math.max(start, 0) + limit;
          const next = areObjects ? String(all[end]?.id) : String(end);
          return Promise.resolve({ value: { entries, nextId: end < all.length ? next : null }, size: 1 });
        },
        onMismatch: () => undefined,
      });
      try {
        const found = new Set((await list.settled()).map(({ id }) => id));
        expect(all.filter(({ id }) => id < count && !found.has(id))).toEqual([]);
      } catch (error) {
        expect(error).toBeInstanceOf(PagingError);
      }
    },
  );
  await fc.assert(property, { numRuns: runs(250) });
});

test("an entry that doesn't match the API causes an error that names it, unless the caller handles it, and hides no other entry", async () => {
  const odd = [channel(1), { id: 2, type: "EMAIL" }, "odd", "odd", channel(3)];
  const { client } = await listing((page) => slice(odd, page));
  const { message } = await catchError(listIds(client.listAlertChannels()));
  expect(message).toContain("these fields of the response don't match the API: config of entry 2.");
  const mismatches: unknown[] = [];
  const onMismatch = (mismatch: unknown) => mismatches.push(mismatch);
  expect(await listIds(client.listAlertChannels({}, { onMismatch }))).toEqual([1, 3]);
  expect(mismatches).toEqual([
    { id: 2, fields: ["config"] },
    { id: undefined, fields: ["all of it"] },
    { id: undefined, fields: ["all of it"] },
  ]);
});

test("a service without the list causes an error with a remedy", async () => {
  const service = await serve((response) => send(response, { ...notFound, message: "Not Found" }, 404));
  const { name, message } = await catchError(createClient(service).client.listAlertChannels());
  expect([name, message]).toEqual([
    "NotFoundError",
    'listAlertChannels: not found (HTTP 404): "Not Found". This service doesn\'t list alert channels (GET ' +
      "/v1/alert-channels). Add their IDs under `channels` in a rule file or to the setting alertChannels. If the service does list " +
      "channels, check the base URL.",
  ]);
});
