/** A list with numbered pages: every object that exists throughout is returned once, or the iteration fails. */
import { PagingError } from "../../provider/client";
import { numberedPages, PagePromise } from "../../provider/client/paging";
import { fc, runs } from "../propertySeed";
import { clientOf, failureOf, send, serve } from "./services";

const channel = (id: number) => ({ id, type: "EMAIL", config: { address: `a${id}@acme.io` } });
const channels = (count: number) => Array.from({ length: count }, (_, index) => channel(index + 1));

interface Page {
  readonly limit: number;
  readonly page: number;
}

/** A service that lists channels. @param rangeOf The header `content-range`, or none. */
async function listing(
  entriesOf: (page: Page, turn: number) => unknown[],
  rangeOf: (page: Page) => string | undefined = () => undefined,
) {
  const service = await serve((response, { url }, turn) => {
    const query = new URL(url, "http://a").searchParams;
    const page = { limit: Number(query.get("limit")), page: Number(query.get("page")) };
    const range = rangeOf(page);
    if (range !== undefined) response.setHeader("content-range", range);
    send(response, entriesOf(page, turn));
  });
  const pages = () => service.requests.map(({ url }) => url.replace("/v1/alert-channels?", ""));
  return { client: clientOf(service).client, pages };
}

const slice = (all: readonly unknown[], { limit, page }: Page) => all.slice((page - 1) * limit, page * limit);

async function idsOf(list: AsyncIterable<{ id: number }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

test.each([
  [0, 100, 1],
  [100, 100, 3],
  [230, 100, 5],
  [1_000, 100, 13],
  [23, undefined, 5],
  [7, 1, 9],
])("%i channels by pages of %s take %i requests", async (count, limit, requests) => {
  const all = channels(count);
  const { client, pages } = await listing(
    (page) => slice(all, page),
    () => `0-9/${count}`,
  );
  expect(await idsOf(client.listAlertChannels({ limit }))).toEqual(all.map(({ id }) => id));
  expect(pages()).toHaveLength(requests);
});

test("awaited, it is the first page, with whether there are more", async () => {
  const { client } = await listing(
    (page) => slice(channels(12), page),
    () => "0-9/12",
  );
  expect(await client.listAlertChannels()).toEqual({ entries: channels(10), length: 10, nextId: "2" });
  expect(await client.listAlertChannels({ limit: 50 })).toMatchObject({ length: 12, nextId: null });
});

/** A change of the object at a position in the list, as a fraction. An edit moves it to the start, as in a list sorted by change. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom("insert", "delete", "edit"),
});

/** What the header content-range says. */
const totals = fc.constantFrom("none", "all", "page");

/** The changes before each request. */
const changes = fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 });

test("whatever is made, deleted and edited between two pages, and however few a page may have", async () => {
  const property = fc.asyncProperty(
    fc.nat(60),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 20 }),
    changes,
    totals,
    async (count, limit, mostPerPage, changesOf, totalOf) => {
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
        begin: () => numberedPages({ limit }),
        read: (query) => {
          if (!("page" in query)) throw new Error("a page without a number");
          if (requests > 0) changesOf[requests - 1]?.forEach(apply);
          requests += 1;
          const most = { limit: Math.min(query.limit, mostPerPage), page: query.page };
          const entries = slice(ids, most).map((id) => ({ id: Number(id) }));
          const total = { none: undefined, all: ids.length, page: entries.length }[totalOf];
          return Promise.resolve({ value: { entries }, size: 1, total });
        },
        onMismatch: () => undefined,
      });
      const read = await idsOf(list).catch((error: unknown) => {
        expect(error).toBeInstanceOf(PagingError);
        return undefined;
      });
      if (read === undefined) return;
      expect(new Set(read).size).toBe(read.length);
      expect([...throughout].filter((id) => !read.includes(id))).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: runs(1_000) });
});

const changing =
  "the list kept changing while it was read 3 times, or the service ignores `page` or `limit`: ";
const apart = `${changing}its pages don't overlap`;
const wrongTotal = `${changing}it ends after 230 objects, but the header content-range says `;
const edited = `${changing}its first page has changed`;
const all = channels(230);
const twice = [...channels(5), { ...channel(2), sendFailure: false }];
const ofAll = (page: Page) => slice(all, page);

test.each<
  [what: string, entriesOf: (page: Page, turn: number) => unknown[], string, requests: number, total?: number]
>([
  ["keeps changing", (page, turn) => slice(all.slice(turn), page), apart, 6],
  ["returns its first page for each page", () => channels(100), apart, 6],
  [
    "has a channel twice: the two may differ",
    (page) => slice(twice, page),
    `${changing}it has an object twice`,
    3,
  ],
  ["has fewer than its total", ofAll, wrongTotal, 12, 250],
  [
    "is sorted by change, and edited at its end",
    (page, turn) => slice(turn % 5 > 0 ? all : all.toReversed(), page),
    edited,
    15,
  ],
])("a list that %s is an error, after three readings", async (_, entriesOf, reason, requests, ...[total]) => {
  const range = total === undefined ? undefined : `0-99/${total}`;
  const { client, pages } = await listing(entriesOf, () => range);
  const { message } = await failureOf(idsOf(client.listAlertChannels({ limit: 100 })));
  expect(message.startsWith(`listAlertChannels: ${reason}`)).toBe(true);
  expect(pages()).toHaveLength(requests);
});

describe("an entry that doesn't match the API", () => {
  const odd = [channel(1), { id: 2, type: "EMAIL" }, "odd", channel(3)];

  test("is an error that names it", async () => {
    const { message } = await failureOf(
      idsOf((await listing((page) => slice(odd, page))).client.listAlertChannels()),
    );
    expect(message).toContain("these fields of the response don't match the API: config of entry 2.");
  });

  test("can be handled by the caller, and hides no other", async () => {
    const { client } = await listing((page) => slice(odd, page));
    const mismatches: unknown[] = [];
    const onMismatch = (mismatch: unknown) => mismatches.push(mismatch);
    expect(await idsOf(client.listAlertChannels({}, { onMismatch }))).toEqual([1, 3]);
    expect(mismatches).toEqual([
      { id: 2, fields: ["config"] },
      { id: undefined, fields: ["all of it"] },
    ]);
  });
});

test("a service without the list says so, and what to do", async () => {
  const service = await serve((response) => send(response, { message: "Not Found" }, 404));
  const { name, message } = await failureOf(clientOf(service).client.listAlertChannels());
  expect([name, message]).toEqual([
    "NotFoundError",
    'listAlertChannels: not found (HTTP 404): "Not Found". This service doesn\'t list alert channels (GET ' +
      "/v1/alert-channels): name them under `channels` in a rule file or in the setting alertChannels. If it does list them, " +
      "check the base URL.",
  ]);
});
