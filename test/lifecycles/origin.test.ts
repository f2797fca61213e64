/** The state of one account or service is never compared with another. */
import { type Connection, Connections } from "../../provider/connection/connections";
import { Publishing } from "../../provider/publishing/publishing";
import { connectionOf, assertOrigin, storedConnection } from "../../provider/lifecycles/lifecycle";

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

const refusalOf = (old: object, connection: Connection): string | undefined => {
  try {
    assertOrigin("AlertChannel 7", { ...old }, connection, "it was read from");
    return undefined;
  } catch (error) {
    return String(error);
  }
};

const context = {
  connections,
  publishing: new Publishing(),
  notice: () => undefined,
  assertEngineAlive: () => Promise.resolve(),
};

it.each<[unknown, string, string | undefined]>([
  [undefined, "api.example.com", "A"],
  ["eu", "eu.example.com", "B"],
  ["keyed", "api.example.com", undefined],
  [7, "api.example.com", "A"],
])("the account %p connects to %s", (account, host, accountId) => {
  expect(connectionOf({ account }, context).origin).toEqual(
    accountId === undefined ? { host, path: "/" } : { host, path: "/", accountId },
  );
});

it.each<[string, object, string | undefined]>([
  ["the same account", { origin: { host: "api.example.com", path: "/", accountId: "A" } }, undefined],
  ["the account that the key decided", { origin: { host: "api.example.com", path: "/" } }, undefined],
  [
    "the account that the key decides now",
    { origin: { host: "api.example.com", path: "/", accountId: "B" } },
    "keyed",
  ],
  ["the same path", { origin: { host: "api.example.com", path: "/", accountId: "A" } }, undefined],
  ["a state without an origin", { name: "Operations" }, undefined],
  ["a state with an origin of another shape", { origin: { host: 7 } }, undefined],
])("accepts %s", (_, old, account) => {
  expect(refusalOf(old, connections.connect(account))).toBeUndefined();
});

const at = (name: string, more: object = {}) => ({ host: `${name}.example.com`, path: "/", ...more });

it.each<[string, object, string?]>([
  ["another account", at("api", { accountId: "B" })],
  ["another service", at("old", { accountId: "A" })],
  ["another service, where the key decided the account", at("old")],
  ["another tenant of one host", at("tenants", { path: "/two" }), "tenant"],
])("rejects %s", (_, origin, ...[account]) => {
  expect(refusalOf({ origin }, connections.connect(account))).toMatchSnapshot();
});

describe("a renamed account", () => {
  const connectionTo = (account: string, origin: object, from = connections) =>
    storedConnection({ account, origin }, { ...context, connections: from });

  it("is found by its origin, unless the old name is configured", () => {
    const eu = at("eu", { accountId: "B" });
    expect(connectionTo("europe", eu).origin).toEqual(eu);
    expect(connectionTo("eu", at("old", { accountId: "X" })).origin).toEqual(eu);
  });

  it.each<[string, object]>([
    ["No", at("eu", { accountId: "C" })],
    ["No", {}],
    ["Several", at("shared")],
  ])("is reported as missing: %s configured accounts match", (count, origin) => {
    const shared = { apiKey: "key-of-shared", baseUrl: "https://shared.example.com" };
    const accounts = JSON.stringify({ one: shared, two: shared, eu: { ...shared, accountId: "B" } });
    const several = new Connections((name) => (name === "accounts" ? accounts : configuration[name]), {});
    expect(() => connectionTo("europe", origin, several)).toThrow(
      new RegExp(
        `one of: one, two, eu\\. ${count} configured accounts? match.* use its new name in the program`,
      ),
    );
  });
});
