/**
 * Tests rejected requests that test/contract/sandbox.test.ts doesn't compare with docs/openapi.yaml: invalid requests, and requests
 * without permission. The latter use other keys or accounts, or come from pages in a browser on this machine, which know the well-known
 * key.
 */
import { STATUS_CODES } from "node:http";
import { type Sandbox, SandboxError, type SandboxOptions, wellKnown } from "../../sandbox";
import {
  ask,
  created,
  getUpdates,
  incidentId,
  incidentPath,
  latestId,
  news,
  respondedTo,
  startTestSandbox,
  sharedSandbox,
  updatesPath,
} from "./sandboxes";

type Asked = Parameters<typeof ask>[2];
const incidents = "/v1/status-pages/incidents";
const type = { "content-type": "application/json" };
const text = JSON.stringify(news);
const notUtf8 = Buffer.from('{"status":"RESOLVED","description":"\xff"}', "latin1");
const mistaken = JSON.parse('{"status":1,"id":"","notify":true,"__proto__":1}') as unknown;
const keys = ["status", "description", "id", "notify", "__proto__"];
const ofQuery = (key: string) => ({ validation: { source: "query", keys: [key] } });
const inPayload = { validation: { source: "payload", keys: [] } };

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const isMissing = (kind: string, id = "none") => ({
  message: `There is no ${kind} ${JSON.stringify(id)} in this account.`,
});
const page = `/v3/status-pages/${wellKnown.componentPages.shop}`;
const ofPage = `incident of the status page ${wellKnown.componentPages.shop}`;
const pageUpdates = `${page}/incidents/${wellKnown.componentPageIncidents.checkoutOutage}/incident-updates`;
const onCall = `/v1/alert-channels/${wellKnown.alertChannels.onCall}`;
const editedKeys = ["sslExpiryThreshold", "id"];
const ofPath = { validation: { source: "params", keys: ["id"] } };
const inPayloadOf = (...names: string[]) => ({ validation: { source: "payload", keys: names } });

const shared = sharedSandbox();

test.each<[status: number, path: string, asked?: Asked, details?: object, allow?: string | null]>([
  ...[
    `${incidents}/a%2Fb`,
    `${incidents}/`,
    "/v1/alert-channels/04101",
    "/v1/status-pages/",
    "/v1//status-pages",
  ]
    .concat("/v2/status-pages", "/v1", "/elsewhere")
    .map((path): [number, string] => [404, path]),
  ...["%", "%zz", "%e0%a4%a", "%ff"].map((id): [number, string] => [400, `${incidents}/${id}`]),
  [404, `${incidents}/none`, {}, isMissing("status-page incident")],
  [404, `${updatesPath}/none`, {}, isMissing("incident update")],
  [404, "/v1/incidents/none", {}, isMissing("incident")],
  [404, "/v1/alert-channels/999999", {}, isMissing("alert channel", "999999")],
  [404, "/v1/alert-channels/999999", { method: "PUT", json: {} }, isMissing("alert channel", "999999")],
  [404, "/v3/status-pages/none", {}, isMissing("status page with components")],
  [404, `${page}/incidents/none`, {}, isMissing(ofPage)],
  [404, `${pageUpdates}/none`, { method: "PUT", json: news }, isMissing("incident update")],
  [400, "/v1/alert-channels/x", {}, { ...ofPath, message: matching(/^id: must be/) }],
  [400, "/v1/alert-channels/x", { method: "PUT", json: {} }, ofPath],
  [400, onCall, { method: "PUT", json: { sslExpiryThreshold: "14", id: 1 } }, inPayloadOf(...editedKeys)],
  [403, onCall, { method: "PUT", json: {}, account: "none" }],
  [400, "/v1/incidents/none?includeAllIncidentUpdates=x", {}, ofQuery("includeAllIncidentUpdates")],
  [400, "/v3/status-pages?limit=x", {}, ofQuery("limit")],
  [400, `${page}/incidents`, { json: { name: "x" } }, inPayloadOf("incidentUpdates")],
  [400, `${page}/incidents/x`, { method: "PUT", json: {} }, inPayloadOf("name")],
  [404, "/elsewhere", { headers: { authorization: "" } }],
  [405, incidentPath, { method: "DELETE" }, {}, "GET"],
  [405, `${updatesPath}/x`, { method: "PUT" }, {}, "GET"],
  [405, updatesPath, { method: "GET" }, {}, "POST"],
  [405, onCall, { method: "DELETE" }, {}, "GET, PUT"],
  [405, "/v1/status-pages", { method: "OPTIONS" }, {}, "GET"],
  [405, "/", { method: "POST" }, {}, "GET, HEAD"],
  [400, "/v1/status-pages?limit=1&limit=2", {}, ofQuery("limit")],
  [400, `/v1/status-pages?nextId=${Buffer.from("1000:x").toString("base64url")}`, {}, ofQuery("nextId")],
  [400, `/v1/alert-channels?page=${2 ** 53}`, {}, ofQuery("page")],
  [400, updatesPath, { json: mistaken }, { validation: { source: "payload", keys } }],
  [400, updatesPath, { body: `${"[".repeat(300_000)}${"]".repeat(300_000)}`, headers: type }, inPayload],
  [400, updatesPath, { body: notUtf8, headers: type }, inPayload],
  [415, updatesPath, { body: text, headers: { "content-type": "" } }],
])("the sandbox returns HTTP %i for %s", async (status, path, asked = {}, details = {}, allow = null) => {
  const sandbox = shared();
  const response = await ask(sandbox, path, asked);
  const message: unknown = expect.stringMatching(/\w/);
  const body = { statusCode: status, error: STATUS_CODES[status], message, ...details };
  expect([response.status, await response.json()]).toEqual([status, body]);
  expect(response.headers.get("allow")).toBe(allow);
  expect([(await ask(sandbox, incidentPath)).status, created(sandbox)]).toEqual([200, 0]);
});

test("an incomplete body writes nothing, and the next request succeeds", async () => {
  const sandbox = await startTestSandbox();
  const head = [`POST ${updatesPath} HTTP/1.1`, "Host: 127.0.0.1", `Authorization: Bearer ${sandbox.apiKey}`];
  const more = ["Content-Type: application/json", `Content-Length: ${text.length + 1}`, "", text];
  await respondedTo(sandbox, [...head, ...more].join("\r\n"), true);
  expect((await ask(sandbox, incidentPath)).status).toBe(200);
  expect(sandbox.requests[0]).toMatchObject({ ended: "client left", status: null, applied: false });
  expect(created(sandbox)).toBe(0);
});

const { quillmarket, labs } = wellKnown.accounts;
const { apiKeys } = wellKnown;
const tenant = { accountHeader: "X-Tenant" };
const another = { apiKey: "mon_test_another-key" };

// test/contract/sandbox.test.ts tests each operation with other keys and accounts.
test.each<[options: SandboxOptions, asked: Asked, shown: string | number]>([
  [{}, { headers: { authorization: "Basic bW9uOnNhbmRib3g=" } }, 401],
  [{}, {}, "Storefront Europe"],
  [{}, { account: labs }, "Labs Preview"],
  [{}, { apiKey: apiKeys.labs }, "Labs Preview"],
  [{}, { apiKey: apiKeys.labs, account: quillmarket }, 403],
  [tenant, { headers: { "x-tenant": labs } }, "Labs Preview"],
  [tenant, { account: labs }, 400],
  [tenant, { headers: { "x-org": labs } }, 400],
  [another, {}, "Storefront Europe"],
  [another, { apiKey: apiKeys.quillmarket }, 401],
  [another, { apiKey: apiKeys.labs }, "Labs Preview"],
])("a sandbox with %j shows %j the account of %j", async (options, asked, shown) => {
  const response = await ask(await startTestSandbox(options), "/v1/status-pages?limit=1", asked);
  expect(await response.json()).toMatchObject(
    typeof shown === "string" ? { entries: [{ name: shown }] } : { statusCode: shown },
  );
  expect(response.headers.get("www-authenticate")).toBe(shown === 401 ? "Bearer" : null);
});

test.each<Record<string, string>>([
  { origin: "https://elsewhere.example" },
  { origin: "http://127.0.0.1:1" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
])("a page with %j can't control the sandbox, and can't read or post with the key", async (headers) => {
  const sandbox = await startTestSandbox({ faults: [{ kind: "hang" }] });
  const control = await ask(sandbox, "/_sandbox/faults", { method: "DELETE", headers });
  const post = await ask(sandbox, updatesPath, { json: news, headers });
  const read = await ask(sandbox, incidentPath, { headers });
  expect([control.status, post.status, read.status]).toEqual([403, 403, 403]);
  expect([sandbox.faults.list().length, created(sandbox), sandbox.requests]).toEqual([1, 0, []]);
});

test("the sandbox's own page may control it and use the key, and other pages may link to it", async () => {
  const sandbox = await startTestSandbox();
  const own = { origin: sandbox.url, "sec-fetch-site": "same-origin" };
  expect((await ask(sandbox, "/_sandbox/faults", { headers: own })).status).toBe(200);
  expect((await ask(sandbox, updatesPath, { json: news, headers: own })).status).toBe(201);
  const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  expect((await ask(sandbox, "/", { headers: link })).status).toBe(200);
});

test("a page whose host name resolves to this machine can't read anything", async () => {
  const sandbox = shared();
  const before = sandbox.requests.length;
  const hosts = ["elsewhere.example", "127.0.0.1.elsewhere.example", ""];
  for (const host of hosts.concat("localhost:4010.elsewhere.example")) {
    const head = `Host: ${host}\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nConnection: close`;
    for (const path of ["/", "/_sandbox/requests", incidentPath])
      expect(await respondedTo(sandbox, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/);
  }
  expect(sandbox.requests).toHaveLength(before);
});

test.each<[string, (sandbox: Sandbox) => unknown, string]>([
  ["an incident", (sandbox) => sandbox.incident("none"), 'There is no status-page incident "none".'],
  [
    "an edit of an incident",
    ({ dashboard }) => dashboard.editIncident("none", {}),
    'There is no status-page incident "none".',
  ],
  [
    "a page's incident",
    (sandbox) => sandbox.incident(incidentId, "none"),
    `There is no status-page incident "${incidentId}".`,
  ],
  [
    "an edit",
    ({ dashboard }) => dashboard.editUpdate(incidentId, "none", {}),
    'There is no incident update "none".',
  ],
  [
    "a deletion",
    ({ dashboard }) => dashboard.deleteUpdate(incidentId, "none"),
    'There is no incident update "none".',
  ],
  [
    "a migration",
    ({ dashboard }) => dashboard.migratePage("none"),
    'There is no status page with cards "none".',
  ],
])("the sandbox names the missing object for %s", (_, action, message) => {
  expect(() => action(shared())).toThrow(SandboxError);
  expect(() => action(shared())).toThrow(message);
});

test("a change in the dashboard that makes the data invalid lists at most ten problems, and changes nothing", async () => {
  const sandbox = await startTestSandbox();
  const before = sandbox.data;
  const changeChannels = (count: number) => () =>
    sandbox.dashboard.change(({ accounts: [account] }) => {
      account.alertChannels.slice(0, count).forEach((channel) => Object.assign(channel, { sendFailure: 1 }));
      Object.assign(account.alertChannels[0] ?? {}, { type: "PIGEON" });
      Object.assign(account.statusPages[0] ?? {}, { one: 1, two: 2 });
    });
  expect(changeChannels(1)).toThrow(
    /^This change makes the data invalid:\n {2}accounts\[0\]\.statusPages\[0\]: has unknown fields: "one", "two"\n/,
  );
  expect(changeChannels(1)).toThrow(/\.sendFailure: must be of type boolean(\n|$)/);
  expect(changeChannels(1)).not.toThrow(/ more$/);
  expect(changeChannels(11)).toThrow(/\n {2}and 2 more$/);
  expect(() =>
    sandbox.dashboard.editUpdate(incidentId, latestId(sandbox), { status: "FINE" as "RESOLVED" }),
  ).toThrow(/\.status: must be one of INVESTIGATING, /);
  expect(sandbox.data).toBe(before);
  sandbox.dashboard.editUpdate(incidentId, latestId(sandbox), { description: "It works." });
  expect(getUpdates(sandbox)[0]).toMatchObject({ description: "It works." });
});

test("a list rejects the cursor of another list", async () => {
  const sandbox = shared();
  const list = async (path: string) => (await (await ask(sandbox, path)).json()) as { nextId?: string };
  const { nextId } = await list("/v1/status-pages?limit=1");
  expect((await list(`/v1/status-pages?limit=1&nextId=${nextId}`)).nextId).not.toBe(nextId);
  expect(await list(`/v3/status-pages?limit=1&nextId=${nextId}`)).toMatchObject(ofQuery("nextId"));
});

test("an incident contains its oldest update, or all of them if requested", async () => {
  const sandbox = shared();
  const incident = sandbox.data.accounts[0].incidents.find((each) => each.incidentUpdates.length > 1);
  const updates = incident?.incidentUpdates ?? [];
  const readUpdates = async (query: string) =>
    ((await (await ask(sandbox, `/v1/incidents/${incident?.id}${query}`)).json()) as typeof incident)
      ?.incidentUpdates;
  expect(await readUpdates("")).toEqual(updates.slice(-1));
  expect(await readUpdates("?includeAllIncidentUpdates=true")).toEqual(updates);
});
