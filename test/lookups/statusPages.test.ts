/**
 * Tests status pages of both kinds. No incident is missed: unreadable data is an error, and if a field of an incident is unknown, the
 * incident closes a gate.
 */
import { lookups, runLookup } from "../../provider/lookups";
import { formatOpenIncidents } from "../../provider/lookups/lookupErrors";
import { connectionsTo, type Listed, type Lists, serveLists, withCards, withComponents } from "./lists";

const minutes = (count: number) => `2026-01-01T00:${String(count).padStart(2, "0")}:00.000Z`;
const open = (id: string, more: object = {}) => ({
  ...{ id, name: `Outage ${id}`, lastUpdateStatus: "IDENTIFIED", created_at: minutes(1) },
  ...more,
});
const resolved = (id: string) => open(id, { lastUpdateStatus: "RESOLVED" });
const slow = open("slow", { severity: "MINOR", services: [] });
const outage = open("outage");

const shop = { id: "shop", name: "Shop", incidents: [slow], cards: [] };
const labs = { id: "labs", name: "Labs" };
const ofLabs = `${withComponents}/labs/incidents`;
const ofFresh = `${withComponents}/fresh/incidents`;
const componentsOfLabs = `${withComponents}/labs/components`;
const many = <Entry>(count: number, of: (id: string) => Entry) =>
  Array.from({ length: count }, (_, index) => of(`o${index}`));
const manyPages = many(101, (id) => ({ id, name: id, incidents: [] }));
const thenGone = (list: Listed) => (turn: number) => (turn === 1 ? list : 404);
/** Moves the last object to the start. */
const moved = (list: readonly object[]) => [...list.slice(-1), ...list.slice(0, -1)];
const thousand = [...many(999, resolved), outage];

const both: Lists = { [withCards]: [shop], [withComponents]: [labs], [ofLabs]: [outage] };

/** Reads like a gate, and fails if an incident is open. */
async function gate(from: ReturnType<typeof connectionsTo>, args: object = {}) {
  const context = { connections: from, caller: 'OpenIncidentGate "gate"' };
  const { incidents } = await runLookup(lookups.getOpenIncidents, args, context);
  if (incidents.length > 0) throw new Error(formatOpenIncidents("gate", incidents));
}

const openIds = async (from: ReturnType<typeof connectionsTo>, args: object = {}) =>
  (await runLookup(lookups.getOpenIncidents, args, { connections: from })).incidents.map(
    ({ id, statusPages }) => `${id} on ${statusPages.map((page) => page.id).join(" and ")}`,
  );

const pageIds = async (from: ReturnType<typeof connectionsTo>) =>
  (await runLookup(lookups.getStatusPages, {}, { connections: from })).statusPages.map(
    ({ id, version }) => `${id} of version ${version}`,
  );

/** Returns the error or the result, and the number of requests. */
async function outcome<Result>(
  lists: Lists,
  read: (from: ReturnType<typeof connectionsTo>) => Promise<Result>,
) {
  const service = await serveLists(lists);
  const result = await read(connectionsTo(service)).catch(String);
  return [result, service.requests.length] as const;
}

const matchError = (...texts: string[]): unknown => expect.stringMatching(`^${texts.join(".*")}`);
const shopOnly = ["shop of version 2"];
const labsOnly = ["labs of version 3"];
const bothPages = [...shopOnly, ...labsOnly];
const isNotFound = matchError("NotFoundError: listStatusPages: not found \\(HTTP 404\\)");
const isGone = (list: string) =>
  matchError("PagingError: ", `${list}: the next page was not found \\(HTTP 404\\)`);
const isOfProxy = (list: string) =>
  matchError(`ServerError: ${list}: the response didn't come from the API \\(HTTP 404\\)`);
const keepsChanging = matchError(
  "PagingError: listStatusPages: the list changed during each of 3 attempts to read it",
);

/** Contains more pages than one response. The last page has an open incident. */
const withShop = [...many(100, (id) => ({ id, name: id, incidents: [] })), shop];
/** Omits the first page, so that the last page is in the first response. */
const shifted = withShop.slice(1);
const rotated = (list: readonly object[]) => (turn: number) => [...list.slice(turn), ...list.slice(0, turn)];
const formatIds = (list: readonly { id: string }[]) => list.map(({ id }) => `${id} of version 2`);
const ofOthers = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [`${withComponents}/o${index}/incidents`, []]),
);
const withLabs = [...many(100, (id) => ({ id, name: id })), labs];
const labsOfMany = [...shopOnly, ...formatIds(withLabs).map((id) => id.replace("version 2", "version 3"))];

const [goneCards, goneComponents] = [isGone("listStatusPages"), isGone("listComponentPages")];
const ofLabsFails = (kind: string) => matchError(`${kind}: listComponentPageIncidents labs: `);
const onBoth = ["slow on shop", "outage on labs"];

test.each<[what: string, Lists, incidents: unknown, requests: number, pages?: unknown, requests?: number]>([
  ["both kinds of pages", {}, onBoth, 3],
  ["no list of pages with components", { [withComponents]: 404 }, ["slow on shop"], 2, shopOnly],
  ["no list of pages with cards", { [withCards]: 404 }, ["outage on labs"], 3, labsOnly],
  ["neither list", { [withCards]: 404, [withComponents]: 404 }, isNotFound, 2, isNotFound],
  ...[500, 403].flatMap((status): [string, Lists, unknown, number, unknown, number?][] => {
    const [cards, components] = ["listStatusPages", "listComponentPages"].map((list) =>
      matchError("\\w+Error: ", `${list}: .*HTTP ${status}`),
    );
    const ofComponents = { [withComponents]: status };
    return [
      [`${status} for pages with cards`, { [withCards]: status }, cards, 1, cards, 1],
      [`${status} for pages with components`, ofComponents, components, 2, components],
      [`404 and ${status}`, { [withCards]: 404, ...ofComponents }, components, 2, components],
    ];
  }),
  ["a later page with cards that was deleted", { [withCards]: thenGone(manyPages) }, goneCards, 2, goneCards],
  [
    "a later page with components that was deleted",
    { [withComponents]: thenGone(manyPages) },
    ...([goneComponents, 3, goneComponents, 3] as const),
  ],
  ...["<html>Not Found</html>", '{"error":"Not Found"}'].flatMap(
    (body): [string, Lists, unknown, number, unknown, number?][] => {
      const [cards, components] = ["listStatusPages", "listComponentPages"].map(isOfProxy);
      const [ofCards, ofComponents] = [withCards, withComponents].map((list) => ({
        [list]: { status: 404, body },
      }));
      return [
        [`404 and ${body} for pages with cards`, ofCards ?? {}, cards, 1, cards, 1],
        [`404 and ${body} for pages with components`, ofComponents ?? {}, components, 2, components],
      ];
    },
  ),
  [
    "cards, one of which is missing on a replica",
    { [withCards]: (turn) => (turn === 2 ? shifted : withShop) },
    ...([onBoth, 8, [...formatIds(withShop), ...labsOnly], 7] as const),
  ],
  [
    "cards, one of which is deleted between two requests",
    { [withCards]: (turn) => (turn === 1 ? withShop : shifted) },
    ...([onBoth, 5, [...formatIds(shifted), ...labsOnly], 4] as const),
  ],
  [
    "components, one of which is missing on a replica",
    { [withComponents]: (turn) => (turn === 2 ? withLabs.slice(1) : withLabs), ...ofOthers },
    ...([onBoth, 108, labsOfMany, 7] as const),
  ],
  ["cards that keep moving", { [withCards]: rotated(withShop) }, keepsChanging, 6, keepsChanging, 6],
  [
    "a page that is deleted before its incidents are read",
    { [ofLabs]: 404 },
    ofLabsFails("NotFoundError"),
    3,
  ],
  ["incidents that can't be read", { [ofLabs]: 500 }, ofLabsFails("ServerError"), 3],
  [
    "a later page of incidents that was deleted",
    { [ofLabs]: thenGone(thousand) },
    ...([isGone("listComponentPageIncidents labs"), 4] as const),
  ],
  ["1,000 incidents, the last of which is open", { [ofLabs]: thousand }, onBoth, 22],
  [
    "an open incident that moves to the page that was read",
    { [ofLabs]: (turn) => (turn === 1 ? thousand : moved(thousand)) },
    ...([onBoth, 32] as const),
  ],
])("lookups and gates read pages with %s", async (_, changes, incidents, requests, ...ofPages) => {
  const lists = { ...both, ...changes };
  const [pages = bothPages, requestsOfPages = 2] = ofPages;
  expect(await outcome(lists, openIds)).toEqual([incidents, requests]);
  const closed = Array.isArray(incidents) ? matchError('Error: OpenIncidentGate "gate": ') : incidents;
  expect(await outcome(lists, gate)).toEqual([closed, requests]);
  expect(await outcome(lists, pageIds)).toEqual([pages, requestsOfPages]);
});

test("equal reads share one request, and a list that doesn't exist is requested once, even if a search reads again", async () => {
  const fresh = { id: "fresh", name: "Fresh" };
  const withFresh = { [withComponents]: (turn: number) => (turn === 1 ? [labs] : [labs, fresh]) };
  const service = await serveLists({ ...both, [withCards]: 404, ...withFresh, [ofFresh]: [] });
  const connections = connectionsTo(service);
  await Promise.all([pageIds(connections), openIds(connections), openIds(connections)]);
  expect(service.requests).toHaveLength(3);
  const { reads } = connections.connect();
  // Neither read finds the page in the list that was already read.
  for (const page of await Promise.all([reads.getStatusPage("fresh"), reads.getStatusPage("fresh")]))
    expect(page).toMatchObject(fresh);
  expect((await reads.getStatusPage("labs"))?.version).toBe(3);
  connections.forgetIncident("outage");
  await openIds(connections);
  const paths = service.requests.slice(3).map(({ url }) => url.replace(/\?.*/, ""));
  expect(paths).toEqual([withComponents, withComponents, ofLabs, ofFresh]);
});

test("a failed read is repeated by the next lookup", async () => {
  const connections = connectionsTo(
    await serveLists({ ...both, [ofLabs]: (turn) => (turn === 1 ? 500 : [outage]) }),
  );
  await expect(openIds(connections)).rejects.toThrow("HTTP 500");
  expect(await openIds(connections)).toEqual(onBoth);
});

const migrating = (onCards: object[], onComponents: object[], ...others: object[]) => ({
  [withCards]: [{ ...labs, incidents: onCards, cards: [] }, ...others],
  [withComponents]: [labs],
  [ofLabs]: onComponents,
});
const help = { id: "help", name: "Help", incidents: [outage], cards: [] };

test.each<[what: string, Parameters<typeof migrating>, onLabs: string[], onHelp?: string[]]>([
  ["an incident that was resolved in between is excluded", [[outage], [resolved("outage")]], []],
  ["an incident that was reopened is included", [[resolved("outage")], [outage]], ["outage"]],
  [
    "an incident that another page with cards shows is included there",
    [[outage], [outage], help],
    ["outage"],
    ["outage"],
  ],
])("incidents on a page in both lists are counted once: %s", async (_, lists, onLabs, ...[onHelp = []]) => {
  const expected = [...onHelp.map((id) => `${id} on help`), ...onLabs.map((id) => `${id} on labs`)];
  const connections = connectionsTo(await serveLists(migrating(...lists)));
  expect(await openIds(connections)).toEqual(expected);
  expect((await pageIds(connections)).filter((page) => page.startsWith("labs"))).toEqual(labsOnly);
});

const component = (id: string, name: string, parentId?: string) => ({ id, name, parentId });
const components = [
  ...[component("g1", "Orders"), component("c1", "Checkout", "g1"), component("c2", "Search")],
  component("c3", "Orphan", "g9"),
];
const impact = (componentId: string, status: string, endedAt: string | null = null) => ({
  ...{ componentId, status, startedAt: minutes(1), endedAt },
});
const affecting = (id: string, ...componentImpacts: object[]) => open(id, { componentImpacts });
const affected = [
  affecting("major", impact("c1", "MAJOR_OUTAGE")),
  affecting("degraded", impact("c2", "DEGRADED_PERFORMANCE")),
  affecting("better", impact("c1", "MAJOR_OUTAGE", minutes(2)), impact("c2", "UNDER_MAINTENANCE")),
  affecting("ended", impact("c1", "MAJOR_OUTAGE", minutes(2))),
  open("silent"),
  affecting("unlisted", impact("c9", "PARTIAL_OUTAGE")),
  affecting("orphan", impact("c3", "PARTIAL_OUTAGE")),
  affecting("odd", impact("c2", "MELTED")),
  affecting("fine", impact("c1", "OPERATIONAL")),
  affecting("group", impact("g1", "DEGRADED_PERFORMANCE")),
];
const withImpacts = { ...both, [ofLabs]: affected, [componentsOfLabs]: components };
/** Incidents that may affect any service. */
const any = ["ended", "silent", "unlisted", "orphan"];

test.each<[args: object, expected: string[]]>([
  [{}, affected.map(({ id }) => id)],
  [{ atLeast: "CRITICAL" }, affected.map(({ id }) => id)],
  [{ atLeastImpact: "MAJOR_OUTAGE" }, ["major", "ended", "silent", "odd"]],
  [{ atLeastImpact: "PARTIAL_OUTAGE" }, ["major", ...any, "odd"]],
  [{ atLeastImpact: "DEGRADED_PERFORMANCE" }, ["major", "degraded", ...any, "odd", "group"]],
  [{ atLeastImpact: "UNDER_MAINTENANCE" }, ["major", "degraded", "better", ...any, "odd", "group"]],
  ...["Checkout", "c1", "Orders", "g1"].map((service): [object, string[]] => [
    { services: [service] },
    ["major", ...any, "fine", "group"],
  ]),
  [{ services: ["Search"] }, ["degraded", "better", ...any, "odd"]],
  [{ services: ["c1", "c2"] }, affected.map(({ id }) => id)],
  [{ services: ["Search"], atLeastImpact: "PARTIAL_OUTAGE" }, [...any, "odd"]],
  [{ services: ["Checkout"], atLeastImpact: "MAJOR_OUTAGE" }, ["major", "ended", "silent"]],
])("incidents on a page with components, selected with %j", async (args, expected) => {
  const connections = connectionsTo(await serveLists(withImpacts));
  const onLabs = expected.map((id) => `${id} on labs`);
  expect(await openIds(connections, { statusPage: "labs", ...args })).toEqual(onLabs);
});

test.each<[service: string, impact: string, counts: boolean]>([
  ["Shop", "c1", true],
  ["Checkout", "g0", true],
  ["Checkout", "c2", false],
  ["Search", "g0", false],
  ["Loop", "g3", true],
])("groups within groups: with %s, the effect of an impact on %s is %p", async (service, on, counts) => {
  const groups = [
    component("g0", "Shop"),
    component("g1", "Orders", "g0"),
    component("c1", "Checkout", "g1"),
  ];
  const loop = [component("g2", "Loop", "g3"), component("g3", "Again", "g2")];
  const lists = { [componentsOfLabs]: [...groups, ...loop, component("c2", "Search")] };
  const incidents = { [withCards]: [], [ofLabs]: [affecting("one", impact(on, "MAJOR_OUTAGE"))] };
  const connections = connectionsTo(await serveLists({ ...both, ...lists, ...incidents }));
  expect(await openIds(connections, { services: [service] })).toEqual(counts ? ["one on labs"] : []);
});

test("an impact excludes no incident on a page with cards", async () => {
  const connections = connectionsTo(await serveLists({ ...both, [withComponents]: 404 }));
  expect(await openIds(connections, { atLeastImpact: "MAJOR_OUTAGE" })).toEqual(["slow on shop"]);
});

test.each<[what: string, args: object, Lists, error: string, requests: number]>([
  [
    "a service that isn't a component",
    { services: ["Chekout"] },
    ...([{}, 'NoMatchError: .* services "Chekout": not found \\(did you mean "Checkout"', 4] as const),
  ],
  [
    "a service, where components can't be read",
    { services: ["Checkout"] },
    ...([{ [componentsOfLabs]: 500 }, "ServerError: listComponents labs: ", 3] as const),
  ],
])("a gate fails with %s", async (_, args, lists, error, requests) => {
  const ended = await outcome({ ...withImpacts, ...lists }, (from) => gate(from, args));
  expect(ended).toEqual([matchError(error), requests]);
});

test("a gate names the worst current impact instead of a severity", async () => {
  const onTwo = { [withCards]: [shop, { ...help, incidents: [slow] }] };
  const [message] = await outcome({ ...withImpacts, ...onTwo }, gate);
  expect(message).toMatch(
    /\.\nNo resource that depends on the gate was changed\. Run again after these incidents are resolved\.$/,
  );
  expect(message).toContain(
    [
      '11 open incidents:\n  - MINOR "Outage slow" (slow, on Shop, Help)',
      'MAJOR_OUTAGE "Outage major" (major, on Labs)',
      'DEGRADED_PERFORMANCE "Outage degraded" (degraded, on Labs)',
      'UNDER_MAINTENANCE "Outage better" (better, on Labs)',
      'UNKNOWN "Outage ended" (ended, on Labs)',
      'UNKNOWN "Outage silent" (silent, on Labs).\n',
    ].join(".\n  - "),
  );
  const [one] = await outcome({ ...both, [withComponents]: 404 }, gate);
  expect(one).toBe(
    'Error: OpenIncidentGate "gate": 1 open incident: MINOR "Outage slow" (slow, on Shop). No resource that depends on the gate ' +
      "was changed. Run again after these incidents are resolved.",
  );
});

test("an excluded incident is missing from the open incidents on each kind of page", async () => {
  const connections = connectionsTo(await serveLists(both));
  expect(await openIds(connections, { except: ["slow"] })).toEqual(["outage on labs"]);
  expect(await openIds(connections, { except: ["outage", 7] })).toEqual(["slow on shop"]);
  await expect(openIds(connections, { except: "slow" })).rejects.toThrow("except must be a list");
});
