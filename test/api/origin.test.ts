import { formatOrigin, type StoredOrigin } from "../../provider/api/origin";

const host = "api.example.com";

test.each<[StoredOrigin, string]>([
  [{ host }, "api.example.com"],
  [{ host, path: "/" }, "api.example.com"],
  [{ host, path: "/tenant" }, "api.example.com/tenant"],
  [{ host, accountId: "a1" }, "account a1 on api.example.com"],
  [{ host, path: "/tenant", accountId: "a1" }, "account a1 on api.example.com/tenant"],
])("%j is shown as: %s", (origin, shown) => {
  expect(formatOrigin(origin)).toBe(shown);
});
