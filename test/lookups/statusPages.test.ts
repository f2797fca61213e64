/**
 * Status pages of both kinds: nothing passes unread. Whatever can't be read is an error, and what isn't known of an incident counts
 * against it.
 */
import { lookups, runLookup } from "../../provider/lookups";
import { openIncidentsMessage } from "../../provider/lookups/lookupErrors";
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
const componentsOfLabs = `${withComponents}/labs/components`;
const many = (count: number, of: (id: string) => object) =>
  Array.from({ length: count }, (_, index) => of(`o${index}`));
const manyPages = many(101, (id) => ({ id, name: id, incidents: [] }));
const thenGone = (list: Listed) => (turn: number) => (turn === 1 ? list : 404);
/** Whose last one moves to the start. */
const moved = (list: readonly object[]) => [...list.slice(-1), ...list.slice(0, -1)];
const thousand = [...many(999, resolved), outage];

const both: Lists = { [withCards]: [shop], [withComponents]: [labs], [ofLabs]: [outage] };

/** What a gate does: it reads, and fails if an incident is open. */
async function gate(from: ReturnType<typeof connectionsTo>, args: object = {}) {
  const context = { connections: from, caller: 'OpenIncidentGate "gate"' };
  const { incidents } = await runLookup(lookups.getOpenIncidents, args, context);
  if (incidents.length > 0) throw new Error(openIncidentsMessage("gate", incidents));
}

const openIds = async (from: ReturnType<typeof connectionsTo>, args: object = {}) =>
  (await runLookup(lookups.getOpenIncidents, args, { connections: from })).incidents.map(
    ({ id, statusPages }) => `${id} on ${statusPages.map((page) => page.id).join(" and ")}`,
  );

const pageIds = async (from: ReturnType<typeof connectionsTo>) =>
  (await runLookup(lookups.getStatusPages, {}, { connections: from })).statusPages.map(
    ({ id, version }) => `${id} of version ${version}`,
  );

/** The error, or the result, and the number of requests. */
async function outcome<Result>(
  lists: Lists,
  read: (from: ReturnType<typeof connectionsTo>) => Promise<Result>,
) {
  const service = await serveLists(lists);
  const result = await read(connectionsTo(service)).catch(String);
  return [result, service.requests.length] as const;
}

const errorWith = (...texts: string[]): unknown => expect.stringMatching(`^${texts.join(".*")}`);
const shopOnly = ["shop of version 2"];
const labsOnly = ["labs of version 3"];
const bothPages = [...shopOnly, ...labsOnly];
const isNotFound = errorWith("NotFoundError: listStatusPages: not found \\(HTTP 404\\)");
const isGone = (list: string) =>
  errorWith("PagingError: ", `${list}: the next page was not found \\(HTTP 404\\)`);
const isCut = errorWith("ResponseShapeError: listComponentPages: ");

const [goneCards, goneComponents] = [isGone("listStatusPages"), isGone("listComponentPages")];
const ofLabsFails = (kind: string) => errorWith(`${kind}: listComponentPageIncidents labs: `);
const onBoth = ["slow on shop", "outage on labs"];

test.each<[what: string, Lists, incidents: unknown, requests: number, pages?: unknown, requests?: number]>([
  ["both kinds of pages", {}, onBoth, 3],
  ["no list of pages with components", { [withComponents]: 404 }, ["slow on shop"], 2, shopOnly],
  ["no list of pages with cards", { [withCards]: 404 }, ["outage on labs"], 3, labsOnly],
  ["neither list", { [withCards]: 404, [withComponents]: 404 }, isNotFound, 2, isNotFound],
  ...[500, 401, 403].flatMap((status): [string, Lists, unknown, number, unknown, number?][] => {
    const [cards, components] = ["listStatusPages", "listComponentPages"].map((list) =>
      errorWith("\\w+Error: ", `${list}: .*HTTP ${status}`),
    );
    const ofComponents = { [withComponents]: status };
    return [
      [`${status} for pages with cards`, { [withCards]: status }, cards, 1, cards, 1],
      [`${status} for pages with components`, ofComponents, components, 2, components],
      [`404 and ${status}`, { [withCards]: 404, ...ofComponents }, components, 2, components],
    ];
  }),
  ["a later page with cards that is gone", { [withCards]: thenGone(manyPages) }, goneCards, 2, goneCards],
  [
    "a later page with components that is gone",
    { [withComponents]: thenGone(manyPages) },
    ...([goneComponents, 3, goneComponents, 3] as const),
  ],
  ["invalid JSON", { [withComponents]: "Hello" }, isCut, 2, isCut],
  ["a list that is cut", { [withComponents]: '{"entries": [' }, isCut, 2, isCut],
  ["a page that is gone before its incidents are read", { [ofLabs]: 404 }, ofLabsFails("NotFoundError"), 3],
  ["incidents that can't be read", { [ofLabs]: 500 }, ofLabsFails("ServerError"), 3],
  [
    "a later page of incidents that is gone",
    { [ofLabs]: thenGone(thousand) },
    ...([isGone("listComponentPageIncidents labs"), 4] as const),
  ],
  ["1,000 incidents, of which the last is open", { [ofLabs]: thousand }, onBoth, 13],
  [
    "an open incident that moves to the page that was read",
    { [ofLabs]: (turn) => (turn === 1 ? thousand : moved(thousand)) },
    ...([onBoth, 24] as const),
  ],
  [
    "incidents that keep moving",
    { [ofLabs]: (turn) => [...thousand.slice(turn), ...thousand.slice(0, turn)] },
    ...([errorWith("PagingError: listComponentPageIncidents labs: the list kept changing"), 35] as const),
  ],
])("lookups and gates read pages with %s", async (_, changes, incidents, requests, ...ofPages) => {
  const lists = { ...both, ...changes };
  const [pages = bothPages, requestsOfPages = 2] = ofPages;
  expect(await outcome(lists, openIds)).toEqual([incidents, requests]);
  const closed = Array.isArray(incidents) ? errorWith('Error: OpenIncidentGate "gate": ') : incidents;
  expect(await outcome(lists, gate)).toEqual([closed, requests]);
  expect(await outcome(lists, pageIds)).toEqual([pages, requestsOfPages]);
});

test("equal reads are one request, and a list that doesn't exist is requested once, also by a search that reads again", async () => {
  const service = await serveLists({ ...both, [withCards]: 404 });
  const connections = connectionsTo(service);
  await Promise.all([pageIds(connections), openIds(connections), openIds(connections)]);
  expect(service.requests).toHaveLength(3);
  const { reads } = connections.connect();
  expect(await reads.statusPage("absent")).toBeUndefined();
  expect((await reads.statusPage("labs"))?.version).toBe(3);
  connections.forgetIncident("outage");
  await openIds(connections);
  const paths = service.requests.slice(3).map(({ url }) => url.replace(/\?.*/, ""));
  expect(paths).toEqual([withComponents, withComponents, ofLabs]);
});

const migrating = (onCards: object[], onComponents: object[], ...others: object[]) => ({
  [withCards]: [{ ...labs, incidents: onCards, cards: [] }, ...others],
  [withComponents]: [labs],
  [ofLabs]: onComponents,
});
const renamed = (id: string, more: object = {}) => ({ ...outage, id, ...more });
const help = { id: "help", name: "Help", incidents: [outage], cards: [] };

const [down, sameTime] = [{ name: "Down" }, { created_at: "2026-01-01 00:01:00" }];
const [later, never] = [{ created_at: minutes(2) }, { created_at: null }];

test.each<[what: string, Parameters<typeof migrating>, onLabs: string[], onHelp?: string[]]>([
  ["one with the same id counts once", [[outage], [renamed("outage", down)]], ["outage"]],
  ["one with the same name and creation time counts once", [[outage], [renamed("new", sameTime)]], ["new"]],
  ["one with another creation time counts", [[outage], [renamed("new", later)]], ["outage", "new"]],
  ["one without a creation time counts", [[renamed("old", never)], [renamed("new", never)]], ["old", "new"]],
  ["one with another name counts", [[outage], [renamed("new", down)]], ["outage", "new"]],
  ["one that was resolved meanwhile doesn't count", [[outage], [resolved("outage")]], []],
  ["one that was opened again counts", [[resolved("outage")], [outage]], ["outage"]],
  ["one that another page with cards shows counts there", [[outage], [outage], help], ["outage"], ["outage"]],
])("incidents on a page that is in both lists count once: %s", async (_, lists, onLabs, ...[onHelp = []]) => {
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
/** Those that may affect anything. */
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
])("incidents on a page with components, by %j", async (args, expected) => {
  const connections = connectionsTo(await serveLists(withImpacts));
  const onLabs = expected.map((id) => `${id} on labs`);
  expect(await openIds(connections, { statusPage: "labs", ...args })).toEqual(onLabs);
});

test("an impact excludes no incident on a page with cards", async () => {
  const connections = connectionsTo(await serveLists({ ...both, [withComponents]: 404 }));
  expect(await openIds(connections, { atLeastImpact: "MAJOR_OUTAGE" })).toEqual(["slow on shop"]);
});

test.each<[what: string, args: object, Lists, error: string, requests: number]>([
  [
    "a service that is no component",
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
  expect(ended).toEqual([errorWith(error), requests]);
});

test("a gate names the worst impact that lasts in place of a severity", async () => {
  const [message] = await outcome(withImpacts, gate);
  expect(message).toContain(
    '11 open incidents: MINOR "Outage slow" (slow, on Shop); MAJOR_OUTAGE "Outage major" (major, on Labs); ' +
      'DEGRADED_PERFORMANCE "Outage degraded" (degraded, on Labs); UNDER_MAINTENANCE "Outage better" (better, on Labs); ' +
      'UNKNOWN "Outage ended" (ended, on Labs); UNKNOWN "Outage silent" (silent, on Labs); ',
  );
});
