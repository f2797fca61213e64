import {
  type ClientOptions,
  ConfigurationError,
  InvalidInputError,
  MonitoringClient,
} from "../../provider/client";
import { apiKey, clientOf, failureOf, news, serveJson, update } from "./services";

const baseUrl = "https://api.example.com";

function mistakesOf(make: () => unknown): Record<string, string> {
  try {
    make();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const { property, reason } of error.problems)
      expect(error.message).toContain(`${property} ${reason}`);
    return Object.fromEntries(error.problems.map(({ property, reason }) => [property, reason]));
  }
  return {};
}

/** The client as a program in plain JavaScript sees it: nothing checks what is passed. */
interface Unchecked {
  createIncidentUpdate(incidentId: unknown, update?: unknown, options?: unknown): Promise<unknown>;
  getIncident(id: unknown, query?: unknown, options?: unknown): Promise<unknown>;
  getAlertChannel(id: unknown, options?: unknown): Promise<unknown>;
  listStatusPages(query?: unknown, options?: unknown): PromiseLike<unknown>;
}
const unchecked: { make(options: unknown): MonitoringClient } = {
  make: (options: ClientOptions) => new MonitoringClient(options),
};

const aUrl = "must be a URL, such as https://api.example.com";
const needsHttps =
  "must begin with https:// (plain http only for this machine itself: localhost, 127.0.0.1, [::1])";
const noPassword = "must not hold a user name or password";
const noQuery = "must not hold a query or fragment";

describe("the options of a client", () => {
  test("every mistake is told at once, and no value", () => {
    const wrong = {
      apiKey: "s3cret with spaces",
      baseUrl: "http://user:s3cret@api.example.com",
      accountId: "",
      accountHeader: "Authorization",
      timeoutMs: 0,
      deadlineMs: 1.5,
      maxAttempts: 11,
      maxConcurrency: NaN,
      maxRequestsPerMinute: "s3cret",
      readOnly: "no",
      signal: {},
      onRequest: "log",
      apikey: "s3cret",
    };
    expect(mistakesOf(() => unchecked.make(wrong))).toEqual({
      apiKey: "must be visible ASCII characters, without spaces, and not empty",
      baseUrl: needsHttps,
      accountId: "must be visible ASCII characters, without spaces, and not empty",
      accountHeader: "must not be a header that has another use",
      timeoutMs: "must be a whole number from 1 to 3600000",
      deadlineMs: "must be a whole number from 1 to 3600000",
      maxAttempts: "must be a whole number from 1 to 10",
      maxConcurrency: "must be a whole number from 1 to 100",
      maxRequestsPerMinute: "must be a whole number from 1 to 1000000",
      readOnly: "must be true or false",
      signal: "must be an AbortSignal",
      onRequest: "must be a function",
      apikey: "is not known",
    });
  });

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["a text", "https://api.example.com"],
    ["an empty object", {}],
    ["options that are inherited, which a copy would lose", Object.create({ apiKey, baseUrl })],
  ])("%s instead of options names what is missing", (_, options) => {
    const mistakes = mistakesOf(() => unchecked.make(options));
    expect(mistakes).toMatchObject({ apiKey: "must be a string", baseUrl: "must be a URL" });
  });

  test.each([
    "https://api.example.com",
    "https://api.example.com:8443/prefix/",
    "http://localhost:4010",
    "http://127.0.0.1:4010",
    "http://127.123.45.67",
    "http://[::1]:4010",
  ])("%s may be the base URL", (url) => {
    expect(mistakesOf(() => new MonitoringClient({ apiKey, baseUrl: url }))).toEqual({});
  });

  test.each([
    ["", aUrl],
    ["api.example.com", aUrl],
    ["http://api.example.com", needsHttps],
    ["http://localhost.example.com", needsHttps],
    ["http://127.0.0.1.example.com", needsHttps],
    ["http://api.127.0.0.1", aUrl],
    ["http://my-localhost", needsHttps],
    ["http://0.0.0.0", needsHttps],
    ["http://192.168.0.1", needsHttps],
    ["ftp://localhost", needsHttps],
    ["file:///etc/hosts", needsHttps],
    ["https://user@api.example.com", noPassword],
    ["https://user:s3cret@api.example.com", noPassword],
    ["https://:s3cret@api.example.com", noPassword],
    ["https://api.example.com/?key=1", noQuery],
    ["https://api.example.com/#here", noQuery],
    ["https://api.example.com/?", noQuery],
  ])("%j may not", (url, reason) => {
    expect(mistakesOf(() => new MonitoringClient({ apiKey, baseUrl: url }))).toEqual({ baseUrl: reason });
  });

  test.each(["", "with space", "new\nline", "ключ", "nul\0"])("%j is no API key", (key) => {
    expect(mistakesOf(() => new MonitoringClient({ apiKey: key, baseUrl }))).toHaveProperty("apiKey");
  });

  const text = "must be a string";
  const header = "must be the name of a header";
  const inUse = "must not be a header that has another use";
  test.each<[unknown, string]>([
    [7, text],
    ["", header],
    ["a b", header],
    ["a:b", header],
    ["Host", inUse],
    ["cookie", inUse],
    ["Content-Length", inUse],
    ["Cache-Control", inUse],
    ["Proxy-Authorization", inUse],
    ["accept-encoding", inUse],
    ["__proto__", inUse],
    ["constructor", inUse],
    ["Prototype", inUse],
  ])("%j can't name the account's header", (accountHeader, reason) => {
    const mistakes = mistakesOf(() => unchecked.make({ apiKey, baseUrl, accountHeader }));
    expect(mistakes).toEqual({ accountHeader: reason });
  });

  test("changing the object afterwards changes nothing", async () => {
    const service = await serveJson(update);
    const options: ClientOptions = { apiKey, baseUrl: service.url, readOnly: true, accountId: "acc" };
    const client = new MonitoringClient(options);
    Object.assign(options, {
      apiKey: "other",
      baseUrl: "https://other.example",
      readOnly: false,
      accountId: "b",
    });
    await client.getIncidentUpdate("i1", "u1");
    expect(service.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      "x-service-account": "acc",
    });
    await expect(client.createIncidentUpdate("i1", news)).rejects.toThrow(ConfigurationError);
  });

  test("readOnly refuses each write before it is sent, and says so; reads go on", async () => {
    const service = await serveJson(update);
    const { client } = clientOf(service, { readOnly: true });
    const error = await failureOf(client.createIncidentUpdate("i1", news));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe(
      "createIncidentUpdate i1: readOnly is on, so nothing was sent (a program sets it by monitoring:readOnly or MONITORING_READ_ONLY).",
    );
    await client.getIncidentUpdate("i1", "u1");
    expect(service.requests).toHaveLength(1);
  });
});

describe("the arguments of an operation", () => {
  const client: Unchecked = clientOf({ url: baseUrl }).client;
  type Wrong = readonly [string, () => PromiseLike<unknown>, string[]];
  const create = (given: unknown) => () => client.createIncidentUpdate("i1", given);

  test.each<Wrong>([
    ["nothing", create(undefined), ["description", "status"]],
    ["null", create(null), ["description", "status"]],
    ["a status in lower case", create({ ...news, status: "resolved" }), ["status"]],
    ["white space for a description", create({ ...news, description: " \n" }), ["description"]],
    ["null for a flag", create({ ...news, notifySubscribers: null }), ["notifySubscribers"]],
    ["a text for a flag", create({ ...news, notifySubscribers: "true" }), ["notifySubscribers"]],
    [
      "a date without a zone",
      create({ ...news, publicIncidentUpdateDate: "2026-01-31 09:30" }),
      ["publicIncidentUpdateDate"],
    ],
    [
      "a day that is not",
      create({ ...news, publicIncidentUpdateDate: "2026-02-30T00:00:00Z" }),
      ["publicIncidentUpdateDate"],
    ],
    ["an unknown field", create({ ...news, message: "x" }), ["message"]],
    [
      "a field __proto__",
      create(JSON.parse('{"status":"RESOLVED","description":"x","__proto__":1}')),
      ["__proto__"],
    ],
    ["an empty id of its own", create({ ...news, id: "" }), ["id"]],
    ["a limit of 0", () => client.listStatusPages({ limit: 0 }), ["limit"]],
    ["a limit of 101", () => client.listStatusPages({ limit: 101 }), ["limit"]],
    ["a broken limit", () => client.listStatusPages({ limit: 1.5 }), ["limit"]],
    ["an empty cursor", () => client.listStatusPages({ nextId: "" }), ["nextId"]],
    [
      "a flag as text",
      () => client.getIncident("i1", { includeAllIncidentUpdates: "yes" }),
      ["includeAllIncidentUpdates"],
    ],
    ["a deadline of 0", () => client.getAlertChannel(1, { deadlineMs: 0 }), ["deadlineMs"]],
    ["a deadline without end", () => client.getAlertChannel(1, { deadlineMs: Infinity }), ["deadlineMs"]],
    ["a deadline that is no number", () => client.getAlertChannel(1, { deadlineMs: NaN }), ["deadlineMs"]],
    ["a signal that is none", () => client.getAlertChannel(1, { signal: {} }), ["signal"]],
    ["an unknown option", () => client.getAlertChannel(1, { timeout: 5 }), ["timeout"]],
    ["a flag as a number", () => client.listStatusPages({}, { prefetch: 1 }), ["prefetch"]],
    [
      "a callback that is none",
      () => client.createIncidentUpdate("i1", news, { beforeSend: true }),
      ["beforeSend"],
    ],
  ])("%s is refused", async (_, call, properties) => {
    const error = await failureOf(call());
    expect(error).toBeInstanceOf(InvalidInputError);
    const named = error instanceof InvalidInputError ? error.problems.map(({ property }) => property) : [];
    expect(named.sort()).toEqual(properties);
  });

  test("null instead of what may be left out is as good as nothing", async () => {
    const service = await serveJson({ id: "i1", name: "Slow" });
    const reader: Unchecked = clientOf(service).client;
    await reader.getIncident("i1", null, null);
    expect(service.requests).toMatchObject([{ url: "/v1/incidents/i1" }]);
  });

  test("all mistakes come in one error, each by its property", async () => {
    const wrong = { status: "GONE", description: "", extra: 1 };
    const error = await failureOf(client.createIncidentUpdate("../x", wrong, { deadlineMs: -1 }));
    expect(error.message).toBe(
      "createIncidentUpdate: incidentId must be an id, without white space, control characters or any of / \\ ? # %; " +
        "status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED; description must not be empty; " +
        "extra is not known; deadlineMs must be a whole number from 1 to 3600000.",
    );
  });

  test("an object that answers differently when asked twice is asked once", async () => {
    const service = await serveJson(update, 201);
    let asked = 0;
    const shifty = {
      status: "RESOLVED",
      get description() {
        return asked++ === 0 ? "fine" : { not: "a text" };
      },
    };
    const writer: Unchecked = clientOf(service).client;
    await writer.createIncidentUpdate("i1", shifty);
    expect(JSON.parse(service.requests[0]?.body ?? "")).toMatchObject({ description: "fine" });
  });
});
