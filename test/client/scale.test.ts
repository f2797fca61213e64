/** Long lists: nothing lost, nothing doubled, and no more memory than for a short one. */
import { clientOf, collectGarbage, serve, type Service } from "./services";

const perPage = 100;

/** A list of `count` status pages, 100 to a page, each of which also repeats the last one of the page before. */
async function listOf(count: number): Promise<Service> {
  return serve((response, { url }) => {
    const from = Number(new URL(url, "http://a").searchParams.get("nextId") ?? "0");
    const first = Math.max(from - 1, 0);
    const entries = Array.from({ length: from + perPage - first }, (_, index) => statusPage(first + index));
    const nextId = from + perPage < count ? String(from + perPage) : null;
    response.end(JSON.stringify({ length: entries.length, entries, nextId }));
  });
}

const statusPage = (index: number) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  name: `Status page ${index}`,
  url: `page-${index}`,
  accountId: "acc",
  customDomain: null,
  cards: [{ id: `c${index}`, name: "Products", services: [{ id: `s${index}`, name: "API" }] }],
  incidents: [],
});

test("100,000 status pages: each one comes once, in order, and the heap grows by less than 30 MB", async () => {
  const heap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const service = await listOf(100_000);
  const { client } = clientOf(service, { onRequest: undefined });
  let [count, before, most] = [0, 0, 0];
  for await (const page of client.listStatusPages({ limit: perPage })) {
    if (page.id !== statusPage(count).id) throw new Error(`${page.id} came in place ${count}`);
    count += 1;
    if (count === perPage) before = heap();
    if (count % 20_000 === 0) most = Math.max(most, heap());
  }
  expect(count).toBe(100_000);
  expect(service.requests).toHaveLength(1_000);
  expect(most - before).toBeLessThan(30);
});
