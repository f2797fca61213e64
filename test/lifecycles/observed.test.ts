/** Tests which fields of alert channels and status pages a program reads, and from which account and service. */
import { Connections } from "../../provider/connection";
import { redactConfig } from "../../provider/credentials";
import { lifecycles } from "../../provider/lifecycles";
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import { playEach } from "../driver/inProcess";
import { sandboxForEachTest } from "../sandbox/sandboxes";
import "./idleClock";
import {
  by,
  createContext,
  create,
  type DynamicProvider,
  checkInputs,
  getCheckFailures,
  noticesDuring,
  phase,
} from "./phases";

const getSandbox = sandboxForEachTest();

const { legacyHook, onCall, slackPayments } = wellKnown.alertChannels;
const canary = "canary-credential-7f3a";
const channelId = String(onCall);
const channel = { channelId };
const expecting = (sslExpiryThreshold: unknown) => ({ channelId, expect: { sslExpiryThreshold } });
const changeChannels = (change: (all: Sandbox["data"]["accounts"][0]["alertChannels"]) => unknown) => {
  const happens = ({ dashboard }: Sandbox) =>
    dashboard.change(({ accounts: [{ alertChannels }] }) => void change(alertChannels));
  return { happens, refresh: true } as const;
};
const setThreshold = (sslExpiryThreshold: number) =>
  changeChannels((all) => Object.assign(all.find(({ id }) => id === onCall) ?? {}, { sslExpiryThreshold }));
const isRead = (said: string) => ({
  says: [RegExp(`^AlertChannel "channel", ${channelId}: ${said}.*reads it again, and fails if`, "m")],
  saysOnce: [said],
});
const isDrift = (said: string) => ({
  says: [RegExp(`^AlertChannel "channel", ${channelId}: ${said}`, "m")],
  saysOnce: [said],
});
const { checkoutLatency } = wellKnown.statusPageIncidents;
const [statusPageId = ""] =
  seedData().accounts[0].statusPageIncidents.find(({ id }) => id === checkoutLatency)?.statusPageIds ?? [];
const shows = (lastUpdateStatus: string) => ({
  outputs: {
    incidents: expect.arrayContaining([expect.objectContaining({ id: checkoutLatency, lastUpdateStatus })]),
  },
});

// Status pages differ only in the requests. test/driver/wire.test.ts tests them.
playEach({
  "an alert channel is read when it is declared, again after a failed read, and keeps its state if a refresh fails":
    [
      { faults: [{ kind: "status", code: 403 }], up: { channel }, fails: 1, says: ["HTTP 403"] },
      {
        up: { channel },
        keeps: { channel: { id: channelId, outputs: { sslExpiryThreshold: 21, missing: false } } },
      },
      ...([503, 404] as const).map((code) => ({
        faults: [{ kind: "status" as const, code, ...(code === 404 && { body: "html" as const }) }],
        ...{ refresh: true as const, calls: [], fails: 1, says: [`HTTP ${code}`] },
        keeps: { channel: { outputs: { sslExpiryThreshold: 21, missing: false } } },
      })),
      {
        ...{ up: { channel, "channel-2": { channelId: "404" } }, fails: 1 },
        says: [
          /AlertChannel "channel-2", 404: not found in account \S+ on 127\.0\.0\.1:\d+\. Check the ID and the account\./,
        ],
      },
      { preview: { channel: { channelId: String(legacyHook) } }, plans: ["replace"] },
    ],
  "an alert channel with an unexpected value is changed in the next up, which fails until the value is restored":
    [
      { up: { channel: expecting(21) } },
      { ...setThreshold(7), calls: [], ...isRead("not as expected") },
      { up: { channel: expecting(21) }, fails: 1, ...isDrift("not as expected") },
      { ...setThreshold(21), up: { channel: expecting(21) }, hides: /./ },
      { up: { channel: expecting(21) }, reads: [], hides: /./ },
    ],
  "an alert channel that was deleted is changed in the next up, which fails": [
    { up: { channel } },
    {
      ...changeChannels((all) => all.splice(0, 1)),
      ...{ calls: [], ...isRead("not found") },
      refreshed: { channel: { outputs: { missing: true, sslExpiryThreshold: 21 } } },
    },
    { up: { channel }, fails: 1, ...isDrift("not found") },
  ],
  "an alert channel shows a manual change on refresh, and has no change in the next up": [
    { up: { channel } },
    {
      ...{ ...setThreshold(7), up: { channel }, reads: [], hides: /./ },
      refreshed: { channel: { outputs: { sslExpiryThreshold: 7 } } },
    },
  ],
  "an alert channel is imported only by its ID, if the ID is valid and the object exists": [
    {
      calls: [{ verb: "import", name: "channel", id: channelId }],
      keeps: { channel: { id: channelId, inputs: channel, outputs: { ...channel, missing: false } } },
    },
    {
      calls: ["99", "../4101"].map((id) => ({ verb: "import", name: "channel", id })),
      ...{ fails: 2, reads: ["99"] },
      says: [
        'AlertChannel "channel", 99: not found in',
        "AlertChannel: channelId must be an ID without white space, control characters or any of / \\ ? # %.",
      ],
    },
  ],
  "a status page is read again after the same run posted an update to the page": [
    {
      up: {
        "page-before": { statusPageId },
        over: { incidentId: checkoutLatency, status: "RESOLVED", description: "It is over." },
        "page-after": { statusPageId },
      },
      keeps: { "page-before": shows("IDENTIFIED"), "page-after": shows("RESOLVED") },
    },
  ],
});

describe("an alert channel", () => {
  const start = () => phase("AlertChannel", getSandbox());
  const edit = (changes: object, of: number = onCall): void =>
    getSandbox().dashboard.change(({ accounts: [{ alertChannels }] }) =>
      Object.assign(alertChannels.find(({ id }) => id === of) ?? {}, changes),
    );
  afterEach(() => {
    expect(getSandbox().requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("an alert channel is rejected with all problems together, without a request", async () => {
    const args = {
      channelId: "a/b",
      account: "eu",
      expect: { sslExpiryThreshold: { beyond: 1 }, colour: 1 },
      x: 1,
    };
    const mistakes = await getCheckFailures(await start(), args);
    expect(mistakes).toEqual({
      x: expect.stringContaining("is not known; expected one of channelId,"),
      channelId: expect.stringMatching(/^must be an ID without white space/),
      "expect.sslExpiryThreshold.beyond": expect.stringMatching(
        /^is not known; expected one of .*oneOf, not$/,
      ),
      "expect.colour": expect.stringMatching(/^is not known; expected one of .*createdAt, updatedAt$/),
      account: expect.stringContaining("must be a name in monitoring:accounts"),
    });
    expect(await getCheckFailures(await start(), { expect: "all good" })).toEqual({
      channelId: expect.stringMatching(/^must be the ID of an alert channel, but no value was given \(/),
      expect: "must be an object with expected fields",
    });
    expect(getSandbox().requests).toEqual([]);
  });

  it("an alert channel has the documented outputs in camelCase, with facts instead of credentials", async () => {
    const { outs } = await create(await start(), { channelId: legacyHook });
    const [{ alertChannels }] = getSandbox().data.accounts;
    const found = alertChannels.find((each) => each.id === legacyHook);
    const { id, created_at: createdAt, updated_at: updatedAt, ...alike } = found ?? {};
    const fingerprint: unknown = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect(outs).toEqual({
      ...by("update"),
      ...{ ...alike, createdAt, updatedAt },
      channelId: String(id),
      config: {
        name: "Old ticket system",
        url: {
          ...{ fingerprint, scheme: "http", hostClass: "private", isReference: false },
          ...{ secretPart: "literal", recognizedBy: "name" },
        },
        method: "POST",
        headers: [],
        queryParameters: { fingerprint, isReference: false, secretPart: "none" },
      },
      missing: false,
      origin: { host: new URL(getSandbox().url).host, path: "/", accountId: getSandbox().accountId },
    });
  });

  it("an alert channel shows that a credential was rotated, without credentials in outputs, errors or problems", async () => {
    const { id, outs } = await create(await start(), { channelId: slackPayments });
    const said = [JSON.stringify(outs)];
    const url = `https://hooks.chat.example/${canary}`;
    edit({ config: { channel: "#payments-alerts", url, newKey: { nested: [canary] } } }, slackPayments);

    const { props } = await (await start()).read(id, outs);
    said.push(JSON.stringify(props));
    const before = /[0-9a-f]{12}/.exec(JSON.stringify(outs))?.[0] ?? "^";
    const fingerprint: unknown = expect.not.stringMatching(before);
    const facts = {
      fingerprint,
      scheme: "https",
      hostClass: "public",
      isReference: false,
      secretPart: "none",
    };
    expect(props).toEqual({ ...outs, config: { channel: "#payments-alerts", url: facts } });

    const expectations = { url: { isReference: true }, newKey: null, channel: { not: "#payments-alerts" } };
    const refused = create(await start(), { channelId: slackPayments, expect: { config: expectations } });
    said.push(await refused.then(String, String));
    expect(said[2]).toContain('config.channel: expected anything except "#payments-alerts"');
    expect(said.join()).not.toContain(canary);
  });

  const fingerprint = "0123456789ab";
  it.each<[string, isDrift: boolean, stored: (url?: object) => object]>([
    [
      "other facts of a release before",
      false,
      (url) => ({ url: { ...url, receiver: "chat", hostClass: "public" } }),
    ],
    ["a different credential with the same facts", true, (url) => ({ url: { ...url, fingerprint } })],
    ["a credential that was removed", true, () => ({ webhookSecret: { fingerprint, isReference: false } })],
  ])("an alert channel with %s in its state has drift after a refresh: %p", async (_, isDrift, stored) => {
    const { outs } = await create(await start(), { channelId: legacyHook });
    const config = outs["config"] as Record<string, object>;
    const olds = { ...outs, config: { ...config, ...stored(config["url"]) } };

    const refresh = await start();
    const news = await checkInputs(refresh, { channelId: legacyHook });
    const { props = {} } = await refresh.read(String(legacyHook), olds);
    expect(props).toEqual(outs);
    expect(await refresh.diff(String(legacyHook), props, news)).toEqual({ changes: isDrift, replaces: [] });
    const up = await start();
    expect(await up.diff(String(legacyHook), olds, news)).toEqual({ changes: false, replaces: [] });
  });

  it("an alert channel rejects and never quotes credentials anywhere in expectations, and accepts the facts of stored credentials", async () => {
    const config = {
      url: canary,
      headers: [{ key: "authorization", value: canary }],
      template: { not: canary },
      webhookSecret: { oneOf: [{ isReference: true }, canary] },
      serviceKey: { matches: canary },
      apiKey: { fingerprint: canary },
      pin: { fingerprint: "0123456789ab0", scheme: "https:" },
      token: { hostClass: canary, secretPart: canary, scheme: `${canary}/`, value: canary },
    };
    const mistakes = await getCheckFailures(await start(), { channelId: onCall, expect: { config } });
    expect(mistakes).toMatchSnapshot();
    expect(JSON.stringify(mistakes)).not.toContain(canary);
    const url = { fingerprint: "0123456789ab", scheme: "git+ssh", hostClass: "loopback", isReference: false };
    const stored = { channelId: onCall, expect: { config: { url } } };
    expect(await getCheckFailures(await start(), stored)).toEqual({});
  });

  it("an alert channel has the same fingerprints as data sources and audits of the account", async () => {
    const { outs } = await create(await start(), { channelId: slackPayments });
    const { accountId, data } = getSandbox();
    const found = data.accounts[0].alertChannels.find(({ id }) => id === slackPayments);
    expect(found && redactConfig(found, accountId)).toEqual(outs["config"]);
  });
});

describe("a status page", () => {
  const start = () => phase("StatusPage", getSandbox());
  const pages = () => getSandbox().data.accounts[0].statusPages;

  // test/lookups/statusPages.test.ts tests that a page is searched again before it is treated as missing.
  it("a status page is observed with its components, and after a migration without its cards", async () => {
    const { id: statusPageId = "" } = pages()[0] ?? {};
    const { id, outs } = await create(await start(), { statusPageId, expect: { version: 2 } });
    const kinds = ["version", "cards", "incidents", "components"];
    const listFields = (outputs: object = {}) => kinds.filter((name) => name in outputs);
    expect(listFields(outs)).toEqual(["version", "cards", "incidents"]);
    getSandbox().dashboard.migratePage(statusPageId);
    const provider = await start();
    const results: Awaited<ReturnType<DynamicProvider["read"]>>[] = [];
    const notices = await noticesDuring(async () => results.push(await provider.read(id, outs)));
    expect(notices).toEqual([expect.stringContaining("version: expected 2, but it is 3")]);
    const { props = {} } = results[0] ?? {};
    expect(listFields(props)).toEqual(["version", "components"]);
    expect(props).toMatchObject({ statusPageId, missing: false, origin: outs["origin"] });
    const expected = { components: { contains: { name: "Checkout", type: "SERVICE" } }, cards: null };
    const { shop } = wellKnown.componentPages;
    expect(await create(await start(), { statusPageId: shop, expect: expected })).toBeDefined();
  });
});

// A state is never compared with another account or service.
const configuration: Record<string, string> = {
  baseUrl: "https://api.example.com",
  apiKey: "key-of-default",
  accountId: "A",
  accounts: JSON.stringify({
    eu: { apiKey: "key-of-eu", accountId: "B", baseUrl: "https://eu.example.com" },
    tenant: { apiKey: "key-of-tenant", baseUrl: "https://tenants.example.com/one/" },
    keyed: { apiKey: "key-of-another" },
  }),
};
const connections = new Connections((name) => configuration[name], {});

/** Returns the reason why a state isn't compared with the channel in the current account. */
function findRejection(old: object, account?: unknown, isRefresh = false, from = connections) {
  const declared = { known: { channelId: "7", account }, unknown: new Set<string>() };
  try {
    void lifecycles.AlertChannel.diff(
      "7",
      { ...declared.known, ...old },
      declared,
      createContext(from),
      isRefresh,
    );
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const at = (name: string, more: object = {}) => ({ host: `${name}.example.com`, path: "/", ...more });

it.each<[string, object, string?]>([
  ["the same account", { origin: at("api", { accountId: "A" }) }],
  ["the account that the key determined", { origin: at("api") }],
  ["the account that the key determines now", { origin: at("api", { accountId: "B" }) }, "keyed"],
  ["a state without an origin", { name: "Operations" }],
])("a refresh accepts %s", (_, old, ...[account]) => {
  expect(findRejection(old, account)).toBeUndefined();
});

it.each<[string, object, string?]>([
  ["another account", at("api", { accountId: "B" })],
  ["another service", at("old", { accountId: "A" })],
  ["another service, if the key determined the account", at("old")],
  ["another tenant of one host", at("tenants", { path: "/two" }), "tenant"],
])("a refresh rejects %s", (_, origin, ...[account]) => {
  expect(findRejection({ origin }, account)).toMatchSnapshot();
});

describe("a renamed account", () => {
  const findRejectionOfRenamed = (account: string, origin: object, from = connections) =>
    findRejection({ account, origin }, account, true, from);
  const shared = { apiKey: "key-of-shared", baseUrl: "https://shared.example.com" };
  const sharing = (ofEach: object) => {
    const accounts = JSON.stringify({
      one: { ...shared, ...ofEach },
      two: { ...shared, ...ofEach },
      eu: { ...shared, accountId: "B" },
    });
    return new Connections((name) => (name === "accounts" ? accounts : configuration[name]), {});
  };

  it("a renamed account is found by its origin, even if several keys have its ID, unless the old name is configured", () => {
    expect(findRejectionOfRenamed("europe", at("eu", { accountId: "B" }))).toBeUndefined();
    const ofOne = sharing({ accountId: "D" });
    expect(findRejectionOfRenamed("old", at("shared", { accountId: "D" }), ofOne)).toBeUndefined();
    expect(findRejectionOfRenamed("eu", at("old", { accountId: "X" }))).toContain(
      "points to account B on eu.example.com",
    );
  });

  it.each<[string, object]>([
    ["No", at("eu", { accountId: "C" })],
    ["Several", at("shared")],
  ])("a renamed account is reported as missing: %s configured accounts match", (count, origin) => {
    expect(findRejectionOfRenamed("europe", origin, sharing({}))).toMatch(
      new RegExp(
        `: one, two, eu\\. ${count} configured accounts? match.* use its new name in the program and run .pulumi up. \\(nothing is posted\\)\\.`,
      ),
    );
  });
});
