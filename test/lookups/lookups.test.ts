/**
 * Tests lookups: every list is read with all its pages until two readings are equal, many objects are read concurrently, and a result
 * contains only documented fields. A gate only accepts services that exist, because a misspelled service would never close it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { operations, pageSize } from "../../provider/api";
import { Connections } from "../../provider/connection";
import { type Lookup, lookups, runLookup } from "../../provider/lookups";
import { advance } from "../client/clock";
import { type ListName, listNames } from "../client/everyCall";
import { apiKey, notFound, send, serve, serveJson, until } from "../client/services";
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import type * as sdk from "../../sdk";
import { startTestSandbox } from "../sandbox/sandboxes";
import { connectionsTo, serveLists, withCards, withComponents } from "./lists";

const count = 250;

const getListPath = (name: ListName) => operations[name].path.replace("{statusPageId}", "shop");

/**
 * Starts a service with this number of objects in a list and one page with components. Also returns the cursors of the pages that are
 * read.
 */
async function serveList(name: ListName) {
  const all = Array.from({ length: count }, (_, index) => ({
    ...{ id: `id-${index}`, name: "Shop", incidents: [], cards: [] },
  }));
  const lists = { [withComponents]: [{ id: "shop", name: "Shop" }], [getListPath(name)]: all };
  const service = await serveLists(lists, []);
  const read = () =>
    service.requests.flatMap(({ url }) => {
      const { pathname, searchParams } = new URL(url, "http://a");
      return pathname === getListPath(name) ? (searchParams.get("nextId") ?? "0") : [];
    });
  return { service, all, read };
}

/** The cursor of each page. */
const pages = Array.from({ length: Math.ceil(count / pageSize.most) }, (_, index) =>
  String(index * pageSize.most),
);

const allLookups: Readonly<Record<string, Lookup<z.ZodRawShape, object>>> = lookups;

const dataSources = readFileSync(join(__dirname, "../../sdk/dataSources.ts"), "utf8");

/** Each lookup with the list that its documentation mentions. */
const ofLists = Object.entries(allLookups).flatMap(([lookupName, lookup]) => {
  const [, text = ""] =
    new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\nexport const ${lookupName}: Read<`, "s").exec(dataSources) ??
    [];
  return listNames
    .filter((name) => text.includes(`operation \`${name}\``))
    .map((name) => ({ lookupName, lookup, name }));
});

test.each(ofLists)(
  "$lookupName reads every page of $name in two equal readings, and only once",
  async ({ lookup, name }) => {
    const { service, all, read } = await serveList(name);
    const connections = connectionsTo(service);
    // Arguments that select one object select the last object, or the page whose objects are listed.
    const last = all.at(-1)?.id ?? "";
    const selector = lookup.exactlyOneOf?.at(-1);
    const isOfPage = operations[name].path.includes("{");
    const args = {
      ...(selector !== undefined && { [selector]: isOfPage ? "shop" : last }),
      ...(name === "listComponents" && "services" in lookup.takes && { services: [last] }),
    };
    const first = await runLookup(lookup, args, { connections });
    expect(await runLookup(lookup, args, { connections })).toEqual(first);
    expect(read()).toEqual([...pages, ...pages]);
  },
);

describe("getAlertChannels of all", () => {
  const all = [
    { id: 1, type: "SLACK", config: { url: "https://hooks.slack.com/services/T1/B1/canary" } },
    { id: 2, type: "EMAIL", config: { address: "ops@acme.io" } },
  ];
  const serveList = (entries: readonly unknown[], alone: Readonly<Record<string, object>> = {}) =>
    serve((response, { url }) => {
      const { limit, page } = Object.fromEntries(new URL(url, "http://service").searchParams);
      const [from, to] = [(Number(page) - 1) * Number(limit), Number(page) * Number(limit)];
      response.setHeader("content-range", `*/${entries.length}`);
      if (page !== undefined) send(response, entries.slice(from, to));
      else send(response, alone[url] ?? notFound, alone[url] ? 200 : 404);
    });
  const read = (connections: Connections, args: object = { all: true }) =>
    runLookup(lookups.getAlertChannels, args, { connections });

  test("getAlertChannels of all reads the list once, and reveals no credential", async () => {
    const service = await serveList(all);
    const connections = connectionsTo(service);
    const result = await read(connections);
    const { length } = service.requests;
    expect(result.alertChannels).toMatchObject([
      { id: 1, config: { url: { hostClass: "public" } } },
      { id: 2, config: { address: "ops@acme.io" } },
    ]);
    expect(JSON.stringify(result)).not.toContain("canary");
    const revealed = await read(connections, { all: true, revealCredentials: true });
    expect(JSON.stringify(revealed)).toContain("canary");
    expect(service.requests).toHaveLength(length);
  });

  test("getAlertChannels of all by name reads a channel that is listed without settings by its ID, if it still exists", async () => {
    const { config, ...summary } = all[1] ?? {};
    const deleted = { ...summary, id: 3 };
    const wrong = { id: 4, type: 5, config: {} };
    const alone = { "/v1/alert-channels/2": { ...summary, config } };
    const service = await serveList([all[0], summary, deleted, wrong], alone);
    const result = await read(connectionsTo(service), { names: ["ops@acme.io"] });
    expect(result.alertChannels).toMatchObject([{ id: 2, type: "EMAIL" }]);
    expect(service.requests.some(({ url }) => url.endsWith("/4"))).toBe(false);
    const failing = read(connectionsTo(await serveJson({}, 500)), { names: ["ops@acme.io"] });
    await expect(failing).rejects.toThrow("HTTP 500");
  });

  test.each<{ lookup: Lookup<z.ZodRawShape, object>; args: object; channels: string; message: string }>([
    {
      lookup: lookups.getAlertChannels,
      args: { names: ["op"] },
      channels: "",
      message:
        "names can't be found, because this service doesn't list alert channels and MONITORING_ALERT_CHANNELS",
    },
    {
      lookup: lookups.getAlertChannel,
      args: { name: "op" },
      channels: "",
      message:
        "name can't be found, because this service doesn't list alert channels and MONITORING_ALERT_CHANNELS",
    },
    {
      lookup: lookups.getAlertChannels,
      args: { names: ["op"] },
      channels: '{"ops": 1}',
      message: '"op" in MONITORING_ALERT_CHANNELS: not found (did you mean "ops"?). Available: ops.',
    },
  ])(
    "a name needs the configuration if the service has no list: $lookup.name $channels",
    async ({ lookup, args, channels, message }) => {
      const service = await serveJson(notFound, 404);
      const connections = connectionsTo(service, { MONITORING_ALERT_CHANNELS: channels });
      await expect(runLookup(lookup, args, { connections })).rejects.toThrow(message);
    },
  );

  test("getAlertChannels without arguments returns the configured channels, and fails if no channel is configured", async () => {
    const service = await serveJson(all[1], 200);
    const configured = connectionsTo(service, { MONITORING_ALERT_CHANNELS: '{"ops": 2}' });
    expect((await read(configured, {})).alertChannels).toMatchObject([{ id: 2 }]);
    const { length } = service.requests;
    await expect(read(connectionsTo(service), {})).rejects.toThrow(
      "ids, names or all is required, because MONITORING_ALERT_CHANNELS is not set",
    );
    // A configured name doesn't require the list.
    await read(configured, { names: ["ops"] });
    expect(service.requests).toHaveLength(length);
  });

  test("getAlertChannels of all fails if a channel doesn't match the API", async () => {
    const reading = read(connectionsTo(await serveList([...all, { id: 3, type: "SMS" }])));
    await expect(reading).rejects.toThrow("don't match the API: config of entry 3");
  });

  test("getAlertChannels of all can't be combined with IDs, unless it is false", async () => {
    const service = await serveJson(all[0], 200);
    const reading = read(connectionsTo(service), { all: true, ids: [1] });
    await expect(reading).rejects.toThrow("ids, names, all are mutually exclusive");
    await expect(read(connectionsTo(service), { all: false, ids: [1] })).resolves.toBeDefined();
  });
});

describe("documented fields", () => {
  const canary = "canary-7f3a9c";

  /** Adds a field to every object, at every depth. */
  function planted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(planted);
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value).map(([name, inner]): [string, unknown] => [name, planted(inner)]);
    return Object.fromEntries([...fields, ["undocumented_token", { nested: [canary] }]]);
  }

  /** Starts a service that adds an undocumented field to each object in the sandbox's responses. */
  const plantedService = ({ url: ofSandbox }: Sandbox) =>
    serve((response, { url, headers: { authorization = "" } }) => {
      void fetch(ofSandbox + url, { headers: { authorization } })
        .then((clean) => clean.json())
        .then((body) => send(response, planted(body)));
    });

  const incidentId = wellKnown.statusPageIncidents.cardDeclines;
  const { statusPageIncidents, statusPages } = seedData().accounts[0];
  const incidentUpdateId =
    statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates[0]?.id ?? "";

  /** The arguments of each data source. Missing data sources, such as lists, need no arguments. */
  const argumentsOf: { readonly [Name in keyof typeof lookups]?: Parameters<(typeof sdk)[Name]>[0] } = {
    getAlertChannel: { id: wellKnown.alertChannels.onCall },
    getAlertChannels: { ids: [wellKnown.alertChannels.onCall] },
    getIncident: { id: wellKnown.incidents.paymentErrors, includeAllIncidentUpdates: false },
    getIncidentUpdate: { incidentId, incidentUpdateId },
    getStatusPage: { id: statusPages[0]?.id ?? "" },
    getStatusPageIncident: { incidentId },
  };

  test.each(Object.entries(allLookups))(
    "documented fields are the only fields that %s returns",
    async (name, lookup) => {
      const sandbox = await startTestSandbox({ apiKey });
      const args = Object.entries(argumentsOf).find(([each]) => each === name)?.[1] ?? {};
      const [clean, more] = [sandbox, await plantedService(sandbox)].map((service) =>
        runLookup(lookup, args, { connections: connectionsTo(service) }),
      );
      expect(await more).toEqual(await clean);
    },
  );

  test("documented fields are the only fields of an alert channel with revealed credentials, except a complete config", async () => {
    const service = await plantedService(await startTestSandbox({ apiKey }));
    const args = { id: wellKnown.alertChannels.legacyHook, revealCredentials: true };
    const connections = connectionsTo(service);
    const { config, ...fields } = await runLookup(lookups.getAlertChannel, args, { connections });
    expect(config).toMatchObject({ undocumented_token: { nested: [canary] } });
    expect(JSON.stringify(fields)).not.toContain(canary);
  });
});

test("errors in the arguments are reported before errors in the configuration", async () => {
  const context = {
    get connections() {
      return new Connections(undefined, {});
    },
  };
  const read = (args: object) => runLookup(lookups.getIncident, args, context);
  for (const nothing of [{}, { id: undefined }, { id: null }])
    await expect(read(nothing)).rejects.toThrow("getIncident: id is required, but no value was given (");
  await expect(read({ id: "i1" })).rejects.toThrow("Configuration:\n");
});

test.each<{ lookup: Lookup<z.ZodRawShape, object>; args: object }>([
  { lookup: lookups.getAlertChannel, args: { name: apiKey } },
  { lookup: lookups.getAlertChannels, args: { names: ["ops", `x${apiKey}`] } },
  { lookup: lookups.getIncident, args: { id: apiKey } },
])("an API key is neither required nor printed: $lookup.name", async ({ lookup, args }) => {
  const service = await serveJson({ entries: [] });
  const reading = runLookup(lookup, args, { connections: connectionsTo(service) });
  await expect(reading).rejects.toThrow(
    `${lookup.name}: ${Object.keys(args).join()} contains the API key from MONITORING_API_KEY. Remove the key.`,
  );
  expect(service.requests).toEqual([]);
});

test("no read among many channels of a slow service spends its deadline waiting for the others", async () => {
  const service = await serve((response, { url }) => {
    const channel = { id: Number(url.split("/").at(-1)), type: "EMAIL", config: {} };
    setTimeout(() => send(response, channel), 1_000);
  });
  const connections = connectionsTo(service, { MONITORING_DEADLINE_MS: "5000" });
  const ids = Array.from({ length: 80 }, (_, index) => index + 1);
  const calling = { ended: false };
  const end = () => (calling.ended = true);
  const reading = runLookup(lookups.getAlertChannels, { ids }, { connections });
  reading.then(end, end);
  for (let sent = 8; !calling.ended; sent += 8) {
    await until(() => calling.ended || service.requests.length === Math.min(sent, ids.length));
    await advance(1_000);
  }
  expect((await reading).alertChannels.map(({ id }) => id)).toEqual(ids);
});

const hostile = "x\n::add-mask::prod\u001b[2J";
test.each([
  [{ url: null }, "Shop (ID p1)"],
  [{}, "Shop (ID p1)"],
  [{ name: hostile, url: hostile }, "x ::add-mask::prod [2J (ID p1, URL x ::add-mask::prod [2J)"],
])("a status page is described in one line, and without a missing url: %j", async (page, shown) => {
  const connections = connectionsTo(await serveLists({ [withCards]: [{ id: "p1", name: "Shop", ...page }] }));
  await expect(runLookup(lookups.getStatusPage, { id: "q" }, { connections })).rejects.toThrow(
    `getStatusPage with id "q": not found. Available: ${shown}.`,
  );
});

const serviceOnPage = (id: string, name: string) => ({ id, name });
const cards = (...services: object[]) => [{ id: "c1", name: "Shop", services }];
const createPage = (id: string, more: object) => ({ id, name: id, incidents: [], ...more });
const shop = createPage("shop", {
  cards: cards(serviceOnPage("s1", "Checkout"), serviceOnPage("s2", "Search")),
});
const labs = createPage("labs", { cards: cards(serviceOnPage("s3", "Search"), serviceOnPage("s4", "API")) });
const ten = Array.from({ length: 10 }, (_, index) => serviceOnPage(`t${index}`, `Service ${index}`));
const legacy = { services: [serviceOnPage("s5", "Legacy")] };
const closed = { id: "i1", name: "Outage", lastUpdateStatus: "RESOLVED", ...legacy };

/** Returns the error of a gate for these status pages, or "passes". */
async function gate(args: object, ...entries: object[]): Promise<string> {
  const connections = connectionsTo(await serveLists({ [withCards]: entries }));
  return runLookup(lookups.getOpenIncidents, args, { connections }).then(() => "passes", String);
}

const card = { id: "c1", name: "Shop" };
const missingCards = createPage("labs", { cards: null });

it.each<[string, object, object[]]>([
  ["services of several pages", { services: ["Checkout", "API"] }, [shop, labs]],
  ["a service that only an incident contains", { services: ["Legacy"] }, [{ ...shop, incidents: [closed] }]],
  ["any service if a page is returned without its cards", { services: ["Chekout"] }, [shop, missingCards]],
  [
    "any service if a card is returned without its services",
    { services: ["Chekout"] },
    [createPage("labs", { cards: [card] })],
  ],
])("a gate passes with %s", async (_, args, pages) => {
  expect(await gate(args, ...pages)).toBe("passes");
});

it.each<[string, object, object[]]>([
  [
    "a service that doesn't exist",
    { services: ["Chekout"] },
    [{ ...shop, incidents: [{ ...closed, services: null }] }, labs],
  ],
  ["a service that isn't one of ten", { services: ["x"] }, [createPage("ten", { cards: cards(...ten) })]],
  ["a service of another page", { services: ["API"], statusPage: "shop" }, [shop, labs]],
  ["any service if the page has no services", { services: ["API"] }, [createPage("new", { cards: [] })]],
  ["an empty list", { services: [] }, [shop]],
])("a gate fails with %s", async (_, args, pages) => {
  expect(await gate(args, ...pages)).toMatchSnapshot();
});

const open = (id: string, more: object = {}) => ({
  ...{ id, name: id, severity: "MINOR", lastUpdateStatus: "MONITORING" },
  ...more,
});
const minor = open("minor", { services: [serviceOnPage("s1", "Checkout")] });
const major = open("major", { severity: "MAJOR", services: [serviceOnPage("s2", "Search")] });
const unknown = open("unknown", { severity: "FATAL" });

it.each<[string, object, string[]]>([
  ["are open, each once", {}, ["minor", "major", "unknown", "labs"]],
  ["are as severe or worse, or of a new severity", { atLeast: "MAJOR" }, ["major", "unknown"]],
  ["affect a service, or have no list of services", { services: ["Checkout"] }, ["minor", "unknown"]],
  ["affect a service selected by its ID", { services: ["s2"] }, ["major", "unknown"]],
  ["are on a page", { statusPage: "Labs" }, ["major", "labs"]],
  ["are on a page selected by its URL", { statusPage: "https://labs.example" }, ["major", "labs"]],
])("a gate is closed by the incidents that %s", async (_, args, expected) => {
  const ofLabs = {
    name: "Labs",
    url: "https://labs.example",
    incidents: [major, open("labs", { services: [] })],
  };
  const entries = [
    { ...shop, incidents: [minor, major, unknown, closed] },
    { ...labs, ...ofLabs },
  ];
  const connections = connectionsTo(await serveLists({ [withCards]: entries }));
  const { incidents } = await runLookup(lookups.getOpenIncidents, args, { connections });
  expect(incidents.map(({ id }) => id)).toEqual(expected);
});

test.each([undefined, null])(
  "a gate fails if a page has %s instead of a list of incidents",
  async (incidents) => {
    const pages = [createPage("shop", {}), createPage("labs", { incidents })];
    expect(await gate({}, ...pages)).toContain(
      "listStatusPages: the response contains no list of incidents for status page labs (ID labs), so the open incidents are unknown. Try again later, or report this to the operator of the service.",
    );
    expect(await gate({ statusPage: "shop" }, ...pages)).toBe("passes");
  },
);

test("a status page has only colors that are strings", async () => {
  const light = { linkFontColor: "#06c", borderColor: { token: "canary" }, token: "canary" };
  const page = createPage("shop", { themeColors: { light, dark: null } });
  const connections = connectionsTo(await serveLists({ [withCards]: [page] }));
  const themeColors = { light: { linkFontColor: "#06c" }, dark: null };
  const { statusPages } = await runLookup(lookups.getStatusPages, {}, { connections });
  expect(statusPages).toEqual([{ ...page, version: 2, themeColors, cards: [] }]);
});
