/** Pages of the list of status pages that are larger than what is read into memory. */
import { clientOf, failureOf, send, serve, type Service } from "./services";

const statusPages = Array.from({ length: 23 }, (_, index) => ({ id: String(index + 1), name: "A page" }));
const ids = statusPages.map(({ id }) => id);

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

test.each<[what: string, mebibytes: number, query: { limit?: number }, prefetch: boolean, limits: unknown[]]>(
  [
    ["with fewer entries", 0.4, { limit: 100 }, true, ["100", "50", "25", "12", "12"]],
    ["with fewer entries, without prefetch", 0.4, { limit: 100 }, false, ["100", "50", "25", "12", "12"]],
    ["with half of the service's limit if the caller has none", 0.4, {}, true, [null, "10", "10", "10"]],
    ["one status page at a time, if need be", 4, { limit: 3 }, true, ["3", ...ids.map(() => "1")]],
  ],
)("pages that are too large are requested again, %s", async (_, mebibytes, query, prefetch, limits) => {
  const service = await listOfLarge(mebibytes);
  const seen: string[] = [];
  const list = clientOf(service).client.listStatusPages(query, { prefetch });
  for await (const { id } of list) seen.push(id);
  expect(seen).toEqual(ids);
  expect(limitsOf(service)).toEqual(limits);
});

test("a status page that is too large alone is an error that says so", async () => {
  const list = clientOf(await listOfLarge(6)).client.listStatusPages();
  const error = await failureOf(list[Symbol.asyncIterator]().next());
  expect(error.name).toBe("ResponseShapeError");
  expect(error.message).toBe(
    "listStatusPages: the response is larger than 5 MiB, although only one status page was requested. " +
      "Read its incidents one by one, or report it to the service.",
  );
});

test("awaited, a page keeps the caller's limit, and the error advises a smaller one", async () => {
  const service = await listOfLarge(0.4);
  const error = await failureOf(clientOf(service).client.listStatusPages({ limit: 50 }));
  expect(error.message).toBe(
    "listStatusPages: the response is larger than 5 MiB. Ask for fewer status pages at a time, with a smaller limit.",
  );
  expect(limitsOf(service)).toEqual(["50"]);
});
