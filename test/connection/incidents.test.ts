/** Tests the hints about an incident that isn't at its declared location. */
import { type NewComponentImpact, operations } from "../../provider/api";
import { wellKnown } from "../../sandbox";
import { type Connection, Connections, type Incidents } from "../../provider/connection";
import { insertLocation } from "../../provider/connection/incidents";
import "../lifecycles/idleClock";
import { notFound, send, serve } from "../client/services";
import { sandboxForEachTest } from "../sandbox/sandboxes";
import { connectionsTo, serveLists, withCards } from "../lookups/lists";

const sandbox = sandboxForEachTest();
const { shop, developers } = wellKnown.componentPages;
const { checkoutOutage } = wellKnown.componentPageIncidents;
const { checkoutLatency } = wellKnown.statusPageIncidents;

function connectAll(): Connection {
  const { url, apiKey, accountId } = sandbox();
  const settings = { MONITORING_API_KEY: apiKey, MONITORING_BASE_URL: url, MONITORING_ACCOUNT_ID: accountId };
  return new Connections(undefined, settings).connect();
}

const connectIncidents = (statusPageId?: string): Incidents => connectAll().getIncidents(statusPageId);

it.each<[string, string, string | undefined, string]>([
  ["that is on a page with cards", checkoutLatency, shop, "is on a page with cards. Remove `statusPageId`."],
  ["that is on another page", checkoutOutage, developers, `Set \`statusPageId\` to "${shop}".`],
  ["that is on a page with components", checkoutOutage, undefined, `Set \`statusPageId\` to "${shop}".`],
  ["on a page that doesn't exist", "inc_0", "page_shpo", ` Did you mean "${shop}"?`],
  ["that is misspelled", "inc_checkout_outag", shop, ` Did you mean "${checkoutOutage}"?`],
  ["that is misspelled on cards", "inc_checkout_latenc", undefined, ` Did you mean "${checkoutLatency}"?`],
])("the error names the location of an incident %s", async (_, incidentId, statusPageId, hint) => {
  await expect(connectIncidents(statusPageId).get(incidentId)).rejects.toThrow(hint);
});

it.each<[string, string, string | undefined]>([
  ["a page with cards", checkoutLatency, undefined],
  ["a page with components", checkoutOutage, shop],
])(
  "an ID on %s that is in the page's list isn't reported as wrong if it can't be read",
  async (_, id, page) => {
    expect(await connectIncidents(page).describeLocation(id)).toBe("");
  },
);

it("lists that don't respond give no hint about an incident's location, and are awaited for at most five seconds", async () => {
  sandbox().faults.add({ kind: "hang" });
  const began = Date.now();
  expect(await connectIncidents(shop).describeLocation("inc_checkout_outag")).toBe("");
  expect(Date.now() - began).toBeLessThanOrEqual(5_000);
});

it("a page without a list of incidents is treated as empty", async () => {
  const connections = connectionsTo(await serveLists({ [withCards]: [{ id: "p1", name: "Shop" }] }));
  expect(await connections.connect().getIncidents().describeLocation("inc_0")).toBe("");
});

it("a page's name can't control a terminal", async () => {
  sandbox().dashboard.change(({ accounts: [{ componentPages }] }) => {
    for (const page of componentPages) page.name = "\u001b[31mShop";
  });
  const hint = await connectIncidents().describeLocation(checkoutOutage);
  expect(hint).toMatch(/is on the status page ".*Shop"/);
  expect(hint).not.toContain("\u001b");
});

it("an update is read again after a write to its incident", async () => {
  const incidents = connectIncidents(shop);
  const [update] = sandbox().incident(checkoutOutage, shop).incidentUpdates;
  const { id = "", description } = update ?? {};
  const read = async () => (await incidents.getUpdate(checkoutOutage, id)).description;
  expect(await read()).toBe(description);
  sandbox().dashboard.editUpdate(checkoutOutage, id, { description: "Other." }, shop);
  expect(await read()).toBe(description);
  incidents.forget(checkoutOutage);
  expect(await read()).toBe("Other.");
  const before = await incidents.get(checkoutOutage);
  incidents.forget(shop);
  expect(await incidents.get(checkoutOutage)).not.toBe(before);
});

it("the hint about an incident's location replaces the advice of the error", async () => {
  await expect(connectIncidents(shop).get(checkoutLatency)).rejects.toThrow(
    / in this account"\. Incident "inc_checkout_latency" is on a page with cards\. Remove `statusPageId`\. Request ID: \S+\.$/,
  );
});

const { whenNotFound: advice } = operations.getStatusPageIncident;
it.each([
  ["replaces the advice", ` ${advice}`, " Here.", " Here."],
  ["follows the message, if there is no advice", "", " Here.", " Here."],
  ["precedes the advice, if it is a guess", ` ${advice}`, " There?", ` There? ${advice}`],
  ["leaves the advice unchanged, if it is unknown", ` ${advice}`, "", ` ${advice}`],
])("a location in an error %s", (_, before, place, after) => {
  expect(insertLocation(`Not found.${before}`, place)).toBe(`Not found.${after}`);
});

it("an incident isn't searched for if reading it is forbidden, and isn't found if it doesn't exist", async () => {
  expect(await connectIncidents(shop).find(checkoutLatency)).toBeUndefined();
  expect(await connectIncidents(shop).find(checkoutOutage)).toMatchObject({ id: checkoutOutage });
  sandbox().faults.add({ kind: "status", code: 403, operation: "getComponentPageIncident" });
  await expect(connectIncidents(shop).get(checkoutLatency)).rejects.toThrow(/^(?!.*statusPageId)/);
  sandbox().faults.add({ kind: "status", code: 403, operation: "getComponentPage" });
  sandbox().clearRequests();
  await expect(connectAll().openingsOn(shop, "Outage", []).uncached.read(shop)).rejects.toThrow("HTTP 403");
  expect(sandbox().requests).toHaveLength(1);
});

it("an incident is searched for on at most 20 pages, in lists of the largest size", async () => {
  sandbox().dashboard.change(({ accounts: [{ componentPages }] }) => {
    const [page] = componentPages;
    for (let more = 0; page && more < 30; more += 1)
      componentPages.push({ ...page, id: `page_${more}`, components: [], incidents: [] });
  });
  sandbox().clearRequests();
  await connectIncidents(shop).describeLocation("inc_0");
  const asked = sandbox().requests;
  expect(asked).toHaveLength(22);
  expect(asked.map(({ query }) => query["limit"])).toEqual(asked.map(() => "100"));
});

it.each([
  ["cards", undefined, checkoutLatency],
  ["components", shop, checkoutOutage],
])(
  "updates are posted to an incident of a page with %s, and read and edited where that is possible",
  async (_, page, id: string) => {
    const incidents = connectIncidents(page);
    const { uncached } = incidents;
    const posted = await uncached.post(id, {
      status: "MONITORING",
      description: "Slow.",
      notifySubscribers: false,
    });
    const shown = page === undefined ? sandbox().incident(id) : sandbox().incident(id, page);
    const [{ id: postedId } = { id: "" }, other] = shown.incidentUpdates;
    expect(posted.id).toBe(postedId);
    expect((await incidents.getUpdate(id, postedId)).description).toBe("Slow.");
    expect((await incidents.getUpdate(id, other?.id ?? "")).description).toBe(other?.description);
    const editing = uncached.edit(id, postedId, {
      status: "MONITORING",
      description: "Fast.",
      publicIncidentUpdateDate: new Date().toISOString(),
    });
    if (page === undefined) await expect(editing).rejects.toThrow("has no operation that edits an update");
    else expect((await editing).description).toBe("Fast.");
  },
);

it("cached reads of an incident are dropped for all accounts", async () => {
  const { url, apiKey, accountId } = sandbox();
  const accounts = JSON.stringify({ same: { apiKey, accountId, baseUrl: url } });
  const known = new Connections((key) => ({ accounts })[key], {});
  const read = () => known.connect("same").getIncidents(shop).find(checkoutOutage);
  const before = await read();
  expect(await read()).toBe(before);
  known.forgetIncident(checkoutOutage);
  expect(await read()).not.toBe(before);
});

const [early, later] = ["2026-11-20T09:00:00.000Z", "2026-11-20T09:30:00.000Z"];
const firstUpdate = { id: "u1", status: "INVESTIGATING", description: "Slow.", created_at: early } as const;
const lastUpdate = { ...firstUpdate, id: "u2", description: "Slower.", created_at: later };
const lasting: NewComponentImpact[] = [{ componentId: "c1", status: "MAJOR_OUTAGE" }];
const opened = { id: "inc_1", name: "Outage", created_at: early, lastUpdateStatus: "INVESTIGATING" } as const;
const history = (...incidentUpdates: object[]) => ({ ...opened, componentImpacts: lasting, incidentUpdates });
const entry = {
  ...{ id: "inc_1", name: "Outage", created_at: early, isResolved: false, componentImpacts: lasting },
  ...{ status: "INVESTIGATING", description: "Slow.", notifySubscribers: undefined },
};

/** Connects to a page with one incident whose responses to writes contain no history. */
async function openingOf(shown: object, listed: object = shown, answer: object = opened) {
  const service = await serve((response, { method, url }) => {
    if (method !== "GET") send(response, url.includes("-updates") ? firstUpdate : answer);
    else if (url.includes("?")) send(response, { entries: [listed], length: 1, nextId: null });
    else if (url.includes("/incidents")) send(response, shown, shown === notFound ? 404 : 200);
    else send(response, { id: "page", name: "Shop", created_at: early });
  });
  const { uncached } = connectionsTo(service).connect().openingsOn("page", "Outage", lasting);
  const writes = () =>
    service.requests
      .filter(({ method }) => method !== "GET")
      .map(({ url, body }) => [url.split("/incidents/")[1] ?? "", JSON.parse(body) as unknown]);
  return { service, uncached, writes };
}

const { componentImpacts: _lasting, ...withoutImpacts } = entry;
const over = { ...history(firstUpdate), lastUpdateStatus: "RESOLVED" };
const impacts = [
  { componentId: "c0", status: "MAJOR_OUTAGE", endedAt: early },
  ...[{ componentId: "c0", status: "ON_FIRE" }, ...lasting],
];
it.each<[string, shown: object, entries: object[], listed?: object]>([
  ["with its first update", history(lastUpdate, firstUpdate), [entry]],
  ["without impacts, if none are shown", { ...opened, incidentUpdates: [firstUpdate] }, [withoutImpacts]],
  [
    "with its lasting impacts",
    { ...history(firstUpdate), componentImpacts: impacts },
    [{ ...entry, unknownImpacts: ["c0"] }],
  ],
  ["that is resolved, if it has the declared name", over, [{ ...withoutImpacts, isResolved: true }]],
  ["unless it is resolved and has another name", over, [], { ...over, name: "Other" }],
  ["unless it is open and has another name", history(firstUpdate), [], { ...history(), name: "Other" }],
])("an incident of a page is read %s", async (_, shown, incidentUpdates, listed = shown) => {
  const { uncached } = await openingOf(shown, listed);
  const page = { id: "page", name: "Shop", created_at: early };
  expect(await uncached.read("page")).toEqual({ ...page, incidentUpdates });
});

it.each([
  ["an open", history(firstUpdate), entry],
  ["a resolved", over, { ...withoutImpacts, isResolved: true }],
])(
  "%s incident with another name is read if this machine sent one when it was created",
  async (_, shown, found) => {
    const { uncached } = await openingOf({ ...shown, name: "Renamed" });
    const read = (sentAt: number) => uncached.read("page", {}, [sentAt]);
    const named = { ...found, name: "Renamed" };
    expect((await read(Date.parse(early) - 120_000)).incidentUpdates).toEqual([named]);
    expect((await read(Date.parse(early) + 120_001)).incidentUpdates).toEqual([]);
  },
);

it.each([
  ["can't be found", notFound],
  ["has no update yet", opened],
])("an incident that is listed but %s is read again, and nothing is opened", async (_, shown) => {
  const { uncached, service } = await openingOf(shown, history());
  await expect(uncached.read("page")).rejects.toThrow(
    `The page lists the incident "Outage" (inc_1), but the service doesn't return its first update yet. Nothing was opened.`,
  );
  expect(service.requests).toHaveLength(2 + 5);
});

it.each<[string, answer: object, description: string]>([
  ["the shown update", history({ ...firstUpdate, description: "Shown." }), "Shown."],
  ["the sent update, if none is shown", opened, "Slow."],
  ["the sent update, if there is no list", { ...opened, incidentUpdates: null }, "Slow."],
  ["the sent update, if the list is empty", { ...opened, incidentUpdates: [] }, "Slow."],
])("an incident is opened with the declared name, and read with %s", async (_, answer, description) => {
  const { uncached, writes } = await openingOf({}, {}, { ...answer, componentImpacts: lasting });
  const { status, description: text } = firstUpdate;
  const update = { status, description: text, notifySubscribers: true };
  const read = await uncached.post("page", update);
  const { notifySubscribers: _sent, ...expected } = entry;
  expect(read).toMatchObject({ ...expected, description });
  const sent = { name: "Outage", incidentUpdates: [update], componentImpacts: lasting };
  expect(writes()).toEqual([["", sent]]);
});
