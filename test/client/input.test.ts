/** Tests the values that a client accepts from a program, sends and returns: options, arguments, requests and responses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ClientOptions,
  ConfigurationError,
  defaults,
  InvalidInputError,
  MonitoringClient,
} from "../../provider/client";
import { computeUuid } from "../../provider/texts";
import {
  apiKey,
  createClient,
  edit,
  edition,
  catchError,
  news,
  nobodyListens,
  read,
  serve,
  serveJson,
  update,
  write,
} from "./services";

const baseUrl = "https://api.example.com";

/** The client as plain JavaScript sees it, without types that check the arguments. */
interface Unchecked {
  createIncidentUpdate(incidentId: unknown, update?: unknown, options?: unknown): Promise<unknown>;
  editComponentPageIncidentUpdate(...args: unknown[]): Promise<unknown>;
  openComponentPageIncident(...args: unknown[]): Promise<unknown>;
  getIncident(id: unknown, query?: unknown, options?: unknown): Promise<unknown>;
  getIncidentUpdate(incidentId: unknown, id: unknown): Promise<unknown>;
  getAlertChannel(id: unknown, options?: unknown): Promise<unknown>;
  listStatusPages(query?: unknown, options?: unknown): PromiseLike<unknown>;
}
const unchecked: { make(options: unknown): MonitoringClient } = {
  make: (options: ClientOptions) => new MonitoringClient(options),
};

/** Returns the problems with these options, by property. */
function validateOptions(options: unknown): Record<string, string> {
  try {
    unchecked.make(options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const { property, reason } of error.problems)
      expect(error.message).toContain(`${property} ${reason}`);
    return Object.fromEntries(error.problems.map(({ property, reason }) => [property, reason]));
  }
  return {};
}

const token = "must be printable ASCII without spaces, and not empty";
const tokenBut = (character: string) => `${token}: ${character}. Copy or type the value again`;
const reserved = "must not be a reserved header, such as Authorization";
const aUrl = "must be a URL, such as https://api.example.com";
const needsHttps =
  "must start with https:// (http:// is allowed only for this machine: localhost, 127.0.0.1, [::1])";
const noPassword = "must not contain a user name or password";
const noQuery = "must not contain a query or fragment";

describe("the options of a client", () => {
  test("all errors in the options of a client are reported together, without values", () => {
    const wrong = {
      apiKey: "s3cret with spaces",
      baseUrl: "http://user:s3cret@api.example.com",
      accountId: "",
      accountHeader: "Authorization",
      timeoutMs: 0,
      deadlineMs: 1.5,
      maxAttempts: 11,
      maxConcurrency: NaN,
      readOnly: "no",
      signal: {},
      onRequest: "log",
      apikey: "s3cret",
    };
    expect(validateOptions(wrong)).toEqual({
      apiKey: tokenBut("character 7 is white space, U+0020"),
      baseUrl: needsHttps,
      accountId: token,
      accountHeader: reserved,
      timeoutMs: "must be a whole number from 1 to 3600000",
      deadlineMs: "must be a whole number from 1 to 3600000",
      maxAttempts: "must be a whole number from 1 to 10",
      maxConcurrency: "must be a whole number from 1 to 100",
      readOnly: "must be true or false",
      signal: "must be an AbortSignal",
      onRequest: "must be a function",
      apikey: "is not known",
    });
  });

  test.each([
    ["undefined", undefined],
    ["an empty object", {}],
    ["inherited options, which a copy would lose,", Object.create({ apiKey, baseUrl })],
  ])("%s instead of options causes an error that names the missing options", (_, options) => {
    expect(validateOptions(options)).toMatchObject({ apiKey: "must be a string", baseUrl: "must be a URL" });
  });

  test.each([
    "https://api.example.com",
    "http://localhost:4010",
    "http://127.0.0.1:4010",
    "http://[::1]:4010",
  ])("%s may be the base URL", (url) => {
    expect(validateOptions({ apiKey, baseUrl: url })).toEqual({});
  });

  test.each<[string, unknown[]]>([
    [aUrl, ["", "api.example.com", "http://api.127.0.0.1"]],
    [needsHttps, ["http://api.example.com", "http://localhost.example.com", "http://127.0.0.1.example.com"]],
    [needsHttps, ["http://my-localhost", "http://0.0.0.0", "http://192.168.0.1"]],
    [needsHttps, ["ftp://localhost", "file:///etc/hosts"]],
    [noPassword, ["user", "user:s3cret", ":s3cret"].map((user) => `https://${user}@api.example.com`)],
    [noQuery, ["?key=1", "#here", "?"].map((end) => `https://api.example.com/${end}`)],
    ["must be a URL", [Symbol("s3cret"), Object.create(null), new URL(baseUrl)]],
  ])("the base URL %s: not %p", (reason, urls) => {
    for (const url of urls) expect(validateOptions({ apiKey, baseUrl: url })).toEqual({ baseUrl: reason });
  });

  test.each([
    ["", token],
    [" \r\n", token],
    ["\nnew\r\nline\n", tokenBut("character 4 is white space, U+000D")],
    ["ключ", tokenBut("character 1 is U+043A")],
    ["😀\u200b", tokenBut("character 1 is U+1F600")],
  ])("%j isn't an API key or an account ID", (key, reason) => {
    expect(validateOptions({ apiKey: key, baseUrl, accountId: key })).toEqual({
      apiKey: reason,
      accountId: reason,
    });
  });

  test("white space around the settings of a connection is ignored, because files end with a line break", async () => {
    const service = await serveJson(update);
    const around = (value: string): string => ` \t\u00a0\ufeff${value}\r\n\u3000`;
    const client = new MonitoringClient({
      apiKey: around("!key~"),
      baseUrl: around(service.url),
      accountId: around("id"),
      accountHeader: around("x-account"),
    });
    await read({ client });
    const { authorization, "x-account": account } = service.requests.at(-1)?.headers ?? {};
    expect([authorization, account]).toEqual(["Bearer !key~", "id"]);
  });

  test.each<[string, unknown[]]>([
    ["must be a string", [7]],
    ["must be a valid header name", ["", "a b", "a:b"]],
    [
      reserved,
      ["Host", "cookie", "Content-Length", "Cache-Control", "Proxy-Authorization", "accept-encoding"],
    ],
    [reserved, ["__proto__", "constructor", "Prototype"]],
  ])("accountHeader %s: not %p", (reason, names) => {
    for (const accountHeader of names)
      expect(validateOptions({ apiKey, baseUrl, accountHeader })).toEqual({ accountHeader: reason });
  });

  test("later changes to the object with the options have no effect on the client", async () => {
    const service = await serveJson(update);
    const options: ClientOptions = { apiKey, baseUrl: service.url, readOnly: true, accountId: "acc" };
    const client = new MonitoringClient(options);
    const others = { apiKey: "other", baseUrl: "https://other.example", readOnly: false, accountId: "b" };
    Object.assign(options, others);
    await read({ client });
    expect(service.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      "x-service-account": "acc",
    });
    await expect(write({ client })).rejects.toThrow(ConfigurationError);
  });

  test("readOnly rejects each write before it is sent and gives the reason, but allows reads", async () => {
    const service = await serveJson(update);
    const watched = createClient(service, { readOnly: true });
    const error = await catchError(write(watched));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe(
      "createIncidentUpdate i1: readOnly is enabled (monitoring:readOnly, MONITORING_READ_ONLY or readOnly in the program). Nothing was sent.",
    );
    const edited = await catchError(edit(watched));
    expect(edited).toBeInstanceOf(ConfigurationError);
    expect(edited.message).toMatch(/^editComponentPageIncidentUpdate p1\/i1\/u1: readOnly is enabled /);
    expect([error, edited]).toMatchObject([{ applied: "no" }, { applied: "no" }]);
    await read(watched);
    expect(service.requests).toHaveLength(1);
  });
});

test("a write with invalid input wasn't applied, and a read has no such field", async () => {
  const { client } = createClient(await serveJson(update));
  const refused = await catchError(
    client.createIncidentUpdate("i1", { status: "MONITORING", description: "" }),
  );
  expect(refused).toMatchObject({ name: "InvalidInputError", applied: "no" });
  expect(await catchError(client.getAlertChannel(""))).not.toHaveProperty("applied");
});

test("the guide contains the defaults of the settings", () => {
  const guide = readFileSync(join(__dirname, "../../docs/guides/configuration.md"), "utf8");
  const rows = [...guide.matchAll(/^\| `monitoring:(\w+)` .*\| (\S.*?) +\|$/gm)];
  const said = rows.flatMap(([, name = "", text = ""]) =>
    name in defaults ? [[name, text.replaceAll(/[`,]/g, "")]] : [],
  );
  const { accountHeader, timeoutMs, deadlineMs } = defaults;
  const values = { accountHeader, timeoutMs: String(timeoutMs), deadlineMs: String(deadlineMs) };
  expect(Object.fromEntries(said)).toEqual({ ...values, readOnly: String(Number(defaults.readOnly)) });
});

describe("the arguments of an operation", () => {
  const client: Unchecked = createClient({ url: baseUrl }).client;
  const listInvalidProperties = async (call: PromiseLike<unknown>) => {
    const error = await catchError(call);
    expect(error).toBeInstanceOf(InvalidInputError);
    return error instanceof InvalidInputError ? error.problems.map(({ property }) => property).sort() : [];
  };

  // test/api/api.test.ts tests which arguments are IDs, and test/contract/client.test.ts where they are sent.
  test("every ID of an operation is checked, and the ID of an alert channel is a whole number", async () => {
    expect(await listInvalidProperties(client.getIncidentUpdate("..", "/"))).toEqual([
      "incidentId",
      "incidentUpdateId",
    ]);
    expect((await catchError(client.getAlertChannel("ops"))).message).toBe(
      "getAlertChannel: id must be the ID of an alert channel (a whole number).",
    );
  });

  const edited = (fields: object) => ["p1", "i1", "u1", { ...edition, ...fields }] as const;

  // test/contract/sandbox.test.ts tests the values of a new update with the same schema.
  test.each<[property: string, values: unknown[], call: (options: object) => PromiseLike<unknown>]>([
    ["limit", [0, 101, 1.5], (query) => client.listStatusPages(query)],
    ["nextId", [""], (query) => client.listStatusPages(query)],
    ["includeAllIncidentUpdates", ["yes"], (query) => client.getIncident("i1", query)],
    ["deadlineMs", [0, Infinity, NaN], (options) => client.getAlertChannel(1, options)],
    ["signal", [{}], (options) => client.getAlertChannel(1, options)],
    ["timeout", [5], (options) => client.getAlertChannel(1, options)],
    ["prefetch", [true], (options) => client.listStatusPages({}, options)],
    ["beforeSend", [true], (options) => client.createIncidentUpdate("i1", news, options)],
    ["message", ["x"], (fields) => client.createIncidentUpdate("i1", { ...news, ...fields })],
    [
      "notifySubscribers",
      [true, false],
      (fields) => client.editComponentPageIncidentUpdate(...edited(fields)),
    ],
    [
      "publicIncidentUpdateDate",
      [undefined, "soon"],
      (fields) => client.editComponentPageIncidentUpdate(...edited(fields)),
    ],
    [
      "incidentUpdates",
      [undefined, "none", [], [news, news]],
      (fields) => client.openComponentPageIncident("p1", { name: "Slow", ...fields }),
    ],
    ["__proto__", [1], (fields) => client.createIncidentUpdate("i1", { ...news, ...fields })],
  ])("%s can't be any of %p", async (property, values, call) => {
    for (const value of values)
      expect(await listInvalidProperties(call({ [property]: value }))).toEqual([property]);
  });

  test("all errors in arguments are reported together, each with its property", async () => {
    const wrong = { status: "GONE", description: "", extra: 1 };
    const error = await catchError(client.createIncidentUpdate("../x", wrong, { deadlineMs: -1 }));
    expect(error.message).toBe(
      [
        "createIncidentUpdate:",
        "  - incidentId must be an ID without white space, control characters or any of / \\ ? # %.",
        "  - status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED.",
        "  - description must not be empty.",
        "  - extra is not known.",
        "  - deadlineMs must be a whole number from 1 to 3600000.",
      ].join("\n"),
    );
  });
});

const incident = { id: "i1", name: "Slow", incidentUpdates: [] };

// test/contract/client.test.ts compares the requests and responses of each operation with docs/openapi.yaml.

test("only a read that must be fresh forbids cached responses", async () => {
  const service = await serveJson(incident);
  const { client } = createClient(service);
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
])("a new update is sent with exactly these fields: %s: %j", async (_, given, sent) => {
  const service = await serveJson(update, 201);
  await createClient(service).client.createIncidentUpdate("i1", { ...news, ...given });
  const [{ body, headers }] = [...service.requests, { body: "", headers: {} }];
  expect(JSON.parse(body)).toEqual({ ...news, ...sent });
  expect(headers["content-type"]).toBe("application/json");
});

test("a parameter that is undefined isn't sent", async () => {
  const service = await serveJson({ entries: [], length: 0, nextId: null });
  const client: Unchecked = createClient(service).client;
  await client.listStatusPages({ limit: undefined, nextId: "p2" });
  expect(service.requests.map(({ url }) => url.split("?")[1])).toEqual(["nextId=p2"]);
});

test.each(["", "/", "/monitoring/api", "/monitoring/api//"])("a base URL may end in %j", async (prefix) => {
  const service = await serveJson(update);
  await read(createClient({ url: service.url + prefix }));
  const path = "/v1/status-pages/incidents/i1/incident-updates/u1";
  const shown = prefix.replace(/\/+$/, "");
  expect(service.requests).toMatchObject([{ url: shown + path }]);
  const { message } = await catchError(
    read(createClient({ url: nobodyListens + prefix }, { maxAttempts: 1 })),
  );
  expect(message).toContain(` at ${nobodyListens}${shown} `);
});

describe("response IDs", () => {
  const ours = computeUuid("x");
  test.each<[string, object, (client: MonitoringClient) => Promise<unknown>, string]>([
    [
      "incident, which isn't an ID of ours,",
      { ...incident, id: ours },
      (client) => client.getStatusPageIncident(ours.toUpperCase()),
      `incidentId must be "${ours}"`,
    ],
    ["update", update, (client) => client.getIncidentUpdate("i1", "U1"), 'incidentUpdateId must be "u1"'],
    [
      "channel",
      { id: 7, type: "EMAIL", config: {} },
      (client) => client.getAlertChannel("007"),
      'id must be "7"',
    ],
  ])(
    "a response with a different spelling of the ID of an %s is rejected, with the service's spelling",
    async (_, shown, call, reason) => {
      const error = await catchError(call(createClient(await serveJson(shown)).client));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.message).toContain(
        `${reason}, the ID in the response. Write the ID as the service returns it. If the ID belongs to a different object, check the base URL and any proxies`,
      );
    },
  );

  test("a UUID generated by the client may be returned in capitals", async () => {
    const { client } = createClient(await serveJson({ ...update, id: ours.toUpperCase() }));
    await expect(client.getIncidentUpdate("i1", ours)).resolves.toMatchObject({ id: ours.toUpperCase() });
  });

  test("a write whose response contains the API key has succeeded, and the key is hidden", async () => {
    const sent = { token: apiKey, [`x-${apiKey}`]: { note: [`Bearer ${apiKey}`] } };
    const service = await serveJson({ ...update, ...sent });
    const created = await write(createClient(service));
    expect(created).toEqual({ ...update, token: "[hidden]", "[hidden]": { note: ["[hidden]"] } });
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ["as __proto__", '"__proto__"'],
    ["as __proto__ with escaped letters", String.raw`"\u005f_proto_\u005F"`],
    ["as constructor", '"constructor"'],
  ])("the key %s, which would change prototypes, has no effect", async (_, key) => {
    const poison = `{"id":7,"type":"EMAIL",${key}:{"polluted":true},"config":{"a":{${key}:{"polluted":true}}}}`;
    const { client } = createClient(await serve((response) => response.end(poison)));
    const channel = await client.getAlertChannel(7);
    expect(Object.getPrototypeOf(channel)).toBe(Object.prototype);
    for (const read of [channel, channel.config.a])
      expect(Object.assign({}, read)).not.toHaveProperty("polluted");
    expect({}).not.toHaveProperty("polluted");
  });
});
