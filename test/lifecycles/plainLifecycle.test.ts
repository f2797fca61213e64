/**
 * What both adapters do around a lifecycle: facts for `monitoring preview`, drift of a refresh, and states that move. The state of one
 * account or service is never compared with another.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError, MonitoringError } from "../../provider/client";
import { Connections } from "../../provider/connection";
import { type Context, lifecycles, messageOf, PlainLifecycle } from "../../provider/lifecycles";
import { keysOf } from "../../provider/lifecycles/timeline";
import { Publishing } from "../../provider/publishing";
import { printed } from "../../provider/texts";
import { words } from "../engine/service";
import { temporaryFolder } from "../temporaryFolder";
import { nowhere, sandboxForEachTest, unknown } from "./phases";

const urn = "urn:pulumi:test::shop::monitoring:index:IncidentUpdate::over";
const notices: string[] = [];

function contextOf({ url, apiKey }: typeof nowhere, more: Partial<Context> = {}): Context {
  return {
    connections: new Connections(undefined, { MONITORING_API_KEY: apiKey, MONITORING_BASE_URL: url }),
    publishing: new Publishing(),
    resource: urn,
    notice: (text) => notices.push(printed(text)),
    warn: (text) => notices.push(text),
    assertEngineAlive: () => Promise.resolve(),
    ...more,
  };
}

const updates = () => new PlainLifecycle(lifecycles.IncidentUpdate);
const channels = () => new PlainLifecycle(lifecycles.AlertChannel);
/** The settings are read when a connection is needed. */
const withoutKey: Context = {
  ...contextOf(nowhere),
  get connections() {
    return new Connections(undefined, { MONITORING_BASE_URL: nowhere.url });
  },
};
const stateOf = ({ url }: typeof nowhere, incidentUpdateId = "u1", more: object = {}) => ({
  ...{ ...words, notifySubscribers: false, occurrence: 1, onChange: "post" },
  ...{ incidentUpdateId, published: words, missing: false, past: [] },
  origin: { host: new URL(url).host, path: "/" },
  ...more,
});

describe("the facts of a preview", () => {
  let file = "";
  beforeEach(() => {
    notices.length = 0;
    file = join(temporaryFolder(), "facts");
    writeFileSync(file, "");
    process.env["MONITORING_PREVIEW_FACTS"] = file;
  });
  const facts = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const sandbox = sandboxForEachTest();

  it("name no property, whose value the engine would print: the dynamic adapter doesn't know each secret", () => {
    const declared = { ...words, status: "closed", account: "key" };
    const { failures } = updates().check({}, declared, contextOf(nowhere, { secrets: new Set() }));
    expect(failures.map(({ property }) => property)).toEqual(["", ""]);
  });

  it("and what a change means ask for no account that isn't known", () => {
    const ofAccount = channels().check({ channelId: 1 }, { channelId: 1, account: unknown }, withoutKey);
    expect(ofAccount.failures).toEqual([]);
    const declared = { ...words, account: unknown };
    expect(updates().check(words, declared, withoutKey).failures).toEqual([]);
    const { failures } = updates().check({}, { ...declared, typo: unknown }, withoutKey);
    expect(failures).toHaveLength(1);
    const changes = { changes: true, replaces: [] };
    expect(updates().diff("inc/u1", stateOf(nowhere), declared, withoutKey, false)).toEqual(changes);
    const channel = { channelId: unknown, account: unknown };
    expect(channels().diff("1", { channelId: "1" }, channel, withoutKey, false)).toMatchObject({
      changes: true,
    });
  });

  it("have what a preview says, and not why it fails", async () => {
    await updates().preview(words, undefined, contextOf(sandbox()));
    const isOpen = (descriptor: string) =>
      existsSync(`/proc/self/fd/${descriptor}`) && readlinkSync(`/proc/self/fd/${descriptor}`) === file;
    expect(readdirSync("/proc/self/fd").filter(isOpen)).toEqual([]);
    const gone = updates().preview({ ...words, incidentId: "gone" }, undefined, contextOf(sandbox()));
    await expect(gone).rejects.toThrow(MonitoringError);
    await expect(updates().preview(words, undefined, withoutKey)).rejects.toThrow(ConfigurationError);
    expect(facts()).toEqual([expect.objectContaining({ urn, posts: "will" })]);
    // What is in the file isn't printed a second time.
    expect(notices).toEqual([]);
    Reflect.deleteProperty(process.env, "MONITORING_PREVIEW_FACTS");
    await updates().preview(words, undefined, contextOf(sandbox()));
    await updates().preview(words, undefined, contextOf(sandbox(), { secrets: new Set() }));
    expect(notices).toEqual([
      expect.stringMatching(/^IncidentUpdate "over" posts to .*: [(]secret text[)]$/s),
      expect.stringMatching(/\n {2}[|] We are watching it\.$/),
    ]);
  });

  it("are written only into a file that exists, and printed where there is none", async () => {
    const folder = temporaryFolder();
    for (const name of ["", folder, join(folder, "missing")]) {
      process.env["MONITORING_PREVIEW_FACTS"] = name;
      await updates().preview(words, undefined, contextOf(sandbox()));
    }
    expect([readdirSync(folder), notices.length]).toEqual([[], 3]);
  });
});

describe("an object that a program reads", () => {
  const sandbox = sandboxForEachTest();

  it("is read by a preview, unless its id or account isn't known", async () => {
    const preview = (inputs: object, of: typeof nowhere) =>
      channels().preview({ ...inputs }, undefined, contextOf(of));
    notices.length = 0;
    await preview({ channelId: unknown }, nowhere);
    await preview({ channelId: 1, account: unknown }, nowhere);
    await preview({ channelId: 4101 }, sandbox());
    expect(notices).toEqual([]);
    await expect(preview({ channelId: 1 }, nowhere)).rejects.toThrow("could not be reached");
    await expect(preview({ channelId: 999 }, sandbox())).rejects.toThrow("not found");
  });

  it("whose state the other adapter wrote is written again", () => {
    const state = { channelId: 1, origin: undefined, type: "EMAIL" };
    const diff = (moves: boolean) =>
      channels().diff("1", state, { channelId: 1 }, contextOf(nowhere), moves).changes;
    expect([diff(false), diff(true)]).toEqual([false, true]);
  });

  it("and that two resources declare: a refresh of one says nothing about the other", async () => {
    const plain = channels();
    const as = (resource: string) => contextOf(sandbox(), { resource });
    const inputs = { channelId: "4101" };
    const { outputs } = await plain.create(inputs, as("a"));
    notices.length = 0;
    const { outputs: drifted } = await plain.read("4101", { ...outputs, sslExpiryThreshold: 99 }, as("a"));
    const changes = ["b", "a", "a"].map(
      (resource) => plain.diff("4101", drifted, inputs, as(resource), false).changes,
    );
    expect([changes, notices]).toEqual([[false, true, false], []]);
  });
});

it("an update is neither created nor changed before its check, which knows the entries after it", async () => {
  const [plain, context] = [updates(), contextOf(nowhere, { resource: "entry" })];
  const early = /create or update was called before check[.] Nothing was posted/;
  await expect(plain.create(words, context)).rejects.toThrow(early);
  await expect(plain.update("inc/u1", stateOf(nowhere), words, context)).rejects.toThrow(early);
});

describe("a policy that remediates", () => {
  const context = contextOf(nowhere, { resource: urn });
  const edited = { ...words, status: "RESOLVED", notifySubscribers: true };
  /** As the engine does with an edit, before it checks the replacement again. */
  const planned = (changes: object) => {
    const plain = updates();
    const { inputs } = plain.check(words, edited, context);
    const { replaces } = plain.diff("inc/u1", stateOf(nowhere), { ...inputs, ...changes }, context, false);
    return { plain, replaces };
  };

  it("refuses an edit that it changes: the engine drops that", () => {
    const { plain, replaces } = planned({ notifySubscribers: false, tags: ["on-call"] });
    expect(replaces).toEqual(["status"]);
    expect(plain.check({}, edited, context).failures).toEqual([
      {
        property: "",
        reason:
          "notifySubscribers changed after the check, probably by a policy that remediates. Nothing was posted. Make the change in the " +
          "program",
      },
    ]);
  });

  it("refuses no edit of which it changes nothing, or a property of its own", () => {
    for (const changes of [{}, { tags: ["on-call"] }])
      expect(planned(changes).plain.check({}, edited, context).failures).toEqual([]);
  });

  it.each([{}, { place: { keys: keysOf([words]), index: 0 }, order: 1 }])(
    "refuses to post what it changes, and leaves the rest alone, of a program that says %j",
    async (program) => {
      const plain = updates();
      const { inputs } = plain.check({}, words, { ...context, program });
      const refused =
        /^IncidentUpdate "over": description changed after the check, probably by a policy that remediates\. Nothing was posted\. Make the/;
      const remediated = { ...inputs, tags: ["on-call"], description: "Sorry." };
      await expect(plain.preview(remediated, undefined, context)).rejects.toThrow(refused);
      await expect(plain.create(remediated, context)).rejects.toThrow(refused);
      notices.length = 0;
      await plain.preview({ ...inputs, tags: ["on-call"] }, undefined, context);
      expect(notices.at(-1)).toContain(`IncidentUpdate "over" posts to`);
    },
  );
});

it.each([
  ["whose incident isn't a text", { incidentId: 7, incidentUpdateId: "u2" }, " inc/u1", "stays public"],
  [
    "of a post without a response",
    { incidentId: "inc", unconfirmed: {} },
    " on incident inc",
    "may be public",
  ],
  ["of a public update", { incidentId: "inc", incidentUpdateId: "u2" }, " inc/u2", "stays public"],
])("the removal of a state %s, also a damaged one, names it", async (_, state, name, visibility) => {
  notices.length = 0;
  await updates().delete("inc/u1", state, contextOf(nowhere));
  const said = `IncidentUpdate${name}: removed from the state. The update ${visibility}: `;
  expect(notices).toEqual([expect.stringContaining(said)]);
});

it.each([
  ["of ours", new MonitoringError("Why."), "Why."],
  ["of the code", new TypeError("x is undefined"), /please report it: TypeError: x is undefined$/],
])("an error %s has a message for the user", (_, error, message) => {
  expect(messageOf(error)).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});

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
function refusalOf(old: object, account?: unknown, isRefresh = false, from = connections) {
  const context = contextOf(nowhere, { connections: from });
  const declared = { known: { channelId: "7", account }, unknown: new Set<string>() };
  try {
    lifecycles.AlertChannel.diff("7", { ...declared.known, ...old }, declared, context, isRefresh);
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
])("accepts %s", (_, old, ...[account]) => {
  expect(refusalOf(old, account)).toBeUndefined();
});

it.each<[string, object, string?]>([
  ["another account", at("api", { accountId: "B" })],
  ["another service", at("old", { accountId: "A" })],
  ["another service, where the key decided the account", at("old")],
  ["another tenant of one host", at("tenants", { path: "/two" }), "tenant"],
])("rejects %s", (_, origin, ...[account]) => {
  expect(refusalOf({ origin }, account)).toMatchSnapshot();
});

describe("a renamed account", () => {
  const refusalOfRenamed = (account: string, origin: object, from = connections) =>
    refusalOf({ account, origin }, account, true, from);
  const shared = { apiKey: "key-of-shared", baseUrl: "https://shared.example.com" };
  const sharing = (ofEach: object) => {
    const accounts = JSON.stringify({
      one: { ...shared, ...ofEach },
      two: { ...shared, ...ofEach },
      eu: { ...shared, accountId: "B" },
    });
    return new Connections((name) => (name === "accounts" ? accounts : configuration[name]), {});
  };

  it("is found by its origin, also where several keys have its id, unless the old name is configured", () => {
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
  ])("is reported as missing: %s configured accounts match", (count, origin) => {
    expect(refusalOfRenamed("europe", origin, sharing({}))).toMatch(
      new RegExp(
        `one of: one, two, eu\\. ${count} configured accounts? match.* use its new name in the program`,
      ),
    );
  });
});
