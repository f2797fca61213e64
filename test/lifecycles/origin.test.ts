/** The state of one account or service is never compared with another. */
import { type Connection, Connections } from "../../provider/connection/connections";
import { Publishing } from "../../provider/publishing/publishing";
import { connectionOf, assertOrigin, storedConnection } from "../../provider/lifecycles/resourceOrigin";

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

const wayBack =
  "Nothing was changed. Restore the previous setting, or remove the resource from the state with `pulumi state delete` and declare it again.";

it.each<[string, object, string]>([
  [
    "another account",
    { host: "api.example.com", path: "/", accountId: "B" },
    "account points to account A on api.example.com, but it was read from account B on api.example.com.",
  ],
  [
    "another service",
    { host: "old.example.com", path: "/", accountId: "A" },
    "baseUrl points to account A on api.example.com, but it was read from account A on old.example.com.",
  ],
  [
    "another service, where the key decided the account",
    { host: "old.example.com", path: "/" },
    "baseUrl points to account A on api.example.com, but it was read from old.example.com.",
  ],
])("rejects %s", (_, origin, reason) => {
  expect(refusalOf({ origin }, connections.connect())).toBe(
    `InvalidInputError: AlertChannel 7: ${reason} ${wayBack}`,
  );
});

it("distinguishes tenants of one host by their paths", () => {
  const origin = { host: "tenants.example.com", path: "/two" };
  expect(refusalOf({ origin }, connections.connect("tenant"))).toBe(
    "InvalidInputError: AlertChannel 7: baseUrl points to tenants.example.com/one, but it was read from " +
      `tenants.example.com/two. ${wayBack}`,
  );
});

describe("a renamed account", () => {
  const from = (origin: object) => ({ account: "europe", origin });

  it("is found by its origin", () => {
    const { origin } = storedConnection(from({ host: "eu.example.com", path: "/", accountId: "B" }), context);
    expect(origin).toEqual({ host: "eu.example.com", path: "/", accountId: "B" });
  });

  it("is not searched for while the old name is configured", () => {
    const { origin } = storedConnection(
      { account: "eu", origin: { host: "x", path: "/", accountId: "X" } },
      context,
    );
    expect(origin).toMatchObject({ host: "eu.example.com", path: "/" });
  });

  it.each<[string, object]>([
    [
      "No configured account matches the service and account of this resource",
      { host: "eu.example.com", path: "/", accountId: "C" },
    ],
    ["No configured account matches the service and account of this resource", {}],
    [
      "Several configured accounts match the service and account of this resource",
      { host: "shared.example.com", path: "/" },
    ],
  ])("is reported as missing: %s", (reason, origin) => {
    const shared = { apiKey: "key-of-shared", baseUrl: "https://shared.example.com" };
    const accounts = JSON.stringify({ one: shared, two: shared, eu: { ...shared, accountId: "B" } });
    const several = new Connections((name) => (name === "accounts" ? accounts : configuration[name]), {});
    expect(() => storedConnection(from(origin), { ...context, connections: several })).toThrow(
      `Connection: account must be a name in monitoring:accounts; one of: one, two, eu. ${reason}. Restore the ` +
        "account's name, or use its new name in the program and run `pulumi up`, which posts nothing.",
    );
  });
});
