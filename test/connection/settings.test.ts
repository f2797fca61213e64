/** Tests valid and invalid settings in the configuration and in the environment. */
import os from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "../../provider/client";
import { Configuration, Connections, createLimitListener } from "../../provider/connection";
import { edit, nobodyListens, write } from "../client/services";

const canary = "canary";
const good = { apiKey: "key", baseUrl: "https://api.example.com", accountId: "account" };

function connections(config: Record<string, string>, environment: Record<string, string> = {}): Connections {
  return new Connections((key) => config[key], environment);
}

/** Returns all reported problems, one per line. */
function mistakes(config: Record<string, string>, environment?: Record<string, string>): string[] {
  try {
    connections(config, environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.message).not.toContain(canary);
    return error.problems.map(({ property, reason }) => `${property} ${reason}`);
  }
  return [];
}

const visible = (character: string) =>
  `must be printable ASCII without spaces, and not empty: character 7 is ${character}. Copy or type the value again`;
const wholeMs = "must be a whole number from 1 to 3600000";
const wrongNumbers = ["canary", "0", "-1", "1.5", "1e3", "Infinity", "99999999999", "0x10", "١"];
const noObjects = ["canary", "[]", "[1]", "1", "null", '"canary"', '{"a": 1,}'];

/** Invalid values of each setting, by the reported reason. test/client/input.test.ts tests the other options of the client. */
const wrong: Record<string, Record<string, string[]>> = {
  apiKey: {
    [visible("white space, U+0020")]: ["canary key", "\tcanary key\n"],
  },
  accountId: { [visible("white space, U+000D")]: ["canary\r\nx: y"] },
  baseUrl: { "must be a URL, such as https://api.example.com": ["canary", "//canary", "https://[canary"] },
  accountHeader: { "must be a valid header name": ["x canary", "canary:"] },
  alertChannels: { 'must be a JSON object of IDs by name, such as {"on-call": 200123}': noObjects },
  timeoutMs: { [wholeMs]: wrongNumbers },
  deadlineMs: { [wholeMs]: wrongNumbers },
  lockDirectory: {
    "must be an absolute path, because a relative path is a different directory in each project": [
      "canary",
      "~/canary",
    ],
  },
  resend: {
    "must be codes of 8 hexadecimal digits, separated by spaces, such as cf3a1c20": [
      ...["canary", "7f3a1c2", "cf3a1c200", "7f3a1c2g", "0x7f3a1c", "cf3a1c20 canary", "７f3a1c20"],
      ...["cf3a1c20,abadcafe", "cf3a1c20abadcafe"],
    ],
    "must be at most 100 codes: set those of the last message alone": [
      Array.from({ length: 101 }, (_, index) => 10_000_000 + index).join(" "),
    ],
  },
  // A misspelled value must not allow writes.
  readOnly: { "must be true, false, 1 or 0": ["canary", "yes", "on", "2"] },
};

const right: Record<string, string> = {
  apiKey: "other-key",
  accountId: "other-account",
  baseUrl: "http://localhost:4010/prefix/",
  accountHeader: "x-account",
  alertChannels: '{"on-call": 1, "billing": "2"}',
  timeoutMs: "1",
  deadlineMs: "3600000",
  lockDirectory: process.cwd(),
  resend: "cf3a1c20",
  readOnly: " TRUE ",
};

const toVariableName = (setting: string): string =>
  `MONITORING_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

describe.each(Object.entries(wrong))("%s", (setting, reasons) => {
  const cases = Object.entries(reasons).flatMap(([reason, values]) =>
    values.map((value) => [value, reason] as const),
  );

  it.each(cases)("a setting may not be %j, in the configuration or in the environment", (value, reason) => {
    expect(mistakes({ ...good, [setting]: value })).toEqual([`monitoring:${setting} ${reason}`]);
    expect(mistakes(good, { [toVariableName(setting)]: value })).toEqual([
      `${toVariableName(setting)} ${reason}`,
    ]);
  });

  it("a setting is read from its variable if the variable is set and not empty", () => {
    const [wrongValue = "", reason = ""] = cases[0] ?? [];
    const value = right[setting] ?? "";
    // Codes from both places take effect.
    const expected = setting === "resend" ? [`monitoring:resend ${reason}`] : [];
    expect(mistakes({ ...good, [setting]: wrongValue }, { [toVariableName(setting)]: value })).toEqual(
      expected,
    );
    expect(mistakes({ ...good, [setting]: value }, { [toVariableName(setting)]: "" })).toEqual([]);
  });
});

it("all invalid settings are reported together, each with the command that fixes it", () => {
  const settings = Object.keys(wrong);
  const firstWrong = Object.fromEntries(
    Object.entries(wrong).map(([name, reasons]) => [name, Object.values(reasons)[0]?.[0] ?? ""]),
  );
  const accounts = JSON.stringify({ eu: { apiKey: 1 }, us: { apiKey: "canary key", baseUrl: "canary" } });
  const alertChannels = JSON.stringify({ a: null, b: "canary" });
  const inMaps = ["accounts.eu.apiKey", "accounts.us.apiKey", "accounts.us.baseUrl"];
  const told = mistakes({ ...firstWrong, accounts, alertChannels });
  expect(told.map((line) => line.split(" ")[0]).sort()).toEqual(
    [...settings.filter((name) => name !== "alertChannels"), ...inMaps, "alertChannels.a", "alertChannels.b"]
      .map((name) => `monitoring:${name}`)
      .sort(),
  );
  expect(mistakes({})).toEqual([
    "monitoring:apiKey is missing: run `pulumi config set --secret monitoring:apiKey`, or set MONITORING_API_KEY",
    "monitoring:baseUrl is missing: run `pulumi config set monitoring:baseUrl`, or set MONITORING_BASE_URL",
  ]);
});

it("errors name only variables if no Pulumi configuration is read, as in `monitoring audit`", () => {
  const withoutPulumi = (environment: Record<string, string>) => new Connections(undefined, environment);
  expect(() => withoutPulumi({ MONITORING_ALERT_CHANNELS: "canary" })).toThrow(
    'Configuration:\n  - MONITORING_ALERT_CHANNELS must be a JSON object of IDs by name, such as {"on-call": 200123}.\n' +
      "  - MONITORING_API_KEY is missing: run `export MONITORING_API_KEY=…`.\n" +
      "  - MONITORING_BASE_URL is missing: run `export MONITORING_BASE_URL=…`.",
  );
  const set = { MONITORING_API_KEY: "key", MONITORING_BASE_URL: good.baseUrl };
  expect(withoutPulumi(set).connect().origin).toEqual({ host: "api.example.com", path: "/" });
});

const around = (value: string) => ` \t${value}\r\n`;
const spaced = Object.fromEntries(Object.entries(right).map(([name, value]) => [name, around(value)]));

it("white space around a setting is ignored, in the configuration, in the environment and in an account", () => {
  const eu = {
    apiKey: around("key"),
    accountId: around("id"),
    baseUrl: around("https://eu.example.com/a"),
  };
  const accounts = JSON.stringify({ eu });
  const inEnvironment = Object.fromEntries(
    Object.entries(spaced).map(([name, value]) => [toVariableName(name), value]),
  );
  for (const known of [connections({ ...spaced, accounts }), connections({ accounts }, inEnvironment)]) {
    const { origin, baseUrl, lockDirectory, resend } = known.connect();
    expect(origin).toEqual({ host: "localhost:4010", path: "/prefix", accountId: "other-account" });
    expect([baseUrl, lockDirectory, ...resend]).toEqual([right["baseUrl"], process.cwd(), "cf3a1c20"]);
    expect(known.alertChannels).toEqual({ "on-call": 1, billing: "2" });
    const origins = { host: "eu.example.com", path: "/a", accountId: "id" };
    expect(known.connect("eu")).toMatchObject({ origin: origins, baseUrl: "https://eu.example.com/a" });
  }
});

it.each<{ config?: object; environment?: Record<string, string>; source?: "provider" }>([
  { config: { readOnly: "true" } },
  { environment: { MONITORING_READ_ONLY: "1" } },
  // Each of the two settings prevents writes.
  { config: { readOnly: "false" }, environment: { MONITORING_READ_ONLY: "1" }, source: "provider" },
])("a connection with %j can't write", async ({ config, environment = {}, source }) => {
  const all: Record<string, string> = { ...good, ...config };
  const { client } = new Connections((key) => all[key], environment, { ...(source && { source }) }).connect();
  for (const call of [write, edit])
    await expect(call({ client })).rejects.toThrow(
      "readOnly is enabled (monitoring:readOnly, MONITORING_READ_ONLY or readOnly in the program). Nothing was sent",
    );
});

it("an invalid proxy is reported once by its variable, with the other errors and for all accounts", () => {
  process.env["HTTPS_PROXY"] = "http://user:canary#@proxy.example.com:3128";
  const accounts = JSON.stringify({ eu: { apiKey: "eu-key", baseUrl: "https://eu.example.com" } });
  expect(mistakes({ ...good, accounts, timeoutMs: "soon" })).toEqual([
    `monitoring:timeoutMs ${wholeMs}`,
    expect.stringMatching(/^HTTPS_PROXY must be a URL, /),
  ]);
  expect(mistakes({ ...good, baseUrl: "http://localhost:4010" })).toEqual([]);
});

describe("the resend codes", () => {
  const codes = (config: Record<string, string>, environment?: Record<string, string>) =>
    connections({ ...good, ...config }, environment).connect().resend;

  it.each([
    ["cf3a1c20", ["cf3a1c20"]],
    ["  cf3a1c20 \t ABadCafe\n", ["cf3a1c20", "abadcafe"]],
    ["", []],
  ])("the resend codes are read from %j", (value, expected) => {
    expect(codes({ resend: value })).toEqual(expected);
    expect(codes({}, { MONITORING_RESEND: value })).toEqual(expected);
  });

  it("the resend codes of the environment and of the configuration both apply, each to its own request", () => {
    const both = codes({ resend: "cf3a1c20 cf3a1c20" }, { MONITORING_RESEND: "abadcafe cf3a1c20" });
    expect(both).toEqual(["abadcafe", "cf3a1c20"]);
  });
});

describe("accounts", () => {
  const { apiKey: _, ...withoutKey } = good;
  const eu = { apiKey: "eu-key", accountId: "own", baseUrl: "https://eu.example.com" };
  const both = { ...good, accounts: JSON.stringify({ eu, us: { apiKey: "us-key" } }) };

  it("accounts override the settings that they contain, and share all others", () => {
    const known = connections(both);
    expect(known.connect().origin).toEqual({ host: "api.example.com", path: "/", accountId: "account" });
    expect(known.connect("eu").origin).toEqual({ host: "eu.example.com", path: "/", accountId: "own" });
    // The default account's ID would be wrong for another key.
    expect(known.connect("us").origin).toEqual({ host: "api.example.com", path: "/" });
    expect(known.connect("eu")).toBe(known.connect("eu"));
  });

  it("errors about an account's unusable base URL name that setting", async () => {
    const own = { apiKey: "eu-key", baseUrl: nobodyListens };
    const accounts = JSON.stringify({ eu: own, us: { apiKey: "us-key" } });
    const known = connections({ ...good, baseUrl: nobodyListens, accounts, deadlineMs: "100" });
    const told = (account?: string) => known.connect(account).client.getAlertChannel(1).catch(String);
    expect(await told("eu")).toContain("Check monitoring:accounts.eu.baseUrl, the network");
    expect(await told("us")).toContain("Check monitoring:baseUrl, the network");
    expect(await told()).toContain("Check monitoring:baseUrl, the network");
  });

  it("accounts may be the only settings, but then a resource must name one", () => {
    const known = connections({ ...withoutKey, accounts: both.accounts });
    expect(known.validateAccount(undefined)).toBe(
      "is required, because monitoring:apiKey is not set. Use one of: eu, us",
    );
    expect(known.validateAccount("eu")).toBeUndefined();
    expect(known.validateAccount("asia")).toBe("must be a name in monitoring:accounts: eu, us");
    expect(() => known.connect("asia")).toThrow("must be a name in monitoring:accounts: eu, us");
  });

  it.each<[object, string]>([
    [{ eu: "canary" }, ".eu must be an object with apiKey and, optionally, accountId and baseUrl"],
    [{ eu: { apiKey: "k", region: "canary" } }, ".eu.region is not known"],
  ])("accounts may not be %j", (accounts, reason) => {
    const [told = "", ...others] = mistakes({ ...withoutKey, accounts: JSON.stringify(accounts) });
    expect(others).toEqual([]);
    expect(told).toMatch(/^monitoring:accounts/);
    expect(told.replace("monitoring:accounts", "")).toEqual(reason);
  });
});

describe("the settings of a Provider", () => {
  const ofProvider = (config: Record<string, string>, environment: Record<string, string> = {}) =>
    new Connections((key) => config[key], environment, { source: "provider" });

  it("the settings of a Provider override variables, and are reported as its arguments", () => {
    const environment = { MONITORING_BASE_URL: "https://env.example.com", MONITORING_API_KEY: "key" };
    const connection = ofProvider({ baseUrl: good.baseUrl }, environment).connect();
    expect(connection).toMatchObject({ baseUrl: good.baseUrl, source: "provider" });
    expect(() => ofProvider({ baseUrl: "canary" })).toThrow(
      "Configuration:\n  - apiKey is missing: pass apiKey to the Provider, or set MONITORING_API_KEY.\n  - baseUrl must be a URL",
    );
    const accounts = JSON.stringify({ eu: { apiKey: "eu-key", baseUrl: good.baseUrl } });
    const known = ofProvider({ accounts });
    expect(known.validateAccount("us")).toBe("must be a name in accounts of the Provider: eu");
    expect([known.alertChannelsSetting, known.howToSetAlertChannels]).toEqual([
      "alertChannels of the Provider",
      "pass alertChannels to the Provider, or set MONITORING_ALERT_CHANNELS",
    ]);
  });
});

it("a missing setting has a default, or its error explains how to set it", () => {
  const known = connections(good, { PULUMI_HOME: "/home/pulumi" });
  expect(known.howToSetAlertChannels).toBe(
    "run `pulumi config set monitoring:alertChannels '{\"on-call\": 200123}'`, or set MONITORING_ALERT_CHANNELS",
  );
  const lockDirectory = "/home/pulumi/monitoring-locks";
  expect(known.connect()).toMatchObject({
    lockDirectory,
    clientIds: true,
    source: "stack",
    deadlineMs: 60_000,
  });
  expect(connections({ ...good, deadlineMs: "7" }).connect().deadlineMs).toBe(7);
  const given = (config: object) => connections({ ...good, ...config }).connect();
  expect(["0", "false", "1", "TRUE"].map((clientIds) => given({ clientIds }).clientIds)).toEqual([
    ...[false, false, true, true],
  ]);
});

const unknownUser = () => {
  throw new Error("ENOENT");
};
it.each<[what: string, home: () => string, locks: string | undefined]>([
  ["in their home", () => "/home/me", join("/home/me", ".pulumi", "monitoring-locks")],
  ["nowhere, if HOME is empty", () => "", undefined],
  ["nowhere, if the user is unknown", unknownUser, undefined],
])("the locks of a user are %s", (_, home, locks) => {
  const asked = jest.spyOn(os, "homedir").mockImplementation(home);
  expect(connections(good).connect().lockDirectory).toBe(locks);
  asked.mockRestore();
});

it("a connection that isn't read-only writes", async () => {
  const { client } = connections({
    ...good,
    baseUrl: nobodyListens,
    deadlineMs: "50",
    readOnly: "0",
  }).connect();
  // On a busy machine, the attempt may time out before the connection is refused.
  await expect(write({ client })).rejects.toThrow(/could not be reached|timed out connecting/);
});

it.each(["accounts", "alertChannels"])("no name in %s is __proto__, and each is a JSON object", (setting) => {
  const told = mistakes({ ...good, [setting]: '{"__proto__": {"apiKey": "k"}}' });
  expect(told).toContain(`monitoring:${setting}.__proto__ can't be used as a name`);
  const what = setting === "accounts" ? "accounts by name" : "IDs by name";
  expect(mistakes({ ...good, [setting]: "canary" })).toEqual([
    expect.stringContaining(`monitoring:${setting} must be a JSON object of ${what}, such as {`),
  ]);
});

it("a missing key isn't reported in addition to invalid accounts", () => {
  const { apiKey: _, ...others } = good;
  expect(mistakes({ ...others, accounts: "canary" })).toHaveLength(1);
  expect(mistakes({ accounts: "canary" }).map((line) => line.split(" ")[0])).toEqual([
    ...["monitoring:accounts", "monitoring:baseUrl"],
  ]);
});

// test/lifecycles/observed.test.ts tests accounts that are recognized by their origin.
it("a renamed account is recognized by its service if only one account uses the service", () => {
  const at = (host: string, accountId?: string) => ({ apiKey: "k", baseUrl: `https://${host}`, accountId });
  const [eu, us, ofId] = [at("eu.example.com"), at("us.example.com"), at("eu.example.com", "id")];
  const reconnected = (accounts: object, account = "old", host = "eu.example.com") =>
    connections({ ...good, accounts: JSON.stringify(accounts) }).reconnect(
      account,
      (origin) => origin.host === host,
    ).baseUrl;
  expect(reconnected({ eu, us })).toBe(eu.baseUrl);
  // A configured name is used, even if it leads to another service.
  expect(reconnected({ eu, us }, "us")).toBe(us.baseUrl);
  expect(reconnected({ eu: ofId, again: ofId })).toBe(eu.baseUrl);
  const restore =
    "the service and account of this resource. Restore the account's old name, or use its new name in the program and " +
    "run `pulumi up` (nothing is posted).";
  const none = "Connection: account must be a name in monitoring:accounts: eu, us. ";
  expect(() => reconnected({ eu, us: eu })).toThrow(`${none}Several configured accounts match ${restore}`);
  expect(() => reconnected({ eu, us }, "old", "x")).toThrow(
    `${none}No configured account matches ${restore}`,
  );
});

it("an unknown account is rejected with a suggestion", () => {
  expect(() => connections(good).connect("eu")).toThrow(
    "Connection: account must be a name in monitoring:accounts, which is not set.",
  );
  const accounts = JSON.stringify({ europe: { apiKey: "k" } });
  expect(connections({ ...good, accounts }).validateAccount("europa")).toBe(
    'must be a name in monitoring:accounts: europe (did you mean "europe"?)',
  );
});

it("each account and each provider belongs to a connected sandbox", () => {
  const sandboxes = { MONITORING_CONNECTED_SANDBOXES: "http://localhost:4010 http://localhost:4011" };
  const inside = { ...good, baseUrl: "http://localhost:4011/prefix" };
  expect(mistakes(inside, sandboxes)).toEqual([]);
  const accounts = JSON.stringify({ eu: { apiKey: "k", baseUrl: good.baseUrl } });
  expect(mistakes({ ...inside, accounts }, sandboxes)).toEqual([
    "monitoring:accounts.eu.baseUrl must be the URL of a connected sandbox (http://localhost:4010, http://localhost:4011) " +
      "while connectTo is in effect. For this account, first start a separate sandbox and call connectTo for that sandbox",
  ]);
  expect(mistakes({ ...good, baseUrl: "canary" }, sandboxes)).toHaveLength(1);
  const provider = (baseUrl: string) => () =>
    new Connections((key) => ({ ...good, baseUrl })[key], sandboxes, { source: "provider" });
  expect(provider("http://localhost:4010/")).not.toThrow();
  expect(provider(good.baseUrl)).toThrow("baseUrl must be the URL of a connected sandbox (");
});

it("a configuration error is reported when a connection is needed, and not before", () => {
  const known = connections(good);
  const valid = new Configuration();
  expect(() => valid.connections).toThrow("before it was configured");
  valid.connectOnce(() => known);
  valid.connectOnce(() => connections({}));
  expect(valid.connections).toBe(known);
  const invalid = new Configuration();
  invalid.connectOnce(() => connections({}));
  expect(() => invalid.connections).toThrow("monitoring:apiKey is missing");
});

it("the first pause for a rate limit is reported with its end", () => {
  const told: string[] = [];
  const listen = createLimitListener((text) => told.push(text));
  const event = { operation: "getIncident", attempt: 1, ms: 1, method: "GET", path: "incidents" } as const;
  listen(event);
  expect(told).toEqual([]);
  const began = Date.now();
  listen({ ...event, pauseMs: 90_000 });
  listen({ ...event, pauseMs: 90_000 });
  const at = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  const saying = (until: string) =>
    `getIncident: the service is limiting requests (HTTP 429). Waiting until ${until} UTC or longer.`;
  expect([saying(at(began + 90_000)), saying(at(Date.now() + 90_000))]).toContain(told[0]);
  expect(told).toHaveLength(1);
});

it("a key that appears in several settings is found once, whichever setting contains it", () => {
  const accounts = JSON.stringify({ eu: { apiKey: "key-of-the-account" } });
  const apiKey = "key-of-all-accounts";
  const known = connections({ ...good, apiKey, accounts }, { MONITORING_API_KEY: apiKey });
  const reason = (setting: string) =>
    `contains the API key from ${setting}. Remove the key. If anyone else may have seen the key, rotate it`;
  expect(
    known.findKeyProblems({ a: 7, b: ["x", 7, "the key-of-the-account!"], c: { name: [apiKey] }, d: "x" }),
  ).toEqual([
    { property: "b", reason: reason("monitoring:accounts.eu.apiKey") },
    { property: "c", reason: reason("MONITORING_API_KEY") },
  ]);
  expect(() => known.rejectKeys("getIncident", { id: apiKey })).toThrow(
    "getIncident: id contains the API key from",
  );
  expect(() => known.rejectKeys("getIncident", { id: "i1" })).not.toThrow();
});

test.each([
  ["from the configuration, which a variable overrides,", "stack", "monitoring:apiKey"],
  ["from the environment, in addition to a declared Provider,", "provider", "MONITORING_API_KEY"],
] as const)("text with the key %s is rejected", (_, source, setting) => {
  const keys = { config: "key-of-the-config", environment: "key-of-the-environment" };
  const { config: apiKey, environment } = keys;
  const known = new Connections(
    (key) => ({ ...good, apiKey })[key],
    { MONITORING_API_KEY: environment },
    { source },
  );
  const problems = known.findKeyProblems({ description: source === "stack" ? apiKey : environment });
  expect(problems).toEqual([
    {
      property: "description",
      reason: expect.stringContaining(`contains the API key from ${setting}. Remove the key`),
    },
  ]);
});
