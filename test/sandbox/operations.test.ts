/** What test/contract doesn't show of the operations: defaults, times, emails, accounts and keys. */
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import * as contract from "../../sandbox/strictObjects";
import { ask, incidentId, news, post, read, sandboxWith } from "./sandboxes";

async function create(sandbox: Sandbox, changes: object = {}) {
  const response = await post(sandbox, { ...news, ...changes });
  expect(response.status).toBe(201);
  return contract.statusPageIncidentUpdate.parse(await response.json());
}

test("every response is JSON and has a request id", async () => {
  const { headers } = await read(await sandboxWith());
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
});

describe("createIncidentUpdate", () => {
  test.each([{}, { id: "mine", created_at: "2020-01-01T00:00:00.000Z" }])(
    "sets the current time and the status of the incident, whatever else is sent: %j",
    async (given) => {
      const sandbox = await sandboxWith();
      const before = Date.now();
      const update = await create(sandbox, given);
      expect(Date.parse(update.created_at)).toBeGreaterThanOrEqual(before);
      expect(update.publicIncidentUpdateDate).toBe(update.created_at);
      const incident = sandbox.incident(incidentId);
      expect(incident).toMatchObject({ lastUpdateStatus: "MONITORING", updated_at: update.created_at });
      expect(await (await read(sandbox)).json()).toEqual(incident);
    },
  );

  test("emails all subscribers of the incident's pages only when requested", async () => {
    const seed = seedData();
    const [{ statusPageIncidents, subscribers, statusPages }] = seed.accounts;
    const ids = statusPages.slice(0, 2).map(({ id }) => id);
    Object.assign(statusPageIncidents[0] ?? {}, { statusPageIds: ids });
    Object.assign(subscribers, { [ids[0] ?? ""]: 1000, [ids[1] ?? ""]: 284 });
    const sandbox = await sandboxWith({ seed });
    const mailedBefore = sandbox.mailed();
    const silent = await create(sandbox, { notifySubscribers: undefined });
    expect([silent.notifySubscribers, sandbox.mailed() - mailedBefore]).toEqual([false, 0]);
    const loud = await create(sandbox, { notifySubscribers: true });
    expect([sandbox.mailed(silent.id), sandbox.mailed(loud.id)]).toEqual([0, 1284]);
    expect(sandbox.mailed()).toBe(mailedBefore + 1284);
  });
});

test("listStatusPages shows each incident on all of its pages, in its current state", async () => {
  const sandbox = await sandboxWith();
  await create(sandbox, { status: "RESOLVED" });
  const list: unknown = await (await ask(sandbox, "/v1/status-pages?limit=100")).json();
  const { entries } = contract.statusPageList.parse(list);
  const pagesOf = (incident: string) =>
    entries.filter(({ incidents }) => incidents.some(({ id }) => id === incident)).map(({ name }) => name);
  expect(pagesOf(incidentId)).toEqual(["Checkout Europe"]);
  expect(entries.flatMap(({ incidents }) => incidents)).toContainEqual(sandbox.incident(incidentId));
  expect(pagesOf(wellKnown.statusPageIncidents.cardDeclines)).toEqual([
    "Checkout North America",
    "Payments North America",
  ]);
});

describe("accounts", () => {
  const path = "/v1/status-pages?limit=2";
  const { quillmarket, labs } = wellKnown.accounts;
  const firstPage = async (...request: Parameters<typeof ask>) => {
    const list = contract.statusPageList.parse(await (await ask(...request)).json());
    return { name: list.entries[0]?.name, nextId: list.nextId };
  };

  test("are selected by the header that is configured", async () => {
    const sandbox = await sandboxWith({ accountHeader: "X-Tenant" });
    const { name } = await firstPage(sandbox, path, { headers: { "x-tenant": labs } });
    expect(name).toBe(sandbox.data.accounts[1]?.statusPages[0]?.name);
  });

  test.each([
    ["x-service-account", labs],
    ["x-org", labs],
    ["account-id", "other"],
  ])("are refused in another header: %s", async (header, account) => {
    const sandbox = await sandboxWith({ accountHeader: "X-Tenant" });
    const response = await ask(sandbox, path, { headers: { [header]: account } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: `The header ${header} is not known. This service takes the account from x-tenant.`,
    });
  });

  test("are selected by the header, and else by the key", async () => {
    const sandbox = await sandboxWith();
    const labsKey = { apiKey: wellKnown.apiKeys.labs };
    expect(sandbox.accountId).toBe(quillmarket);
    expect((await firstPage(sandbox, path)).name).toBe("Storefront Europe");
    expect((await firstPage(sandbox, path, { account: labs })).name).toBe("Labs Preview");
    expect((await firstPage(sandbox, path, labsKey)).name).toBe("Labs Preview");
    expect((await ask(sandbox, path, { ...labsKey, account: quillmarket })).status).toBe(403);
  });

  test("the option apiKey replaces the first key", async () => {
    const apiKey = "mon_test_another-key";
    const sandbox = await sandboxWith({ apiKey });
    expect(sandbox.apiKey).toBe(apiKey);
    const { apiKeys } = wellKnown;
    const statuses = [apiKey, apiKeys.quillmarket, apiKeys.labs].map(
      async (key) => (await ask(sandbox, path, { apiKey: key })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 401, 200]);
  });
});
