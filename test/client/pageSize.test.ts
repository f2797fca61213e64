/** Pages of the list of status pages that are larger than what is read into memory. */
import { clientOf, failureOf, send, serve, type Service, type Watched } from "./services";

const page = (id: number) => ({ id: String(id), name: `Page ${id}` });

async function walk({ client }: Watched): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client.listStatusPages()) ids.push(id);
  return ids;
}

describe("pages that are too large to be read", () => {
  const statusPages = Array.from({ length: 23 }, (_, index) => page(index + 1));

  /** A list of status pages that are so large each; a cursor says how many came before. */
  const listOfLarge = (mebibytes: number) =>
    serve((response, { url }) => {
      const { searchParams } = new URL(url, "http://a");
      const [from, limit] = [Number(searchParams.get("nextId")), Number(searchParams.get("limit") ?? 20)];
      const entries = statusPages.slice(from, from + limit);
      const history = "x".repeat(mebibytes * 1024 * 1024);
      const next = from + limit < statusPages.length ? String(from + limit) : null;
      send(response, { entries: entries.map((entry) => ({ ...entry, history })), nextId: next });
    });
  const limitsOf = ({ requests }: Service) =>
    requests.map(({ url }) => new URL(url, "http://a").searchParams.get("limit"));

  test.each([true, false])("are asked for again with fewer entries, with prefetch %p", async (prefetch) => {
    const service = await listOfLarge(0.4);
    const ids: string[] = [];
    const list = clientOf(service).client.listStatusPages({ limit: 100 }, { prefetch });
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(statusPages.map(({ id }) => id));
    expect(limitsOf(service)).toEqual(["100", "50", "25", "12", "12"]);
  });

  test("without a limit of the caller's begin with half of the service's", async () => {
    const service = await listOfLarge(0.4);
    await expect(walk(clientOf(service))).resolves.toHaveLength(23);
    expect(limitsOf(service)).toEqual([null, "10", "10", "10"]);
  });

  test("one status page at a time, if need be", async () => {
    const service = await listOfLarge(4);
    const ids: string[] = [];
    for await (const { id } of clientOf(service).client.listStatusPages({ limit: 3 })) ids.push(id);
    expect(ids).toHaveLength(23);
    expect(limitsOf(service)).toEqual(["3", ...ids.map(() => "1")]);
  });

  test("fail when one alone is too large, and say so", async () => {
    const service = await listOfLarge(6);
    const error = await failureOf(walk(clientOf(service)));
    expect(error.name).toBe("ResponseShapeError");
    expect(error.message).toBe(
      "listStatusPages: the response is larger than 5 MiB, although only one status page was requested. " +
        "Read its incidents one by one, or report it to the service.",
    );
  });

  test("awaited keep the caller's limit, and advise a smaller one", async () => {
    const service = await listOfLarge(0.4);
    const error = await failureOf(Promise.resolve(clientOf(service).client.listStatusPages({ limit: 50 })));
    expect(error.message).toBe(
      "listStatusPages: the response is larger than 5 MiB. Ask for fewer status pages at a time, with a smaller limit.",
    );
    expect(limitsOf(service)).toEqual(["50"]);
  });
});
