import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { NotFoundError, PagingError } from "../../provider/client";
import { clientOf, failureOf, send, serve, type Service, until } from "./services";

const page = (id: number | string) => ({ id: String(id), name: `Page ${id}` });

interface Listed {
  entries: unknown[];
  nextId?: string | null;
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
  test("it is one page", async () => {
    const service = await listOf(three);
    await expect(clientOf(service).client.listStatusPages()).resolves.toEqual(three[""]);
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ["missing", undefined],
    ["null", null],
    ["empty", ""],
  ])("a cursor that is %s is the end: null", async (_, nextId) => {
    const { client } = clientOf(await listOf({ "": { entries: [page(1)], nextId } }));
    await expect(client.listStatusPages()).resolves.toEqual({ entries: [page(1)], length: 1, nextId: null });
  });

  test("await twice, catch and finally: one request", async () => {
    const service = await listOf(three);
    const promise = clientOf(service).client.listStatusPages();
    const ends: string[] = [];
    expect(await promise).toBe(await promise);
    await promise.catch(() => ends.push("caught")).finally(() => ends.push("finally"));
    await promise.finally(() => ends.push("finally"));
    expect(ends).toEqual(["finally", "finally"]);
    expect(service.requests).toHaveLength(1);
  });

  test("a failure reaches catch, then and finally", async () => {
    const list = clientOf(await listOf({})).client.listStatusPages();
    const status = (error: unknown) => error instanceof NotFoundError && error.status;
    await expect(list.catch(status)).resolves.toBe(404);
    await expect(list.then(undefined, status)).resolves.toBe(404);
    await expect(list.finally(() => undefined)).rejects.toBeInstanceOf(NotFoundError);
  });

  test("without await or iteration nothing is requested, and printing it shows no secret", async () => {
    const service = await listOf(three);
    const promise = clientOf(service).client.listStatusPages();
    expect(inspect(promise, { depth: Infinity, showHidden: true })).not.toContain("canary");
    expect(service.requests).toEqual([]);
  });
});

describe("iterated over", () => {
  // Cursors are values of the query, whatever they look like.
  const odd = "https://evil.example/v1?a=b#c&nextId=../..\r\nX-Odd: 1";
  test.each<[what: string, pages: Record<string, Listed>, ids: string[]]>([
    ["every status page of every page, in the service's order", three, ["1", "2", "3", "4"]],
    ["no entry of one empty page", { ...three, b: { entries: [], nextId: "c" } }, ["1", "2", "4"]],
    ["no entry of an empty list", { "": { entries: [] } }, []],
    [
      "only once what pages repeat",
      {
        "": { entries: [page(1), page(1), page(2)], nextId: "b" },
        b: { entries: [page(2), page(3)], nextId: "c" },
        c: { entries: [page(1)] },
      },
      ["1", "2", "3"],
    ],
    [
      "what comes after a cursor that looks like a URL",
      { "": { entries: [page(1)], nextId: odd }, [odd]: { entries: [page(2)], nextId: null } },
      ["1", "2"],
    ],
  ])("it is %s", async (_, pages, ids) => {
    const { client, events } = clientOf(await listOf(pages));
    await expect(idsOf(client.listStatusPages())).resolves.toEqual(ids);
    expect(events.map(({ operation, path }) => [operation, path])).toEqual(
      Object.keys(pages).map(() => ["listStatusPages", "/v1/status-pages"]),
    );
  });

  test("from a cursor on, with the same limit throughout, even if the caller's object changes", async () => {
    const four = { ...three, c: { entries: [page(4)], nextId: "d" }, d: { entries: [page(5)] } };
    const service = await listOf(four);
    const query = { limit: 2, nextId: "b" };
    const ids: string[] = [];
    for await (const { id } of clientOf(service).client.listStatusPages(query)) {
      query.limit = 50;
      ids.push(id);
    }
    expect(ids).toEqual(["3", "4", "5"]);
    expect(service.requests.map(({ url }) => url)).toEqual(
      ["b", "c", "d"].map((cursor) => `/v1/status-pages?limit=2&nextId=${cursor}`),
    );
  });

  test("twice, or after await: each iteration is complete", async () => {
    const list = clientOf(await listOf(three)).client.listStatusPages();
    await list;
    for (let turn = 0; turn < 2; turn++) await expect(idsOf(list)).resolves.toEqual(["1", "2", "3", "4"]);
  });
});

describe("prefetch", () => {
  test("the next page is requested while the caller works on this one, and no page more", async () => {
    const service = await listOf(three);
    const entries = clientOf(service).client.listStatusPages()[Symbol.asyncIterator]();
    await entries.next();
    await until(() => service.requests.length === 2);
    await entries.next();
    expect(service.requests).toHaveLength(2);
    await entries.return();
  });

  test.each([
    ["is sent before the caller works without a pause", true, [2, 2, 3, 3]],
    ["is sent only when the caller has finished, if prefetch is off", false, [1, 1, 2, 3]],
  ])("the request for it %s", async (_, prefetch, expected) => {
    const service = await listOf(three);
    const left: number[] = [];
    let requests = 0;
    const count = () => (requests += 1);
    subscribe("http.client.request.start", count);
    for await (const entry of clientOf(service).client.listStatusPages({}, { prefetch })) {
      expect(entry).toEqual(page(left.push(requests)));
    }
    unsubscribe("http.client.request.start", count);
    expect(left).toEqual(expected);
  });

  test("its failure comes after the entries of the previous page", async () => {
    const ids: string[] = [];
    const service = await listOf({ "": { entries: [page(1), page(2)], nextId: "gone" } });
    expect((await failureOf(walk(service, ids))).name).toBe("NotFoundError");
    expect(ids).toEqual(["1", "2"]);
  });
});

describe("leaving the loop", () => {
  /** Answers the first page; `ended` tells whether the request for the second one has been given up. */
  async function hangingAfterFirst(options?: { signal: AbortSignal }) {
    let ended = false;
    const service = await serve((response, _, turn) => {
      if (turn === 1) send(response, three[""]);
      else response.on("close", () => (ended = true));
    });
    const { client } = clientOf(service, { timeoutMs: 3_600_000, deadlineMs: 3_600_000 });
    const prefetched = () => until(() => service.requests.length === 2);
    return { service, list: client.listStatusPages({}, options), prefetched, hasEnded: () => ended };
  }

  test("by break cancels all requests, prefetched ones too", async () => {
    const { service, list, prefetched, hasEnded } = await hangingAfterFirst();
    for await (const entry of list) {
      expect(entry).toEqual(page(1));
      await prefetched();
      break;
    }
    await until(hasEnded);
    expect(service.requests).toHaveLength(2);
  });

  test("by an error of the caller rejects with it, and cancels all requests", async () => {
    const { list, prefetched, hasEnded } = await hangingAfterFirst();
    const mistake = new Error("mine");
    const loop = async () => {
      for await (const entry of list) {
        expect(entry).toEqual(page(1));
        await prefetched();
        throw mistake;
      }
    };
    await expect(loop()).rejects.toBe(mistake);
    await until(hasEnded);
  });

  test("by a signal rejects with its reason after the entries received so far", async () => {
    const cancel = new AbortController();
    const { list, prefetched, hasEnded } = await hangingAfterFirst({ signal: cancel.signal });
    const seen: string[] = [];
    const walking = idsOf(list, seen);
    await prefetched();
    cancel.abort("enough");
    await expect(walking).rejects.toBe("enough");
    await until(hasEnded);
    expect(seen).toEqual(["1", "2"]);
  });
});

describe("a list without end", () => {
  const one = (turn: number) => [page(turn)];
  const onlyFirst = (turn: number) => (turn === 1 ? [page(1)] : []);
  const same = "the service returned the same cursor twice";
  const empty = "two empty pages in a row that were not the last";

  test.each<[string, (turn: number) => unknown[], (turn: number) => string, string, number, number?]>([
    ["that repeats a cursor", one, () => "again", same, 2],
    ["whose cursors form a cycle", one, (turn) => String(turn % 3), same, 4],
    ["that has two empty pages in a row", onlyFirst, String, empty, 3, 1],
    ["that has more than 1,000 pages", one, String, "there are more than 1000 pages", 1_000],
  ])("%s is stopped after its entries", async (_, entriesOf, cursorOf, reason, pages, entries = pages) => {
    const service = await serve((response, _, turn) =>
      send(response, { entries: entriesOf(turn), nextId: cursorOf(turn) }),
    );
    const ids: string[] = [];
    const error = await failureOf(walk(service, ids));
    expect(error).toBeInstanceOf(PagingError);
    expect(error.message).toContain(`${reason}. Stopped after ${pages} pages with ${entries} entries.`);
    expect(ids).toEqual(Array.from({ length: entries }, (_, index) => String(index + 1)));
    expect(service.requests).toHaveLength(pages);
  });

  test("is not one that ends with its 1,000th page", async () => {
    const service = await serve((response, _, turn) =>
      send(response, { entries: [page(turn)], nextId: turn === 1_000 ? null : String(turn) }),
    );
    await expect(walk(service)).resolves.toHaveLength(1_000);
  });
});
