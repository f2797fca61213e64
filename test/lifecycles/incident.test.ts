/**
 * Incidents on pages with components: the requests that open them, and that none is opened twice. Every interleaving:
 * test/explore/configurations/opened.js. Changes of impacts: impacts.test.ts.
 */
import { seedData, wellKnown } from "../../sandbox";
import { args, IncidentService, page } from "./incidentService";
import { imported, type Properties } from "./phases";
import { catchError, type ResourceState } from "./updateProcess";

const service = new IncidentService();
const { changeByHand, incidents, leaveUnconfirmed, opened, process, resolve, up } = service;

it("an incident is opened with its name, its first update and the IDs of its components", async () => {
  const { id, outs } = await up();
  const posts = service.sandbox.requests.filter(({ method }) => method === "POST");
  const { status, description, notifySubscribers, name } = args;
  const [{ id: componentId } = { id: "" }] =
    service.sandbox.data.accounts[0].componentPages[0]?.components.filter(
      (each) => each.name === "Checkout",
    ) ?? [];
  expect(posts.map(({ path, body }) => [path, body])).toEqual([
    [
      `/v3/status-pages/${page}/incidents`,
      {
        name,
        incidentUpdates: [{ status, description, notifySubscribers }],
        componentImpacts: [{ componentId, status: "UNDER_MAINTENANCE" }],
      },
    ],
  ]);
  const [incident] = opened();
  expect(id).toBe(`${page}/${incident?.id}`);
  expect(outs).toMatchObject({ ...args, incidentId: incident?.id, missing: false });
  expect(outs).not.toHaveProperty("account");
  expect(await up({}, { id, outs })).toEqual({ id, outs });
});

it("an incident without impacts is opened without any, in its account", async () => {
  const { url: baseUrl, apiKey, accountId } = service.sandbox;
  const accounts = JSON.stringify({ shop: { baseUrl, apiKey, accountId } });
  const { outs } = await up({ impacts: [], account: "shop" }, undefined, { "monitoring:accounts": accounts });
  expect(outs).toMatchObject({ impacts: [], account: "shop" });
  const [post] = service.sandbox.requests.filter(({ method }) => method === "POST");
  expect(post?.body).toMatchObject({ componentImpacts: [] });
});

it("an identical incident is adopted while it is open, and a resolved one requires a code, which opens another", async () => {
  await up();
  const { outs } = await up();
  expect(outs["incidentId"]).toBe(opened()[0]?.id);
  expect(service.notices.join()).toContain("adopted the identical incident");
  resolve();
  const { message } = await catchError(up());
  expect(message).toContain("and the same first update. Nothing was opened.");
  expect(opened()).toHaveLength(1);
  const [, code = ""] = /monitoring:resend (\w{8})/.exec(message) ?? [];
  await up({}, undefined, { "monitoring:resend": code });
  expect(opened()).toHaveLength(2);
});

it("opening sends three reads and one post, and an unchanged incident sends nothing", async () => {
  const before = await up();
  const methods = service.sandbox.requests.map(({ method }) => method);
  expect(methods.filter((method) => method === "GET")).toHaveLength(3);
  expect(methods.filter((method) => method !== "GET")).toEqual(["POST"]);
  service.sandbox.clearRequests();
  expect(await up({}, before)).toEqual(before);
  expect(service.sandbox.requests).toEqual([]);
});

const maintain = (component: string) => ({ component, status: "UNDER_MAINTENANCE" });
const maintained = (component: object) => ({ impacts: [{ ...component, status: "UNDER_MAINTENANCE" }] });
const {
  statusPages: [{ id: cards, name: cardsName } = { id: "", name: "" }],
  componentPages: seededPages,
} = seedData().accounts[0];
const findComponent = (name: string) =>
  seededPages.find(({ id }) => id === page)?.components.find((each) => each.name === name);
const checkoutId = findComponent("Checkout")?.id;

it.each([
  ["a component that doesn't exist", maintained({ component: "Chekout" }), '(did you mean "Checkout"?).'],
  [
    "an ID of no component",
    maintained({ componentId: "none" }),
    `impacts[0].componentId isn't a component of the status page ${page}; its components are ${checkoutId} (Checkout), `,
  ],
  ["a misspelled ID", maintained({ componentId: `${checkoutId}_` }), `(did you mean "${checkoutId}"?).`],
  [
    "two unknown components",
    { impacts: ["One", "Two"].map(maintain) },
    "its components are Checkout, Cart, Search, Images.\n  - impacts[1].component isn't a",
  ],
  ["a group", maintained({ component: "Orders" }), "is a group. Name its components"],
  [
    "two components of one name",
    maintained({ component: "Search" }),
    `is the name of 2 components. Set componentId (${findComponent("Search")?.id}, comp_search_2)`,
  ],
  [
    "an impact twice",
    { impacts: [...args.impacts, ...args.impacts] },
    "impacts[1] must not name a component twice",
  ],
  [
    "a component that is named and given by its ID",
    { impacts: [...args.impacts, { componentId: checkoutId, status: "MAJOR_OUTAGE" }] },
    "must not name a component twice",
  ],
  ["a page that isn't found", { statusPageId: "page_none" }, "not found (HTTP 404)"],
  ["a misspelled page", { statusPageId: "page_shpo" }, `Did you mean "${page}"?`],
  [
    "a page with cards",
    { statusPageId: cards },
    `"${cardsName}" is a page with cards, which the vendor has retired.`,
  ],
  [
    "a page with cards, without impacts",
    { statusPageId: cards, impacts: [] },
    `"${cardsName}" is a page with cards, which the vendor has retired.`,
  ],
])("no incident is opened for %s", async (_, wrong, why) => {
  const copy = findComponent("Search");
  service.sandbox.byHand.change(({ accounts: [{ componentPages }] }) => {
    const shop = componentPages.find(({ id }) => id === page);
    if (copy && why.includes("2 components")) shop?.components.push({ ...copy, id: "comp_search_2" });
  });
  const { message } = await catchError(up(wrong));
  expect(message).toContain(why);
  expect(message.match(/undefined|twice/g)).toEqual(why.match(/twice/g));
  expect(service.sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it.each([{ name: "Database upgrades" }, { description: "Soon." }, { status: "RESOLVED" }])(
  "a change of an open incident is rejected until the dashboard shows it: %j",
  async (change) => {
    const before = await up();
    const { message } = await catchError(up(change, before));
    expect(message).toContain(
      `${Object.keys(change)[0]} must not change, because the incident is public (MONITORING, a secret text). Nothing was opened.`,
    );
    expect(message).toContain("correct it in the dashboard, declare what the page then shows, and run");
    changeByHand((incident) => {
      const { name, ...first } = { name: incident.name, ...change };
      incident.name = name;
      Object.assign(incident.incidentUpdates[0] ?? {}, first);
    });
    service.sandbox.clearRequests();
    const after = await up(change, before);
    expect(after.outs).toMatchObject(change);
    expect(await up(change, after)).toEqual(after);
    expect(new Set(service.sandbox.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  },
);

it("an ended incident with the declared name requires a code if its history lacks the first update", async () => {
  await up();
  resolve();
  changeByHand((incident) => {
    const [last] = incident.incidentUpdates;
    const later = (_: unknown, index: number) => last && { ...last, id: `later-${index}` };
    incident.incidentUpdates = Array.from({ length: 100 }, later).flatMap((each) => each ?? []);
  });
  service.resource = "another";
  const { message } = await catchError(up());
  expect(message).toMatch(/is resolved, .* Nothing was opened\./);
  expect(opened()).toHaveLength(1);
});

it("an incident whose name the service shows with other characters isn't opened again", async () => {
  const name = "Database upgrade \u2192 v2";
  const { outs } = await up({ name });
  changeByHand((incident) => (incident.name = name.replace("\u2192", "?")));
  service.resource = "another";
  expect((await up({ name })).outs["incidentId"]).toBe(outs["incidentId"]);
  expect(opened()).toHaveLength(1);
});

it.each(["open", "resolved"])("an incident that is %s is imported with its inputs", async (state) => {
  const { id, outs } = await up();
  if (state === "resolved") resolve();
  const { inputs, outputs } = await imported("Incident", id, service.sandbox);
  const { notifySubscribers: _, ...declared } = args;
  const lasting = [{ componentId: checkoutId, status: "UNDER_MAINTENANCE" }];
  const impacts = state === "open" ? lasting : [];
  expect(inputs).toEqual({ ...declared, impacts });
  expect(outputs).toMatchObject({ ...declared, impacts, incidentId: outs["incidentId"], missing: false });
});

it.each(["page_shop", "/inc_1", "page_shop/", "page_shop/inc_1/upd_1"])(
  "an import of an incident explains the format of an ID for %p, and sends no request",
  async (id) => {
    const { message } = await catchError(imported("Incident", id, service.sandbox));
    expect(message).toBe("Incident import: id must be <statusPageId>/<incidentId>.");
    expect(service.sandbox.requests).toEqual([]);
  },
);

it("an incident that can't be declared isn't imported, and the reasons are reported", async () => {
  const { id } = await up();
  changeByHand(({ incidentUpdates }) => incidentUpdates.forEach((each) => (each.description = "")));
  const { message } = await catchError(imported("Incident", id, service.sandbox));
  const reason = "description must not be empty";
  expect(message).toBe(`Incident import: id is the ID of an incident that can't be declared: ${reason}.`);
});

it("a refresh shows an edit by hand, and that an incident is missing", async () => {
  const { id, outs } = await up();
  changeByHand((incident) => (incident.name = "Database moves"));
  const { impacts: _, statusPageId: __, ...content } = { ...args, name: "Database moves" };
  expect(await (await process()).read(id, outs)).toEqual({
    id,
    props: {
      ...outs,
      missing: false,
      published: { ...content, componentImpacts: (outs["published"] as Properties)["componentImpacts"] },
    },
  });
  expect(service.notices).toEqual([]);
  const gone = { ...outs, incidentId: "inc_gone" };
  const goneId = `${page}/inc_gone`;
  expect(await (await process()).read(id, gone)).toEqual({ id: goneId, props: { ...gone, missing: true } });
  await (await process()).delete(goneId, { ...gone, missing: true });
  expect(service.notices).toEqual([
    `Incident "upgrade", ${goneId}: not found on the service. It stays in the state and is not opened again.`,
    `Incident "upgrade", ${goneId}: removed from the state. The incident was missing at the last refresh.`,
  ]);
  const labs = { "monitoring:accountId": wellKnown.accounts.labs };
  const { message } = await catchError((await process(labs)).read(id, outs));
  expect(message).toContain(", but the incident was opened on account ");
});

it("a refresh of an incident whose response was lost only reports that it is unconfirmed", async () => {
  const { id, outs } = await leaveUnconfirmed();
  service.sandbox.clearRequests();
  service.notices = [];
  expect(await (await process()).read(id, outs)).toEqual({
    id,
    props: { ...outs, __provider: undefined },
  });
  expect(service.notices).toEqual([
    `Incident "upgrade" on status page ${page}: still unconfirmed. \`pulumi up\` searches for the incident.`,
  ]);
  expect(id).toMatch(/^page_shop\/incident-[0-9a-f]{16}$/);
  expect(service.sandbox.requests).toEqual([]);
});

const stillOpen =
  " It is still open. To resolve it, post a RESOLVED update in the dashboard, or declare an IncidentUpdate with this statusPageId and incidentId.";
const shown = /^Incident "upgrade", page_shop\/[-0-9a-f]+: removed from the state\. The incident /;
it.each<[string, () => Promise<ResourceState>, RegExp, string, number]>([
  ["that is open", () => up(), shown, `stays public.${stillOpen}`, 1],
  ["that is resolved", () => up().finally(resolve), shown, "stays public.", 1],
  [
    "whose response was lost",
    () => leaveUnconfirmed(),
    /^Incident "upgrade" on status page page_shop: removed from the state\. The incident /,
    "may be public.",
    0,
  ],
  [
    "that can't be read",
    () => up().finally(() => service.sandbox.faults.add({ kind: "status", code: 403 })),
    shown,
    "stays public.",
    1,
  ],
])("the removal of an incident %s is reported", async (_, declare, removed, text, reads) => {
  const { id, outs } = await declare();
  service.sandbox.clearRequests();
  service.notices = [];
  await (await process()).delete(id, outs);
  expect(service.notices).toEqual([expect.stringMatching(removed)]);
  expect(service.notices.join().replace(removed, "")).toBe(text);
  expect(service.sandbox.requests).toHaveLength(reads);
});
