import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { MonitoringClient, ResponseShapeError } from "../../provider/client";
import { apiKey, clientOf, failureOf, news, serve, serveJson, update } from "./services";

describe("against the sandbox", () => {
  let sandbox: Sandbox;
  let client: MonitoringClient;

  beforeAll(async () => {
    sandbox = await startSandbox();
    client = new MonitoringClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.url });
  });
  beforeEach(() => sandbox.clearRequests());
  afterAll(() => sandbox.close());

  const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

  test("an update is created, and read alone and in its incident", async () => {
    const created = await client.createIncidentUpdate(incidentId, news);
    expect(created).toMatchObject({ ...news, notifySubscribers: false });
    await expect(client.getIncidentUpdate(incidentId, created.id)).resolves.toEqual(created);
    const { incidentUpdates } = await client.getStatusPageIncident(incidentId);
    expect(incidentUpdates).toContainEqual(expect.objectContaining({ id: created.id }));
    expect(sandbox.requests.map(({ operation, status }) => [operation, status])).toEqual([
      ["createIncidentUpdate", 201],
      ["getIncidentUpdate", 200],
      ["getStatusPageIncident", 200],
    ]);
  });

  test("an alert channel is read by its number or the same as a text", async () => {
    const [channel] = sandbox.data.accounts[0].alertChannels;
    await expect(client.getAlertChannel(channel?.id ?? 0)).resolves.toMatchObject({ type: channel?.type });
    await expect(client.getAlertChannel(String(channel?.id))).resolves.toMatchObject({ id: channel?.id });
  });

  test("a dashboard incident comes with its first update, or with all when asked for", async () => {
    const incident = sandbox.data.accounts[0].incidents.find((one) => one.incidentUpdates.length > 1);
    const id = incident?.id ?? "";
    expect((await client.getIncident(id)).incidentUpdates).toHaveLength(1);
    const whole = await client.getIncident(id, { includeAllIncidentUpdates: true });
    expect(whole.incidentUpdates).toHaveLength(incident?.incidentUpdates.length ?? 0);
    expect(sandbox.requests.map(({ query }) => query)).toEqual([{}, { includeAllIncidentUpdates: "true" }]);
  });

  test("the list gives one page when awaited, and all status pages when iterated over", async () => {
    const page = await client.listStatusPages({ limit: 10 });
    expect(page).toEqual({ entries: expect.any(Array), length: 10, nextId: expect.any(String) });
    const names: string[] = [];
    for await (const { name } of client.listStatusPages({ limit: 10 })) names.push(name);
    expect(names.sort()).toEqual(sandbox.data.accounts[0].statusPages.map(({ name }) => name).sort());
    expect(sandbox.requests.every(({ query }) => query.limit === "10")).toBe(true);
  });
});

describe("on the wire", () => {
  test.each([
    ["createIncidentUpdate", "POST", "/v1/status-pages/incidents/i1/incident-updates"],
    ["getIncidentUpdate", "GET", "/v1/status-pages/incidents/i1/incident-updates/u1"],
    ["getStatusPageIncident", "GET", "/v1/status-pages/incidents/i1"],
    ["getIncident", "GET", "/v1/incidents/i1?includeAllIncidentUpdates=false"],
    ["getAlertChannel", "GET", "/v1/alert-channels/7"],
    ["listStatusPages", "GET", "/v1/status-pages?limit=5&nextId=a%2Fb%26c"],
  ])("%s is %s %s", async (operation, method, url) => {
    const responses: Record<string, unknown> = {
      getStatusPageIncident: { id: "i1", name: "Slow", incidentUpdates: [] },
      getIncident: { id: "i1", name: "Slow" },
      getAlertChannel: { id: 7, type: "EMAIL", config: {} },
      listStatusPages: { entries: [] },
    };
    const service = await serveJson(responses[operation] ?? update);
    const { client } = clientOf(service);
    const calls: Record<string, () => PromiseLike<unknown>> = {
      createIncidentUpdate: () => client.createIncidentUpdate("i1", news),
      getIncidentUpdate: () => client.getIncidentUpdate("i1", "u1"),
      getStatusPageIncident: () => client.getStatusPageIncident("i1"),
      getIncident: () => client.getIncident("i1", { includeAllIncidentUpdates: false }),
      getAlertChannel: () => client.getAlertChannel(7),
      listStatusPages: () => client.listStatusPages({ limit: 5, nextId: "a/b&c" }),
    };
    await calls[operation]?.();
    expect(service.requests).toMatchObject([{ method, url, headers: { accept: "application/json" } }]);
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(service.requests[0]?.body === "").toBe(method === "GET");
  });

  test("a new update is sent with these fields and no others, notifySubscribers always", async () => {
    const service = await serveJson(update, 201);
    const { client } = clientOf(service);
    await client.createIncidentUpdate("i1", news);
    const dated = { ...news, notifySubscribers: true, publicIncidentUpdateDate: "2026-01-31T09:30:00Z" };
    await client.createIncidentUpdate("i1", dated);
    await client.createIncidentUpdate("i1", {
      ...news,
      notifySubscribers: undefined,
      id: "x",
      created_at: "y",
    });
    expect(service.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { ...news, notifySubscribers: false },
      dated,
      { ...news, notifySubscribers: false, id: "x", created_at: "y" },
    ]);
    expect(service.requests[0]?.headers["content-type"]).toBe("application/json");
  });

  test("accounts side by side: each has its key, its account and the name of its header", async () => {
    const service = await serveJson({ id: 7, type: "EMAIL", config: {} });
    const { client: plain } = clientOf(service);
    const { client: eu } = clientOf(service, { apiKey: "key-eu", accountId: "acc-eu" });
    const { client: us } = clientOf(service, { accountId: "acc-us", accountHeader: "X-Tenant" });
    for (const client of [plain, eu, us]) await client.getAlertChannel(7);
    const sent = service.requests.map(({ headers }) => [
      headers.authorization,
      headers["x-service-account"],
      headers["x-tenant"],
    ]);
    expect(sent).toEqual([
      [`Bearer ${apiKey}`, undefined, undefined],
      ["Bearer key-eu", "acc-eu", undefined],
      [`Bearer ${apiKey}`, undefined, "acc-us"],
    ]);
  });

  test.each(["", "/", "/monitoring/api", "/monitoring/api//"])("a base URL may end in %j", async (prefix) => {
    const service = await serveJson(update);
    const { client } = clientOf({ url: service.url + prefix });
    await client.getIncidentUpdate("i1", "u1");
    const path = "/v1/status-pages/incidents/i1/incident-updates/u1";
    expect(service.requests).toMatchObject([{ url: prefix.replace(/\/+$/, "") + path }]);
  });
});

describe("what is read", () => {
  test("unknown fields and values pass through, at every level", async () => {
    const incident = {
      id: "i1",
      name: "Slow",
      severity: "APOCALYPTIC",
      rating: { stars: [1, 2] },
      services: [{ id: "s1", name: "API", region: "eu" }],
      incidentUpdates: [{ ...update, status: "MAINTENANCE", votes: 3 }],
    };
    const { client } = clientOf(await serveJson(incident));
    await expect(client.getStatusPageIncident("i1")).resolves.toEqual(incident);
  });

  test("null and missing are accepted wherever nobody relies on the field", async () => {
    const channel = { id: 7, type: "SLACK_APP", config: {}, sslExpiryThreshold: 90, updated_at: null };
    const { client } = clientOf(await serveJson(channel));
    await expect(client.getAlertChannel(7)).resolves.toEqual(channel);
  });

  // Found by the generated responses of test/contract.
  test.each([
    ["a theme of another kind", { themeColors: { light: { linkFontColor: "#06c" }, contrast: "high" } }],
    ["a theme without colours", { themeColors: { light: null } }],
    ["a colour of another type", { themeColors: { dark: { linkFontColor: ["#06c", "#09f"] } } }],
  ])("%s is accepted in the list of status pages", async (_, more) => {
    const entries = [{ id: "p1", name: "Checkout", ...more }];
    const service = await serveJson({ length: 1, entries, nextId: null });
    await expect(clientOf(service).client.listStatusPages()).resolves.toMatchObject({ entries });
  });

  test("fields that callers rely on are named by their path, all at once, and no value is", async () => {
    const page = { id: "p1", name: "Acme", cards: [{ id: "", name: "secret-value" }] };
    const { client } = clientOf(await serveJson({ entries: [page, { id: 7 }], nextId: 12 }));
    const error = await failureOf(client.listStatusPages());
    expect(error).toBeInstanceOf(ResponseShapeError);
    expect(error.message).toMatch(
      /^listStatusPages: .* these fields of the response don't match the API: entries\.0\.cards\.0\.id, entries\.1\.id, entries\.1\.name, nextId\./,
    );
    expect(error.message).not.toContain("secret-value");
  });

  test.each([
    ["as __proto__", '"__proto__"'],
    ["as __proto__ with escaped letters", String.raw`"\u005f_proto_\u005F"`],
    ["as constructor", '"constructor"'],
  ])("a key that would change prototypes, %s, changes none", async (_, key) => {
    const poison = `{"id":7,"type":"EMAIL",${key}:{"polluted":true},"config":{"a":{${key}:{"polluted":true}}}}`;
    const { client } = clientOf(await serve((response) => response.end(poison)));
    const channel = await client.getAlertChannel(7);
    expect(Object.getPrototypeOf(channel)).toBe(Object.prototype);
    for (const read of [channel, channel.config.a])
      expect(Object.assign({}, read)).not.toHaveProperty("polluted");
    expect({}).not.toHaveProperty("polluted");
  });
});

test("a response of an update without an id gets that of the request", async () => {
  const service = await serveJson({ description: "All good." });
  await expect(clientOf(service).client.getIncidentUpdate("i1", "u1")).resolves.toEqual({
    id: "u1",
    description: "All good.",
  });
});
