/** The state of one account or service is never compared with another. */
import { Connections } from "../../provider/connection";
import { lifecycles } from "../../provider/lifecycles";
import { contextOf } from "./phases";

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
  const declared = { known: { channelId: "7", account }, unknown: new Set<string>() };
  try {
    lifecycles.AlertChannel.diff("7", { ...declared.known, ...old }, declared, contextOf(from), isRefresh);
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
  expect(refusalOf(old, account)).toBeUndefined();
});

it.each<[string, object, string?]>([
  ["another account", at("api", { accountId: "B" })],
  ["another service", at("old", { accountId: "A" })],
  ["another service, where the key decided the account", at("old")],
  ["another tenant of one host", at("tenants", { path: "/two" }), "tenant"],
])("a refresh rejects %s", (_, origin, ...[account]) => {
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

  it("a renamed account is found by its origin, also where several keys have its id, unless the old name is configured", () => {
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
        `one of: one, two, eu\\. ${count} configured accounts? match.* use its new name in the program`,
      ),
    );
  });
});
