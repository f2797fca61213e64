import { formatOrigin, type Origin } from "../../provider/api/origin";

const host = "api.example.com";

test.each<[Origin, string]>([
  [{ host, path: "/" }, "api.example.com"],
  [{ host, path: "/tenant" }, "api.example.com/tenant"],
  [{ host, path: "/", accountId: "a1" }, "account a1 on api.example.com"],
  [{ host, path: "/tenant", accountId: "a1" }, "account a1 on api.example.com/tenant"],
])("%j is shown as: %s", (origin, shown) => {
  expect(formatOrigin(origin)).toBe(shown);
});
