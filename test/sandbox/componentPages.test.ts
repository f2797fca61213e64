/** Tests status pages with components: their posts, lists and computed fields, and the migration of a page with cards. */
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import {
  ask,
  incidentId,
  incidentPath,
  news,
  startTestSandbox,
  sharedSandbox,
  updatesPath,
} from "./sandboxes";

const { shop, developers } = wellKnown.componentPages;
const { checkoutOutage, slowImagesResolved } = wellKnown.componentPageIncidents;
const pages = "/v3/status-pages";
const outagePath = `${pages}/${shop}/incidents/${checkoutOutage}`;
const outageUpdates = `${outagePath}/incident-updates`;
const getOutage = (sandbox: Sandbox) => sandbox.incident(checkoutOutage, shop);
const updateId = (sandbox: Sandbox) => getOutage(sandbox).incidentUpdates[0]?.id ?? "";

interface Update {
  id: string;
  created_at: string;
  publicIncidentUpdateDate: string;
}

async function create(sandbox: Sandbox, changes: object = {}): Promise<Update> {
  const response = await ask(sandbox, outageUpdates, { json: { ...news, ...changes } });
  expect(response.status).toBe(201);
  return (await response.json()) as Update;
}

const readJson = async (sandbox: Sandbox, path: string): Promise<unknown> =>
  (await ask(sandbox, path)).json();
const shared = sharedSandbox();

test.each([
  ["an id", { id: "5b0c2c0e-8f0e-5a35-9d6e-7d3c1f2a4b60" }],
  ["a time of creation", { created_at: "2026-01-31T09:30:00.000Z" }],
  ["a date before the incident", { publicIncidentUpdateDate: "2020-01-01T00:00:00Z" }],
])(
  "a post and an edit with %s are rejected, even if IDs are accepted on pages with cards",
  async (_, wrong) => {
    const sandbox = await startTestSandbox({ ids: "honored" });
    const before = sandbox.data;
    const [key = ""] = Object.keys(wrong);
    const rejection = { statusCode: 400, validation: { source: "payload", keys: [key] } };
    for (const [method, path] of Object.entries({ POST: "", PUT: `/${updateId(sandbox)}` })) {
      const response = await ask(sandbox, outageUpdates + path, { method, json: { ...news, ...wrong } });
      expect(await response.json()).toMatchObject({ ...rejection, message: expect.stringContaining(key) });
    }
    expect(sandbox.data).toBe(before);
  },
);

test("a post to a page with components emails the page's subscribers if that is requested", async () => {
  const sandbox = await startTestSandbox();
  const quiet = await create(sandbox);
  const loud = await create(sandbox, { notifySubscribers: true });
  const { subscribers } = sandbox.data.accounts[0];
  expect([sandbox.emailsSent(quiet.id), sandbox.emailsSent(loud.id)]).toEqual([0, subscribers[shop]]);
});

describe("an edit", () => {
  const oldest = (sandbox: Sandbox) => getOutage(sandbox).incidentUpdates.at(-1)?.id ?? "";
  const edited = async (sandbox: Sandbox, id: string, changes: object = {}): Promise<unknown> => {
    const json = { ...words, ...changes };
    const response = await ask(sandbox, `${outageUpdates}/${id}`, { method: "PUT", json });
    expect(response.status).toBe(200);
    return response.json();
  };
  const words = { status: "IDENTIFIED", description: "A change of ours is the cause." };

  test("an edit replaces an update except its ID and creation time, and sends no email", async () => {
    const sandbox = await startTestSandbox();
    const first = await create(sandbox, { notifySubscribers: true });
    const others = getOutage(sandbox).incidentUpdates.slice(1);
    const mailed = structuredClone(sandbox.data.mailed);
    const content = {
      ...words,
      publicIncidentUpdateDate: getOutage(sandbox).created_at,
      notifySubscribers: true,
    };
    const update = await edited(sandbox, first.id, content);
    expect(update).toEqual({ ...content, id: first.id, created_at: first.created_at });
    expect(await edited(sandbox, first.id, content)).toEqual(update);
    expect(getOutage(sandbox).incidentUpdates).toEqual([update, ...others]);
    expect(await readJson(sandbox, `${outageUpdates}/${first.id}`)).toEqual(update);
    expect(sandbox.data.mailed).toEqual(mailed);
    expect(sandbox.requests[1]).toMatchObject({ method: "PUT", applied: true, status: 200 });
  });

  test("an edit resets omitted fields: the date to the current time, and notifySubscribers to false", async () => {
    const sandbox = await startTestSandbox();
    const content = { publicIncidentUpdateDate: getOutage(sandbox).created_at, notifySubscribers: true };
    const { id, created_at } = await create(sandbox, content);
    const before = Date.now();
    await edited(sandbox, id);
    const { updated_at, incidentUpdates } = getOutage(sandbox);
    expect(incidentUpdates[0]).toEqual({
      ...{ id, created_at, ...words },
      ...{ publicIncidentUpdateDate: updated_at, notifySubscribers: false },
    });
    expect(Date.parse(updated_at ?? "")).toBeGreaterThanOrEqual(before);
  });

  test("an edit of the last update gives the incident its status and ends it, but an edit of another update doesn't", async () => {
    const sandbox = await startTestSandbox();
    const { id } = await create(sandbox);
    const statuses: unknown[] = [];
    for (const [of, status] of [
      [oldest(sandbox), "RESOLVED"],
      [id, "RESOLVED"],
      [id, "MONITORING"],
    ] as const) {
      await edited(sandbox, of, { status });
      const { lastUpdateStatus, duration, componentImpacts } = getOutage(sandbox);
      const ended = componentImpacts.map(({ endedAt }) => endedAt !== null);
      statuses.push([lastUpdateStatus, typeof duration, new Set(ended)]);
    }
    // An impact that has ended doesn't start again, as it would after a post.
    expect(statuses).toEqual([
      ["MONITORING", "object", new Set([false])],
      ["RESOLVED", "number", new Set([true])],
      ["MONITORING", "object", new Set([true])],
    ]);
  });
});

test("an incident of a page with components has the status of its last update, and ends with the resolving update", async () => {
  const sandbox = await startTestSandbox();
  const start = Date.parse(getOutage(sandbox).created_at);
  const after = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  const ends: unknown[] = [];
  for (const [status, seconds] of [
    ["RESOLVED", 90],
    ["RESOLVED", 100],
    ["MONITORING", 120],
    ["RESOLVED", 200],
  ] as const) {
    await create(sandbox, { status, publicIncidentUpdateDate: after(seconds) });
    const { lastUpdateStatus, duration, componentImpacts } = getOutage(sandbox);
    expect(lastUpdateStatus).toBe(status);
    expect(componentImpacts.every(({ endedAt }) => endedAt !== null)).toBe(true);
    ends.push(duration);
  }
  expect(ends).toEqual([90, 90, null, 200]);
});

test("the list of incidents starts with the last updated incident, and contains no updates", async () => {
  const sandbox = await startTestSandbox();
  const list = async () =>
    ((await readJson(sandbox, `${pages}/${shop}/incidents`)) as { entries: { id: string }[] }).entries;
  expect((await list()).map(({ id }) => id)).toEqual([checkoutOutage, slowImagesResolved]);
  await ask(sandbox, `${pages}/${shop}/incidents/${slowImagesResolved}/incident-updates`, { json: news });
  const { incidentUpdates: _, ...first } = sandbox.incident(slowImagesResolved, shop);
  expect(await list()).toEqual([first, expect.objectContaining({ id: checkoutOutage })]);
});

test.each<[what: string, path: () => string, asked?: Parameters<typeof ask>[2]]>([
  [
    "an incident of a page with components, by the operation of pages with cards",
    () => incidentPath.replace(incidentId, checkoutOutage),
  ],
  [
    "an edit on another incident",
    () => `${outageUpdates}/${updateId(shared())}`.replace(checkoutOutage, slowImagesResolved),
    { method: "PUT", json: news },
  ],
])("%s isn't found", async (_, path, ...[asked]) => {
  const before = shared().data;
  const response = await ask(shared(), path(), asked);
  expect(await response.json()).toMatchObject({ statusCode: 404, error: "Not Found" });
  expect(shared().data).toBe(before);
});

test("another account lists no page with components, and the list of pages with cards contains none of them", async () => {
  const labs = await ask(shared(), pages, { account: wellKnown.accounts.labs });
  expect(await labs.json()).toEqual({ length: 0, entries: [], nextId: null });
  expect(await readJson(shared(), pages)).toMatchObject({
    length: 2,
    entries: [{ id: shop }, { id: developers }],
  });
  expect(JSON.stringify(await readJson(shared(), "/v1/status-pages?limit=100"))).not.toContain(shop);
});

test("an incident contains its latest 100 updates on a page with components, and all of them on a page with cards", async () => {
  const sandbox = await startTestSandbox();
  const [update] = getOutage(sandbox).incidentUpdates;
  const incidentUpdates = Array.from({ length: 101 }, (_, index) => ({
    ...update,
    id: `u${index}`,
  })) as never;
  sandbox.dashboard.editIncident(checkoutOutage, { incidentUpdates }, shop);
  sandbox.dashboard.editIncident(incidentId, { incidentUpdates });
  const countUpdates = async (path: string) =>
    ((await readJson(sandbox, path)) as { incidentUpdates: unknown[] }).incidentUpdates.length;
  expect([await countUpdates(outagePath), await countUpdates(incidentPath)]).toEqual([100, 101]);
});

test("components are listed in the order of the page", async () => {
  const sandbox = await startTestSandbox();
  const list = async () =>
    ((await readJson(sandbox, `${pages}/${shop}/components`)) as { entries: unknown[] }).entries;
  const before = await list();
  sandbox.dashboard.change(({ accounts: [{ componentPages }] }) => {
    componentPages.find(({ id }) => id === shop)?.components.reverse();
  });
  expect(await list()).toEqual(before);
});

describe("a migration", () => {
  const getPage = (sandbox: Sandbox, name: string) => {
    const page = sandbox.data.accounts[0].statusPages.find((each) => each.name === name);
    if (page === undefined) throw new Error(`There is no page ${name}.`);
    return page;
  };

  test.each([
    ["kept", "new"],
    ["new", "kept"],
  ] as const)(
    "a migration moves the incidents of a page, with %s IDs and %s update IDs",
    async (incidentIds, updateIds) => {
      const sandbox = await startTestSandbox();
      const page = getPage(sandbox, "Checkout Europe");
      const { incidentUpdates, created_at, name } = sandbox.incident(incidentId);
      const mailed = sandbox.emailsSent();
      const ids = sandbox.dashboard.migratePage(page.id, { incidentIds, updateIds });

      const id = ids.incidents[incidentId] ?? "";
      expect([id === incidentId, Object.keys(ids.incidents)]).toEqual([incidentIds === "kept", [incidentId]]);
      for (const [old, next] of Object.entries(ids.updates)) expect(next === old).toBe(updateIds === "kept");
      const moved = incidentUpdates.map((update) => ({ ...update, id: ids.updates[update.id] }));
      const incident = await readJson(sandbox, `${pages}/${page.id}/incidents/${id}`);
      expect(incident).toMatchObject({ id, name, created_at, statusPageId: page.id, incidentUpdates: moved });
      expect(incident).not.toHaveProperty("severity");
      expect(sandbox.emailsSent()).toBe(mailed);
      expect(sandbox.emailsSent(moved.at(-1)?.id)).toBeGreaterThan(0);
      for (const path of [incidentPath, `${updatesPath}/${incidentUpdates[0]?.id}`])
        expect((await ask(sandbox, path)).status).toBe(404);
      expect(JSON.stringify(await readJson(sandbox, "/v1/status-pages?limit=100"))).not.toContain(page.id);
    },
  );

  test("a migration keeps an incident on the other pages that show it, with their services, and no other incident changes", async () => {
    const sandbox = await startTestSandbox();
    const declines = wellKnown.statusPageIncidents.cardDeclines;
    const [moved, other] = ["Checkout North America", "Payments North America"].map((name) =>
      getPage(sandbox, name),
    );
    const before = sandbox.incident(declines);
    const listOthers = () =>
      sandbox.data.accounts[0].statusPageIncidents.filter(
        ({ statusPageIds }) => !statusPageIds.includes(moved?.id ?? ""),
      );
    const untouched = listOthers();
    sandbox.dashboard.migratePage(moved?.id ?? "");
    const services = other?.cards.flatMap((card) => card.services.map(({ id }) => id)) ?? [];
    const left = sandbox.data.accounts[0].statusPageIncidents.find(({ id }) => id === declines);
    expect(left).toMatchObject({ statusPageIds: [other?.id], incidentUpdates: before.incidentUpdates });
    expect(left?.services.length).toBeGreaterThan(0);
    expect(left?.services.every(({ id }) => services.includes(id))).toBe(true);
    expect(listOthers()).toEqual(expect.arrayContaining(untouched));
    expect(sandbox.incident(declines, moved?.id ?? "").id).toBe(declines);
  });

  test("a migration creates groups from cards, components from services, and impacts from affected services", async () => {
    const sandbox = await startTestSandbox();
    const { id, url } = getPage(sandbox, "Checkout Europe");
    sandbox.dashboard.migratePage(id);
    expect(await readJson(sandbox, `${pages}/${id}`)).toMatchObject({ id, url });
    const { components } = sandbox.data.accounts[0].componentPages.find((each) => each.id === id) ?? {};
    const findName = (wanted: unknown) => components?.find((each) => each.id === wanted)?.name;
    const rows = components?.map(({ name, type, parentId }) => [name, type, findName(parentId)]);
    expect(rows).toEqual([
      ["Buying", "GROUP", undefined],
      ...["Cart", "Checkout page", "Order confirmation"].map((name) => [name, "SERVICE", "Buying"]),
      ["Behind", "GROUP", undefined],
      ...["Order API", "Stock check"].map((name) => [name, "SERVICE", "Behind"]),
    ]);
    const impacts = sandbox.incident(incidentId, id).componentImpacts;
    expect(
      impacts.map(({ componentId, status, endedAt }) => [findName(componentId), status, endedAt]),
    ).toEqual([
      ["Checkout page", "MAJOR_OUTAGE", null],
      ["Order API", "MAJOR_OUTAGE", null],
    ]);
  });
});

const [page] = seedData().accounts[0].componentPages;
const [component] = [page?.components[1]];
const isTwice = (one?: { id: unknown }) => `.id: ${String(one?.id)} is a duplicate`;

test.each<[what: string, place: string, value: unknown, said?: string]>([
  ["a component of another page", "components[1].statusPageId", "x"],
  ["a component twice", "components[5]", component, isTwice(component)],
  ["a field that it can't have", "cards", [], '"cards"'],
])("a page with %s is rejected", (_, place, value, said = place) => {
  const keys = ["0", ...(place.match(/\w+/g) ?? [])];
  const last = keys.pop() ?? "";
  const change = () =>
    shared().dashboard.change(({ accounts: [{ componentPages }] }) => {
      const inner = (at: object, key: string) => Object(Reflect.get(at, key)) as object;
      Object.assign(keys.reduce(inner, componentPages), { [last]: value });
    });
  expect(change).toThrow(said);
});
