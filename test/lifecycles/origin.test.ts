/** What a stack remembers of one account or service is never compared with another. */
import { type Connection, Connections } from "../../provider/connection";
import { connectionOf, refuseOtherOrigin } from "../../provider/lifecycles/origin";

const configuration: Record<string, string> = {
  baseUrl: "https://api.example.com",
  apiKey: "key-of-default",
  accountId: "A",
  accounts: JSON.stringify({
    eu: { apiKey: "key-of-eu", accountId: "B", baseUrl: "https://eu.example.com" },
    keyed: { apiKey: "key-of-another" },
  }),
};
const connections = new Connections((name) => configuration[name], {});

const refusalOf = (old: object, connection: Connection): string | undefined => {
  try {
    refuseOtherOrigin("AlertChannel 7", { ...old }, connection, "it was read from");
    return undefined;
  } catch (error) {
    return String(error);
  }
};

const world = { connections, notice: () => undefined, stillWanted: () => Promise.resolve() };

it.each<[unknown, string, string | undefined]>([
  [undefined, "api.example.com", "A"],
  ["eu", "eu.example.com", "B"],
  ["keyed", "api.example.com", undefined],
  [7, "api.example.com", "A"],
])("the account %p leads to %s", (account, host, accountId) => {
  expect(connectionOf({ account }, world).origin).toEqual(
    accountId === undefined ? { host } : { host, accountId },
  );
});

it.each<[string, object, string | undefined]>([
  ["the same account", { origin: { host: "api.example.com", accountId: "A" } }, undefined],
  ["the account that the key decided", { origin: { host: "api.example.com" } }, undefined],
  ["the account that the key decides now", { origin: { host: "api.example.com", accountId: "B" } }, "keyed"],
  ["a state without an origin", { name: "Operations" }, undefined],
  ["a state with an origin of another shape", { origin: { host: 7 } }, undefined],
])("goes on with %s", (_, old, account) => {
  expect(refusalOf(old, connections.connect(account))).toBeUndefined();
});

const wayBack =
  "Nothing was changed. Point the stack back, or forget the resource with `pulumi state delete` to declare it anew.";

it.each<[string, object, string]>([
  [
    "another account",
    { host: "api.example.com", accountId: "B" },
    "account leads to account A on api.example.com, but it was read from account B on api.example.com.",
  ],
  [
    "another service",
    { host: "old.example.com", accountId: "A" },
    "baseUrl leads to account A on api.example.com, but it was read from account A on old.example.com.",
  ],
  [
    "another service, where the key decided the account",
    { host: "old.example.com" },
    "baseUrl leads to account A on api.example.com, but it was read from old.example.com.",
  ],
])("refuses %s", (_, origin, reason) => {
  expect(refusalOf({ origin }, connections.connect())).toBe(
    `InvalidInputError: AlertChannel 7: ${reason} ${wayBack}`,
  );
});
