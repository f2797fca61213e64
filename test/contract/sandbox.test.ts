/**
 * Tests that the sandbox responds to each kind of request, valid or invalid, with the status and body that `docs/openapi.yaml` describes.
 */
import type { MonitoringClient } from "../../provider/client";
import { type Sandbox, type SandboxAccount, wellKnown } from "../../sandbox";
import { isList, type ListName, listNames } from "../client/everyCall";
import { ask, incidentId, latestId, news, startTestSandbox, sharedSandbox } from "../sandbox/sandboxes";
import { below, described, type Operation, operations, responseSchema } from "./document";
import { exact, own, tolerant } from "./validation";

type Asked = NonNullable<Parameters<typeof ask>[2]> & { readonly query?: string };

const getOperation = (name: string): Operation => {
  const operation = operations.find((each) => each.name === name);
  if (!operation) throw new Error(`${name} is not described.`);
  return operation;
};

/** Returns the IDs of all objects that each operation can be called with, if its path contains IDs. */
function collectObjectIds({ statusPageIncidents, incidents, alertChannels, componentPages }: SandboxAccount) {
  const ofPages = componentPages.flatMap(({ id, incidents: all }) =>
    all.map(({ id: incident, incidentUpdates }) => ({
      ids: { statusPageId: id, incidentId: incident },
      incidentUpdates,
    })),
  );
  const updatesOfPages = ofPages.flatMap(({ ids, incidentUpdates }) =>
    incidentUpdates.map(({ id }) => ({ ...ids, incidentUpdateId: id })),
  );
  const pages = componentPages.map(({ id }) => ({ statusPageId: id }));
  return {
    createIncidentUpdate: [{ incidentId }],
    getIncidentUpdate: statusPageIncidents.flatMap(({ id, incidentUpdates }) =>
      incidentUpdates.map((update) => ({ incidentId: id, incidentUpdateId: update.id })),
    ),
    getStatusPageIncident: statusPageIncidents.map(({ id }) => ({ incidentId: id })),
    getIncident: incidents.map(({ id }) => ({ id })),
    getAlertChannel: alertChannels.map(({ id }) => ({ id })),
    listAlertChannels: [{}],
    getComponentPage: pages,
    listComponents: pages,
    listComponentPageIncidents: pages,
    getComponentPageIncident: ofPages.map(({ ids }) => ids),
    getComponentPageIncidentUpdate: updatesOfPages,
    editComponentPageIncidentUpdate: updatesOfPages,
    createComponentPageIncidentUpdate: ofPages.map(({ ids }) => ids),
    editComponentPageIncident: ofPages.map(({ ids }) => ids),
    openComponentPageIncident: ofPages.map(({ ids: { statusPageId } }) => ({ statusPageId })),
  } satisfies Partial<Record<ListName, Record<string, unknown>[]>> &
    Record<Exclude<keyof MonitoringClient, ListName>, Record<string, unknown>[]>;
}

/** @throws if an operation has no objects here. */
const listObjectIds = (name: string, { data: { accounts } }: Sandbox): Record<string, unknown>[] => {
  if (!getOperation(name).path.includes("{")) return [{}];
  const ids = new Map<string, Record<string, unknown>[]>(Object.entries(collectObjectIds(accounts[0]))).get(
    name,
  );
  if (!ids?.length) throw new Error(`Add objects of ${name} to test/contract/sandbox.test.ts.`);
  return ids;
};

async function respond(
  sandbox: Sandbox,
  name: string,
  ids = listObjectIds(name, sandbox)[0],
  asked: Asked = {},
) {
  const { path, method, requestBody } = getOperation(name);
  const filled = path.replace(/\{(\w+)\}/g, (_, id: string) => String(ids?.[id]));
  const pages = sandbox.data.accounts.flatMap(({ componentPages }) => componentPages);
  const component = pages.find(({ id }) => id === ids?.["statusPageId"])?.components.at(-1);
  const componentImpacts = component ? [{ componentId: component.id, status: "MAJOR_OUTAGE" }] : [];
  const body =
    name === "openComponentPageIncident"
      ? { name: "New", incidentUpdates: [news], componentImpacts }
      : name === "editComponentPageIncident"
        ? { name: "New", componentImpacts }
        : news;
  const json = requestBody && asked.body === undefined ? body : undefined;
  const response = await ask(sandbox, filled + (asked.query ?? ""), {
    method,
    ...(json && { json }),
    ...asked,
  });
  return { status: response.status, value: await response.json() };
}

const shared = sharedSandbox();
const componentPageIncident = {
  statusPageId: wellKnown.componentPages.shop,
  incidentId: wellKnown.componentPageIncidents.checkoutOutage,
};

/** Expects an error as described, which changes nothing. */
async function expectError(name: string, status: number, ids?: Record<string, unknown>, asked?: Asked) {
  const sandbox = shared();
  const before = sandbox.data;
  const { value, status: responded } = await respond(sandbox, name, ids, asked);
  expect(responded).toBe(status);
  expect(value).toMatchObject({ statusCode: status });
  expect(own(responseSchema(getOperation(name), status), value)).toEqual([]);
  expect(sandbox.data).toBe(before);
}

const names = operations.map(({ name }) => name);

/** Returns the fields of a value at any depth. */
function listFields(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listFields);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => below(name, listFields(each)));
}

const filterHistory = (fields: string[]) =>
  fields.filter((field) => field.startsWith("entries.incidentUpdates"));

test.each(names)(
  "%s returns each existing object, and each of its fields for at least one object",
  async (name) => {
    const sandbox = await startTestSandbox();
    const shown = new Set<string>();
    for (const ids of listObjectIds(name, sandbox)) {
      const { status, value } = await respond(sandbox, name, ids);
      expect(status).toBe(getOperation(name).method === "POST" ? 201 : 200);
      expect(exact(responseSchema(getOperation(name), status), value)).toEqual([]);
      const id = isList(name) ? undefined : Object.values(ids).at(-1);
      if (status === 200) expect(value).toMatchObject(id === undefined ? {} : { id });
      for (const field of listFields(value)) shown.add(field);
    }
    const fields = described(responseSchema(getOperation(name), 200));
    // In lists, incidents have no history. Individually read incidents have one.
    const never = name === "listComponentPageIncidents" ? filterHistory(fields) : [];
    expect({ never: fields.filter((field) => !shown.has(field)) }).toEqual({ never });
  },
);

test.each<[name: string, status: number, ids?: Record<string, unknown>, asked?: Asked]>([
  ["createIncidentUpdate", 404, { incidentId: "none" }],
  ["getIncidentUpdate", 404, { incidentId: "none", incidentUpdateId: "none" }],
  ["getIncidentUpdate", 404, { incidentId, incidentUpdateId: "none" }],
  ["getStatusPageIncident", 404, { incidentId: "none" }],
  ["getIncident", 404, { id: "none" }],
  ["getAlertChannel", 404, { id: 999 }],
  ["getComponentPage", 404, { statusPageId: "none" }],
  ["listComponents", 404, { statusPageId: "none" }],
  ["listComponentPageIncidents", 404, { statusPageId: "none" }],
  ["getComponentPageIncident", 404, { ...componentPageIncident, incidentId: "none" }],
  ["getComponentPageIncidentUpdate", 404, { ...componentPageIncident, incidentUpdateId: "none" }],
  ["createComponentPageIncidentUpdate", 404, { ...componentPageIncident, statusPageId: "none" }],
  ["editComponentPageIncidentUpdate", 404, { ...componentPageIncident, incidentUpdateId: "none" }],
  ...["x", "-1", "1e3"].map((id): [string, number, { id: string }] => ["getAlertChannel", 400, { id }]),
  // test/sandbox/errors.test.ts tests the permissions of keys.
  ["getIncident", 401, undefined, { apiKey: null }],
  ["getIncident", 403, undefined, { account: "no-such-account" }],
])("%s returns HTTP %i for the IDs %j", (name, status, ...[ids, asked]) =>
  expectError(name, status, ids, asked),
);

test("an update isn't found under another incident", async () => {
  const incidentUpdateId = latestId(shared());
  const other = wellKnown.statusPageIncidents.cardDeclines;
  await expectError("getIncidentUpdate", 404, { incidentId: other, incidentUpdateId });
});

const each = (name: string, queries: string): [string, string][] =>
  queries.split(" ").map((query) => [name, query]);

test.each<[name: string, query: string, ids?: Record<string, unknown>]>([
  ["getIncident", "includeAllIncidentUpdates=TRUE", { id: wellKnown.incidents.paymentErrors }],
  ...each("listAlertChannels", "limit= limit=0 limit=101 page=0 page=1.5 page=007 nextId=1"),
  ...listNames.flatMap((name) => each(name, "limit=0 limit=101 limit=1.5 nextId= nextId=x unknown=1")),
])("%s rejects an invalid query: %s", (name, query, ...[ids]) =>
  expectError(name, 400, ids, { query: `?${query}` }),
);

test("listAlertChannels has numbered pages, and a header with the range and the total of its objects", async () => {
  const sandbox = shared();
  const { alertChannels: all } = sandbox.data.accounts[0];
  const page = async (query: string) => {
    const response = await ask(sandbox, `/v1/alert-channels?${query}`);
    const body: unknown = await response.json();
    return [response.headers.get("content-range"), body];
  };
  expect(await page("limit=2")).toEqual([`0-1/${all.length}`, all.slice(0, 2)]);
  expect(await page("limit=3&page=2")).toEqual([`3-5/${all.length}`, all.slice(3, 6)]);
  expect(await page("page=9")).toEqual([`*/${all.length}`, []]);
  expect(await page("")).toEqual([expect.stringMatching(/^0-9\//), all.slice(0, 10)]);
});

test.each(listNames)("%s continues at its cursors until all entries are read", async (name) => {
  const page = async (query: string) =>
    (await respond(shared(), name, undefined, { query: `?${query}` })).value as {
      entries: object[];
      nextId: string | null;
    };
  const all: object[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { entries, nextId } = await page(`limit=1${cursor && `&nextId=${cursor}`}`);
    expect(entries).toHaveLength(1);
    all.push(...entries);
    cursor = nextId;
  }
  const { entries, nextId } = await page("limit=100");
  expect([nextId, entries.length > 1, all]).toEqual([null, true, entries]);
});

const writes = operations.filter(({ requestBody }) => requestBody).map(({ name }) => name);

describe.each(writes)("the body of %s", (name) => {
  const schema = getOperation(name).requestBody ?? {};

  test.each<[string, object]>([
    ["no status", { status: undefined }],
    ["no description", { description: undefined }],
    ["an unknown status", { status: "MAINTENANCE" }],
    ["a status in lower case", { status: "resolved" }],
    ["a description of white space", { description: " \n" }],
    ["a description that is a number", { description: 1.5 }],
    ["notifySubscribers as a string", { notifySubscribers: "true" }],
    ["only a date", { publicIncidentUpdateDate: "2026-01-31" }],
    ["a date that doesn't exist", { publicIncidentUpdateDate: "2026-02-30T00:00:00Z" }],
    ["an empty ID", { id: "" }],
    ["a time of creation that is null", { created_at: null }],
    ["an unknown field", { unknown: true }],
  ])("a body with %s is invalid", async (_, changes) => {
    const json = { ...news, ...changes };
    expect(tolerant(schema, JSON.parse(JSON.stringify(json)))).not.toEqual([]);
    await expectError(name, 400, undefined, { json });
  });

  const headers = { "content-type": "application/json" };
  test.each<[status: number, what: string, asked: Asked]>([
    [400, "a list", { json: [] }],
    [400, "no JSON", { body: '{"status": "RESOLVED",}', headers }],
    [413, "more than a megabyte", { body: " ".repeat(1024 * 1024 + 1), headers }],
    [415, "JSON as text", { body: JSON.stringify(news), headers: { "content-type": "text/plain" } }],
  ])("a body is rejected with HTTP %i: %s", (status, _, asked) =>
    expectError(name, status, undefined, asked),
  );
});
