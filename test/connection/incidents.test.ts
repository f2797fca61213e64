/** Tests the hints about an incident that isn't at its declared location. */
import { operations } from "../../provider/api";
import { wellKnown } from "../../sandbox";
import { addPageHint, type Connection, Connections, type Incidents } from "../../provider/connection";
import { insertLocation } from "../../provider/connection/incidents";
import "../lifecycles/idleClock";
import { sandboxForEachTest } from "../sandbox/sandboxes";
import { connectionsTo, serveLists, withCards, withComponents } from "../lookups/lists";

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

it.each<[count: number, hint: string]>([
  [0, ` ${operations.getComponentPage.whenNotFound}`],
  [1, ' The status pages with components are "Page 1" (a1).'],
  [
    5,
    ' The status pages with components are "Page 1" (a1), "Page 2" (a2), "Page 3" (a3), "Page 4" (a4), and "Page 5" (a5).',
  ],
  [
    7,
    ' The status pages with components are "Page 1" (a1), "Page 2" (a2), "Page 3" (a3), "Page 4" (a4), "Page 5" (a5), and 2 more.',
  ],
])("the error for a page that doesn't exist lists at most five of %d pages", async (count, hint) => {
  const pages = Array.from({ length: count }, (_, index) => ({
    id: `a${index + 1}`,
    name: `Page ${index + 1}`,
  }));
  const { client } = connectionsTo(await serveLists({ [withComponents]: pages })).connect();
  const reading = addPageHint(client, "page_none", client.getComponentPage("page_none"));
  await expect(reading).rejects.toThrow(
    new Error(`getComponentPage page_none: not found (HTTP 404): "No".${hint}`),
  );
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
