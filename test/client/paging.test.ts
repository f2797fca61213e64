import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { NotFoundError, PagingError, type StatusPage } from "../../provider/client";
import { clientOf, failureOf, send, serve, type Service, until, type Watched } from "./services";

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

async function walk({ client }: Watched, into: string[] = []): Promise<string[]> {
  for await (const { id } of client.listStatusPages()) into.push(id);
  return into;
}

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
  test("it is every status page of every page, in the service's order", async () => {
    const watched = clientOf(await listOf(three));
    await expect(walk(watched)).resolves.toEqual(["1", "2", "3", "4"]);
    expect(watched.events).toHaveLength(3);
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

  test("entries that pages repeat come once", async () => {
    const watched = clientOf(
      await listOf({
        "": { entries: [page(1), page(1), page(2)], nextId: "b" },
        b: { entries: [page(2), page(3)], nextId: "c" },
        c: { entries: [page(1)] },
      }),
    );
    await expect(walk(watched)).resolves.toEqual(["1", "2", "3"]);
  });

  test("twice, or after await: each iteration is complete", async () => {
    const list = clientOf(await listOf(three)).client.listStatusPages();
    await list;
    for (let turn = 0; turn < 2; turn++) {
      const ids: string[] = [];
      for await (const { id } of list) ids.push(id);
      expect(ids).toEqual(["1", "2", "3", "4"]);
    }
  });

  test("one empty page is skipped", async () => {
    const watched = clientOf(await listOf({ ...three, b: { entries: [], nextId: "c" } }));
    await expect(walk(watched)).resolves.toEqual(["1", "2", "4"]);
  });

  test("an empty list has no entries", async () => {
    await expect(walk(clientOf(await listOf({ "": { entries: [] } })))).resolves.toEqual([]);
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
    const watched = clientOf(await listOf({ "": { entries: [page(1), page(2)], nextId: "gone" } }));
    const ids: string[] = [];
    const error = await failureOf(walk(watched, ids));
    expect(error.name).toBe("NotFoundError");
    expect(ids).toEqual(["1", "2"]);
  });
});

describe("leaving the loop", () => {
  /** Answers the first page; `ended` tells whether the request for the second one has been given up. */
  async function hangingAfterFirst() {
    let ended = false;
    const service = await serve((response, _, turn) => {
      if (turn === 1) send(response, three[""]);
      else response.on("close", () => (ended = true));
    });
    const { client } = clientOf(service, { timeoutMs: 3_600_000, deadlineMs: 3_600_000 });
    return { service, client, hasEnded: () => ended };
  }

  test("by break cancels all requests, prefetched ones too", async () => {
    const { service, client, hasEnded } = await hangingAfterFirst();
    for await (const entry of client.listStatusPages()) {
      expect(entry).toEqual(page(1));
      await until(() => service.requests.length === 2);
      break;
    }
    await until(hasEnded);
    expect(service.requests).toHaveLength(2);
  });

  test("by an error of the caller rejects with it, and cancels all requests", async () => {
    const { service, client, hasEnded } = await hangingAfterFirst();
    const mistake = new Error("mine");
    const loop = async () => {
      for await (const entry of client.listStatusPages()) {
        expect(entry).toEqual(page(1));
        await until(() => service.requests.length === 2);
        throw mistake;
      }
    };
    await expect(loop()).rejects.toBe(mistake);
    await until(hasEnded);
  });

  test("by a signal rejects with its reason after the entries received so far", async () => {
    const { service, client, hasEnded } = await hangingAfterFirst();
    const cancel = new AbortController();
    const seen: StatusPage[] = [];
    const loop = async () => {
      for await (const entry of client.listStatusPages({}, { signal: cancel.signal })) seen.push(entry);
    };
    const walking = loop();
    await until(() => service.requests.length === 2);
    cancel.abort("enough");
    await expect(walking).rejects.toBe("enough");
    await until(hasEnded);
    expect(seen).toEqual([page(1), page(2)]);
  });
});

describe("a list without end", () => {
  async function endOf(pages: (turn: number) => Listed) {
    const service = await serve((response, _, turn) => send(response, pages(turn)));
    const ids: string[] = [];
    const error = await failureOf(walk(clientOf(service), ids));
    expect(error).toBeInstanceOf(PagingError);
    return { message: error.message, ids, requests: service.requests.length };
  }

  test("that repeats a cursor is stopped after its entries", async () => {
    const { message, ids, requests } = await endOf((turn) => ({ entries: [page(turn)], nextId: "again" }));
    expect(message).toContain(
      "the service returned the same cursor twice. Stopped after 2 pages with 2 entries.",
    );
    expect([ids, requests]).toEqual([["1", "2"], 2]);
  });

  test("whose cursors form a cycle is stopped", async () => {
    const { requests } = await endOf((turn) => ({ entries: [page(turn)], nextId: String(turn % 3) }));
    expect(requests).toBe(4);
  });

  test("that has two empty pages in a row is stopped", async () => {
    const { message } = await endOf((turn) => ({
      entries: turn === 1 ? [page(1)] : [],
      nextId: String(turn),
    }));
    expect(message).toContain(
      "two empty pages in a row that were not the last. Stopped after 3 pages with 1 entries.",
    );
  });

  test("that has more than 1,000 pages is stopped after its entries", async () => {
    const { message, ids, requests } = await endOf((turn) => ({
      entries: [page(turn)],
      nextId: String(turn),
    }));
    expect(message).toContain("there are more than 1000 pages. Stopped after 1000 pages with 1000 entries.");
    expect([ids.length, requests]).toEqual([1_000, 1_000]);
  });

  test("that ends with its 1,000th page is complete", async () => {
    const service = await serve((response, _, turn) =>
      send(response, { entries: [page(turn)], nextId: turn === 1_000 ? null : String(turn) }),
    );
    await expect(walk(clientOf(service))).resolves.toHaveLength(1_000);
  });
});
