import { InvalidInputError, type MonitoringClient, ResponseShapeError } from "../../provider/client";
import { uuidOf } from "../../provider/texts";
import { apiKey, clientOf, failureOf, news, read, serve, serveJson, update, write } from "./services";

const channel = { id: 7, type: "EMAIL", config: {} };
const incident = { id: "i1", name: "Slow", incidentUpdates: [] };

// The requests and responses of each operation, as docs/openapi.yaml describes them: test/contract/client.test.ts.

test("only a read that must be fresh asks caches not to answer it", async () => {
  const service = await serveJson(incident);
  const { client } = clientOf(service);
  for (const shared of [undefined, true, false]) await client.getStatusPageIncident("i1", { shared });
  const asked = service.requests.map(({ headers }) => headers["cache-control"]);
  expect(asked).toEqual([undefined, undefined, "no-cache"]);
});

test.each([
  ["notifySubscribers always", {}, { notifySubscribers: false }],
  ["others", { id: "x", created_at: "y" }, { notifySubscribers: false, id: "x", created_at: "y" }],
  [
    "a public date with an offset as UTC, the only form that every deployment accepts",
    { publicIncidentUpdateDate: "2026-01-31T11:30:00+02:00" },
    { notifySubscribers: false, publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z" },
  ],
])("a new update is sent with these fields and no others: %s: %j", async (_, given, sent) => {
  const service = await serveJson(update, 201);
  await clientOf(service).client.createIncidentUpdate("i1", { ...news, ...given });
  const [{ body, headers }] = [...service.requests, { body: "", headers: {} }];
  expect(JSON.parse(body)).toEqual({ ...news, ...sent });
  expect(headers["content-type"]).toBe("application/json");
});

test.each(["", "/", "/monitoring/api", "/monitoring/api//"])("a base URL may end in %j", async (prefix) => {
  const service = await serveJson(update);
  await read(clientOf({ url: service.url + prefix }));
  const path = "/v1/status-pages/incidents/i1/incident-updates/u1";
  expect(service.requests).toMatchObject([{ url: prefix.replace(/\/+$/, "") + path }]);
});

describe("what is read", () => {
  const ours = uuidOf("x");
  test.each<[string, object, (client: MonitoringClient) => Promise<unknown>, string]>([
    [
      "incident, which is no id of ours,",
      { ...incident, id: ours },
      (client) => client.getStatusPageIncident(ours.toUpperCase()),
      `incidentId must be "${ours}"`,
    ],
    ["update", update, (client) => client.getIncidentUpdate("i1", "U1"), 'incidentUpdateId must be "u1"'],
    ["channel", channel, (client) => client.getAlertChannel("007"), 'id must be "7"'],
  ])("another spelling of the id of an %s is refused, with the service's", async (_, shown, call, reason) => {
    const error = await failureOf(call(clientOf(await serveJson(shown)).client));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain(
      `${reason}, as in the response. Write the id as the service does; if that is another object, check the base URL and the proxies before the service`,
    );
  });

  test("a UUID of ours may come in capitals", async () => {
    const { client } = clientOf(await serveJson({ ...update, id: ours.toUpperCase() }));
    await expect(client.getIncidentUpdate("i1", ours)).resolves.toMatchObject({ id: ours.toUpperCase() });
  });

  test("a read whose response contains the API key is refused", async () => {
    const { client } = clientOf(
      await serveJson({ ...channel, config: { address: `${apiKey}@acme.example` } }),
    );
    const error = await failureOf(client.getAlertChannel(7));
    expect(error).toBeInstanceOf(ResponseShapeError);
    expect(error.message).toContain("but the response contains the API key.");
  });

  test("a write whose response contains the API key has succeeded, and the key is hidden", async () => {
    const sent = { token: apiKey, [`x-${apiKey}`]: { note: [`Bearer ${apiKey}`] } };
    const service = await serveJson({ ...update, ...sent });
    const created = await write(clientOf(service));
    expect(created).toEqual({ ...update, token: "[hidden]", "[hidden]": { note: ["[hidden]"] } });
    expect(service.requests).toHaveLength(1);
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
