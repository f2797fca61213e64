/** What a program reads of alert channels and status pages, and of which account and service. */
import { Connections } from "../../provider/connection";
import { redactConfig } from "../../provider/credentials";
import { createProviders } from "../../provider/dynamic/dynamicProvider";
import { lifecycles } from "../../provider/lifecycles";
import { wellKnown } from "../../sandbox";
import { sandboxForEachTest } from "../sandbox/sandboxes";
import "./idleClock";
import {
  by,
  createContext,
  create,
  type DynamicProvider,
  imported,
  checkInputs,
  getCheckFailures,
  noticesDuring,
  phase,
} from "./phases";

const getSandbox = sandboxForEachTest();

const { legacyHook, onCall, slackPayments } = wellKnown.alertChannels;
const canary = "canary-credential-7f3a";

// A status page is the same but for what it is read from: test/driver/wire.test.ts.
describe("an alert channel", () => {
  const start = () => phase("AlertChannel", getSandbox());
  const channelId = String(onCall);
  const declared = (more: object = {}) => ({ channelId, ...more });
  const [before, after] = [21, 7];
  const expecting = (sslExpiryThreshold: unknown) => declared({ expect: { sslExpiryThreshold } });
  const edit = (changes: object, of: number = onCall): void =>
    getSandbox().byHand.change(({ accounts: [{ alertChannels }] }) =>
      Object.assign(alertChannels.find(({ id }) => id === of) ?? {}, changes),
    );
  const remove = (): void =>
    getSandbox().byHand.change(({ accounts: [first] }) => void first.alertChannels.shift());

  /** The result of a call in a new phase, and what it says. */
  async function during<T>(call: (provider: DynamicProvider) => Promise<T>) {
    const provider = await start();
    const results: T[] = [];
    const notices = await noticesDuring(async () => results.push(await call(provider)));
    return { result: results[0], notices };
  }

  afterEach(() => {
    expect(getSandbox().requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("an alert channel is read when it is declared, again after a failed read, and can't become another object", async () => {
    const provider = await start();
    getSandbox().faults.add({ kind: "status", code: 403, times: 1 });
    await expect(create(provider, declared())).rejects.toThrow("HTTP 403");
    const { id, outs } = await create(provider, declared());
    expect(id).toBe(channelId);
    expect(outs).toMatchObject({ channelId: id, sslExpiryThreshold: before, missing: false });
    const { accountId, url } = getSandbox();
    await expect(create(provider, { channelId: "404" })).rejects.toThrow(
      `AlertChannel 404: not found in account ${accountId} on ${new URL(url).host}. Check the ID and the account.`,
    );
    for (const [code, body] of [
      [503, "service"],
      [404, "html"],
    ] as const) {
      getSandbox().faults.clear();
      getSandbox().faults.add({ kind: "status", code, body });
      await expect((await start()).read(id, outs)).rejects.toThrow(`HTTP ${code}`);
    }
  });

  it("an alert channel is replaced with unknown outputs when the ID changes", async () => {
    const { id, outs } = await create(await start(), declared());
    const news = { ...expecting(after), channelId: "another" };
    const diff = await during((provider) => provider.diff(id, outs, news));
    expect(diff).toEqual({ result: { changes: true, replaces: ["channelId"] }, notices: [] });
  });

  it.each<[string, expected: unknown, happens: () => void, found: object, said: string]>([
    [
      "isn't as expected",
      before,
      () => edit({ sslExpiryThreshold: after }),
      { sslExpiryThreshold: after },
      "not as expected",
    ],
    ["was deleted", undefined, remove, { missing: true }, "not found"],
  ])(
    "an alert channel that %s, as a refresh found, has a change in `up`, which fails until it is as before",
    async (_, ...given) => {
      const [expected, happens, found, said] = given;
      const args = expected === undefined ? declared() : expecting(expected);
      const { id, outs } = await create(await start(), args);
      const backup = structuredClone(getSandbox().data);
      happens();
      const props = { ...outs, ...found };
      const notice = (end: string): unknown =>
        expect.stringMatching(`^AlertChannel "update", ${id}: ${said}.*${end}`);
      const refresh = await during(async (provider) => {
        const news = await checkInputs(provider, args);
        const read = await provider.read(id, outs);
        // The engine asks what is drift, and nothing is said a second time.
        await provider.diff(id, props, news);
        return read;
      });
      expect(refresh).toEqual({
        result: { id, props },
        notices: [notice("reads it again, and fails if this persists")],
      });

      const up = await start();
      const news = await checkInputs(up, args);
      const diff = await during((provider) => provider.diff(id, props, news));
      const notices = [notice("This is the result of the last read")];
      expect(diff).toEqual({ result: { changes: true, replaces: [] }, notices });
      await expect(up.update(id, props, news)).rejects.toThrow(`AlertChannel ${id}: ${said}`);

      getSandbox().byHand.change((data) => Object.assign(data, backup));
      expect(await (await start()).read(id, props)).toEqual({ id, props: outs });
      expect(await (await start()).update(id, props, news)).toEqual({ outs });
    },
  );

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

  it("an alert channel is imported only by its ID, if the ID is valid and the object exists", async () => {
    const id = channelId;
    const { outputs, ...rest } = await imported("AlertChannel", id, getSandbox());
    expect(rest).toEqual({ id, inputs: { channelId: id } });
    expect(outputs).toMatchObject({ channelId: id, sslExpiryThreshold: before, missing: false });
    await expect(imported("AlertChannel", "99", getSandbox())).rejects.toThrow(
      `AlertChannel 99: not found in`,
    );
    getSandbox().clearRequests();
    await expect(imported("AlertChannel", "../4101", getSandbox())).rejects.toThrow(
      "AlertChannel: channelId must be an ID without white space, control characters or any of / \\ ? # %.",
    );
    expect(getSandbox().requests).toEqual([]);
  });

  it.each([
    ["a manual change", () => edit({ sslExpiryThreshold: after }), { sslExpiryThreshold: after }],
    ["no drift without a change", () => undefined, {}],
  ])("an alert channel shows %s on refresh, and has no change in the next up", async (_, happens, found) => {
    const { id, outs } = await create(await start(), declared());
    happens();
    const refresh = await start();
    const news = await checkInputs(refresh, declared());
    const { props = {} } = await refresh.read(id, outs);
    expect(props).toEqual({ ...outs, ...found });
    // The engine asks this in a refresh, to know whether there is drift to be shown.
    const changes = Object.keys(found).length > 0;
    expect(await refresh.diff(id, props, news)).toEqual({ changes, replaces: [] });
    expect(await (await start()).diff(id, props, news)).toEqual({ changes: false, replaces: [] });
  });

  it("an alert channel shows drift once, and none for a resource with the same ID that a program only reads (get)", async () => {
    const { id, outs } = await create(await start(), expecting({ oneOf: [before, after] }));
    edit({ sslExpiryThreshold: after });
    const provider = await start();
    const news = await checkInputs(provider, expecting({ oneOf: [before, after] }));
    const read = async (state: object) => (await provider.read(id, { ...state })).props ?? {};
    const onlyRead = await read({ channelId: id, origin: outs["origin"] });
    const drifted = await read(outs);
    expect(onlyRead).not.toEqual(drifted);
    for (const changes of [true, false])
      expect(await provider.diff(id, drifted, news)).toEqual({ changes, replaces: [] });
  });

  it("an alert channel is only read from the account that it was read from before", async () => {
    const { id, outs } = await create(await start(), declared());
    const { labs } = wellKnown.accounts;
    const elsewhere = await phase("AlertChannel", { ...getSandbox(), accountId: labs });
    getSandbox().clearRequests();
    const refusal = `AlertChannel ${id}: account points to account ${labs} on `;
    await expect(elsewhere.read(id, outs)).rejects.toThrow(refusal);
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
    ["another credential with the same facts", true, (url) => ({ url: { ...url, fingerprint } })],
    ["a credential that is gone", true, () => ({ webhookSecret: { fingerprint, isReference: false } })],
  ])(
    "an alert channel with %s in its state has drift when it is refreshed: %p",
    async (_, isDrift, stored) => {
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
    },
  );

  it("an alert channel rejects and never quotes credentials anywhere in expectations, and accepts the facts of stored ones", async () => {
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

  // It is searched again before it counts as missing: test/lookups/statusPages.test.ts.
  it("a status page is observed with its components, and after a migration without its cards", async () => {
    const { id: statusPageId = "" } = pages()[0] ?? {};
    const { id, outs } = await create(await start(), { statusPageId, expect: { version: 2 } });
    const kinds = ["version", "cards", "incidents", "components"];
    const listFields = (outputs: object = {}) => kinds.filter((name) => name in outputs);
    expect(listFields(outs)).toEqual(["version", "cards", "incidents"]);
    getSandbox().byHand.migratePage(statusPageId);
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

  it("a status page is read from the account in its arguments", async () => {
    const { apiKey, url: baseUrl } = getSandbox();
    const settings = { "monitoring:accounts": JSON.stringify({ eu: { apiKey, baseUrl } }) };
    const provider = await phase("StatusPage", getSandbox(), { settings });
    const { outs } = await create(provider, { statusPageId: pages()[0]?.id, account: "eu" });
    expect(outs).toMatchObject({ account: "eu", missing: false });
  });

  it("a status page and its incident are read again after the same run posted an update to the page", async () => {
    const sandbox = getSandbox();
    const providers = createProviders();
    const updates = await phase("IncidentUpdate", sandbox, { providers });
    const provider = await phase("StatusPage", sandbox, { providers });
    const { checkoutLatency: incidentId } = wellKnown.statusPageIncidents;
    const [statusPageId] =
      sandbox.data.accounts[0].statusPageIncidents.find((each) => each.id === incidentId)?.statusPageIds ??
      [];
    const { incidentUpdates } = sandbox.incident(incidentId);
    const [{ id, description } = { id: "", description: "" }] = incidentUpdates;
    const updateId = `${incidentId}/${id}`;
    const { props: state } = await (await phase("IncidentUpdate", sandbox)).read(updateId, {});
    const bothShow = async (lastUpdateStatus: string, text: string) => {
      const { props } = await updates.read(updateId, state);
      expect(props?.["published"]).toMatchObject({ description: text });
      const { outs: page } = await create(provider, { statusPageId });
      const incident: unknown = expect.objectContaining({ id: incidentId, lastUpdateStatus });
      expect(page["incidents"]).toContainEqual(incident);
    };
    await bothShow("IDENTIFIED", description);
    sandbox.byHand.editUpdate(incidentId, id, { description: "Edited." });
    await bothShow("IDENTIFIED", description);
    await noticesDuring(() =>
      create(updates, { incidentId, status: "RESOLVED", description: "It is over." }),
    );
    await bothShow("RESOLVED", "Edited.");
  });
});

// The state of one account or service is never compared with another.
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

/** Why a state isn't compared with the channel that the account has now. */
function findRefusal(old: object, account?: unknown, isRefresh = false, from = connections) {
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
  ["the account that the key decided", { origin: at("api") }],
  ["the account that the key decides now", { origin: at("api", { accountId: "B" }) }, "keyed"],
  ["a state without an origin", { name: "Operations" }],
])("a refresh accepts %s", (_, old, ...[account]) => {
  expect(findRefusal(old, account)).toBeUndefined();
});

it.each<[string, object, string?]>([
  ["another account", at("api", { accountId: "B" })],
  ["another service", at("old", { accountId: "A" })],
  ["another service, where the key decided the account", at("old")],
  ["another tenant of one host", at("tenants", { path: "/two" }), "tenant"],
])("a refresh rejects %s", (_, origin, ...[account]) => {
  expect(findRefusal({ origin }, account)).toMatchSnapshot();
});

describe("a renamed account", () => {
  const refusalOfRenamed = (account: string, origin: object, from = connections) =>
    findRefusal({ account, origin }, account, true, from);
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
    expect(refusalOfRenamed("europe", at("eu", { accountId: "B" }))).toBeUndefined();
    const ofOne = sharing({ accountId: "D" });
    expect(refusalOfRenamed("old", at("shared", { accountId: "D" }), ofOne)).toBeUndefined();
    expect(refusalOfRenamed("eu", at("old", { accountId: "X" }))).toContain(
      "points to account B on eu.example.com",
    );
  });

  it.each<[string, object]>([
    ["No", at("eu", { accountId: "C" })],
    ["Several", at("shared")],
  ])("a renamed account is reported as missing: %s configured accounts match", (count, origin) => {
    expect(refusalOfRenamed("europe", origin, sharing({}))).toMatch(
      new RegExp(
        `: one, two, eu\\. ${count} configured accounts? match.* use its new name in the program and run .pulumi up. \\(nothing is posted\\)\\.`,
      ),
    );
  });
});
