import { PagingError } from "../../provider/client";
import { nextIds, PagePromise } from "../../provider/client/paging";
import { clientOf, failureOf, send, serve, type Service } from "./services";

const page = (id: number | string) => ({ id: String(id), name: `Page ${id}` });

interface Listed {
  entries: unknown[];
  nextId?: string | number | null;
  length?: number;
}

/** A list whose pages are found by their cursors; the first has the cursor "". */
async function listOf(pages: Record<string, Listed>): Promise<Service> {
  return serve((response, { url }) => {
    const cursor = new URL(url, "http://a").searchParams.get("nextId") ?? "";
    send(response, pages[cursor] ?? {}, pages[cursor] ? 200 : 404);
  });
}

const three = {
  "": { entries: [page(1), page(2)], length: 2, nextId: "b" },
  b: { entries: [page(3)], length: 1, nextId: "c" },
  c: { entries: [page(4)], length: 1, nextId: null },
};

async function idsOf(list: AsyncIterable<{ id: string }>, into: string[] = []): Promise<string[]> {
  for await (const { id } of list) into.push(id);
  return into;
}

/** The ids of all status pages that the service lists. */
const walk = (service: Service, into?: string[]) => idsOf(clientOf(service).client.listStatusPages(), into);

describe("awaited", () => {
  test("it is one page, and one request, however often; nothing is requested before", async () => {
    const service = await listOf(three);
    const promise = clientOf(service).client.listStatusPages();
    expect(service.requests).toEqual([]);
    const ends: string[] = [];
    expect(await promise).toBe(await promise);
    await promise.catch(() => ends.push("caught")).finally(() => ends.push("finally"));
    await promise.finally(() => ends.push("finally"));
    expect(ends).toEqual(["finally", "finally"]);
    await expect(promise).resolves.toEqual(three[""]);
    expect(service.requests).toHaveLength(1);
  });

  // The end is null, and a cursor that is a number is text, as the caller passes it on.
  test.each<[nextId: string | number | null | undefined, shown: string | null]>([
    ...[undefined, null, ""].map((end): [string | null | undefined, null] => [end, null]),
    [2, "2"],
  ])("a cursor that is %j is shown as %j", async (nextId, shown) => {
    const { client } = clientOf(await listOf({ "": { entries: [page(1)], nextId } }));
    await expect(client.listStatusPages()).resolves.toEqual({ entries: [page(1)], length: 1, nextId: shown });
  });

  test.each([2 ** 53, 1.5, true, {}])("a cursor that is %j is none of the API", async (nextId) => {
    const service = await serve((response) => send(response, { entries: [page(1)], nextId }));
    const error = await failureOf(clientOf(service).client.listStatusPages());
    expect(error.name).toBe("ResponseShapeError");
    expect(error.message).toContain("these fields of the response don't match the API: nextId.");
  });
});

describe("iterated over", () => {
  // Cursors are values of the query, whatever they look like.
  const odd = "https://evil.example/v1?a=b#c&nextId=../..\r\nX-Odd: 1";
  const like = { "": { entries: [page(1)], nextId: odd }, [odd]: { entries: [page(2)], nextId: null } };
  const twice = { "": { entries: [page(1), page(2)], nextId: "b" }, b: { entries: [page(2), page(3)] } };
  const sparse = {
    ...{ "": { entries: [], nextId: "b" }, b: { entries: [page(1)], nextId: "c" } },
    ...{ c: { entries: [], nextId: "d" }, d: { entries: [page(2)] } },
  };
  test.each<[what: string, pages: Record<string, Listed>, ids: string]>([
    ["every status page of every page, in the service's order", three, "1 2 3 4"],
    ["what comes after a cursor that looks like a URL", like, "1 2"],
    ["a status page once, although two pages have it", twice, "1 2 3"],
    ["what comes after empty pages that don't follow one another", sparse, "1 2"],
  ])("it is %s", async (_, pages, ids) => {
    const { client, events } = clientOf(await listOf(pages));
    expect((await idsOf(client.listStatusPages())).join(" ")).toBe(ids);
    expect(events.map(({ operation, path }) => [operation, path])).toEqual(
      Object.keys(pages).map(() => ["listStatusPages", "/v1/status-pages"]),
    );
  });

  test("from a cursor on, with the same limit throughout, even if the caller's object changes", async () => {
    const service = await listOf(three);
    const query = { limit: 2, nextId: "b" };
    const ids: string[] = [];
    for await (const { id } of clientOf(service).client.listStatusPages(query)) {
      query.limit = 50;
      ids.push(id);
    }
    expect(ids).toEqual(["3", "4"]);
    const urls = service.requests.map(({ url }) => url);
    expect(urls).toEqual(["b", "c"].map((cursor) => `/v1/status-pages?limit=2&nextId=${cursor}`));
  });

  test("twice, or after await: each iteration is complete", async () => {
    const list = clientOf(await listOf(three)).client.listStatusPages();
    await list;
    for (let turn = 0; turn < 2; turn++) await expect(idsOf(list)).resolves.toEqual(["1", "2", "3", "4"]);
  });
});

describe("the next page", () => {
  test("is requested when the caller has finished with this one, and never after the caller has left", async () => {
    const service = await listOf(three);
    const requested: number[] = [];
    for await (const { id } of clientOf(service).client.listStatusPages()) {
      requested.push(service.requests.length);
      if (id === "3") break;
    }
    expect(requested).toEqual([1, 1, 2]);
    expect(service.requests).toHaveLength(2);
  });

  test("may fail: that comes after the entries of this one", async () => {
    const ids: string[] = [];
    const service = await listOf({ "": { entries: [page(1), page(2)], nextId: "gone" } });
    expect((await failureOf(walk(service, ids))).name).toBe("NotFoundError");
    expect(ids).toEqual(["1", "2"]);
  });
});

describe("a list without end", () => {
  const one = (turn: number) => [page(turn)];
  const onlyFirst = (turn: number) => (turn === 1 ? [page(1)] : []);
  const same = "the service returned the same cursor twice";
  const empty = "two empty pages in a row that were not the last";

  test.each<[string, (turn: number) => unknown[], (turn: number) => string, string, number, number?]>([
    ["that repeats a cursor", one, () => "again", same, 2],
    ["that has two empty pages in a row", onlyFirst, String, empty, 3, 1],
  ])("%s is stopped after its entries", async (_, entriesOf, cursorOf, reason, pages, entries = pages) => {
    const service = await serve((response, _, turn) =>
      send(response, { entries: entriesOf(turn), nextId: cursorOf(turn) }),
    );
    const ids: string[] = [];
    const error = await failureOf(walk(service, ids));
    expect(error).toBeInstanceOf(PagingError);
    expect(error.message).toContain(
      `${reason}. Stopped after ${pages} pages with ${entries} entries. Raise \`limit\` (maximum 100), or report this to the service.`,
    );
    expect(ids).toEqual(Array.from({ length: entries }, (_, index) => String(index + 1)));
    expect(service.requests).toHaveLength(pages);
  });

  /** One entry on each page, without HTTP. @param size of a page, in characters */
  const endless = (count: number, size: number) =>
    new PagePromise<{ id: string }>({
      operation: "listStatusPages",
      begin: () => nextIds({ nextId: "1" }),
      read: (query) => {
        const cursor = "nextId" in query ? query.nextId : undefined;
        const nextId = Number(cursor) === count ? null : String(Number(cursor) + 1);
        return Promise.resolve({ value: { entries: [page(cursor ?? "")], nextId }, size });
      },
      onMismatch: () => undefined,
    });

  const smallest = "where each page counts as 64 KiB or more";
  test.each([
    ["large pages", 30 * 1024 * 1024, 5, "the list is larger than 128 MiB"],
    ["small pages", 1, 2_048, smallest],
  ])("of %s of %i characters is stopped after %i of them", async (_, size, most, reason) => {
    await expect(idsOf(endless(most, size))).resolves.toHaveLength(most);
    const { message } = await failureOf(idsOf(endless(most + 1, size)));
    expect(message).toContain(reason);
    expect(message).toContain(`Stopped after ${most} pages with ${most} entries.`);
  });
});
