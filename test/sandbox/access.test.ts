/** Who may ask: keys, their accounts, and pages in a browser on this machine, which know the well-known key. */
import { type SandboxOptions, wellKnown } from "../../sandbox";
import { ask, created, incidentPath, news, respondedTo, sandboxWith, updatesPath } from "./sandboxes";

const { quillmarket, labs } = wellKnown.accounts;
const { apiKeys } = wellKnown;
const tenant = { accountHeader: "X-Tenant" };
const another = { apiKey: "mon_test_another-key" };

// What each operation responds to other keys and accounts: test/contract/sandbox.test.ts.
test.each<[options: SandboxOptions, asked: Parameters<typeof ask>[2], shown: string | number]>([
  [{}, { headers: { authorization: "Basic bW9uOnNhbmRib3g=" } }, 401],
  [{}, { headers: { authorization: "Bearer " } }, 401],
  [{}, {}, "Storefront Europe"],
  [{}, { account: labs }, "Labs Preview"],
  [{}, { apiKey: apiKeys.labs }, "Labs Preview"],
  [{}, { apiKey: apiKeys.labs, account: quillmarket }, 403],
  [tenant, { headers: { "x-tenant": labs } }, "Labs Preview"],
  [tenant, { account: labs }, 400],
  [tenant, { headers: { "x-org": labs } }, 400],
  [tenant, { headers: { "account-id": "other" } }, 400],
  [another, {}, "Storefront Europe"],
  [another, { apiKey: apiKeys.quillmarket }, 401],
  [another, { apiKey: apiKeys.labs }, "Labs Preview"],
])("a sandbox with %j shows %j the account of %j", async (options, asked, shown) => {
  const response = await ask(await sandboxWith(options), "/v1/status-pages?limit=1", asked);
  expect(await response.json()).toMatchObject(
    typeof shown === "string" ? { entries: [{ name: shown }] } : { statusCode: shown },
  );
  expect(response.headers.get("www-authenticate")).toBe(shown === 401 ? "Bearer" : null);
});

test.each<Record<string, string>>([
  { origin: "https://elsewhere.example" },
  { origin: "http://127.0.0.1:1" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
])("a page with %j can't control it, and can't read or post with the key", async (headers) => {
  const sandbox = await sandboxWith({ faults: [{ kind: "hang" }] });
  const control = await ask(sandbox, "/_sandbox/faults", { method: "DELETE", headers });
  const post = await ask(sandbox, updatesPath, { json: news, headers });
  const read = await ask(sandbox, incidentPath, { headers });
  expect([control.status, post.status, read.status]).toEqual([403, 403, 403]);
  expect([sandbox.faults.list().length, created(sandbox), sandbox.requests]).toEqual([1, 0, []]);
});

test("its own page may do both, and others may link to its page", async () => {
  const sandbox = await sandboxWith();
  const own = { origin: sandbox.url, "sec-fetch-site": "same-origin" };
  expect((await ask(sandbox, "/_sandbox/faults", { headers: own })).status).toBe(200);
  expect((await ask(sandbox, updatesPath, { json: news, headers: own })).status).toBe(201);
  const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  expect((await ask(sandbox, "/", { headers: link })).status).toBe(200);
});

test.each(["elsewhere.example", "127.0.0.1.elsewhere.example", "localhost:4010.elsewhere.example", ""])(
  "a page whose host name %j leads to this machine can read nothing",
  async (host) => {
    const sandbox = await sandboxWith();
    const head = `Host: ${host}\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nConnection: close`;
    for (const path of ["/", "/_sandbox/state", incidentPath])
      expect(await respondedTo(sandbox, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/);
    expect(sandbox.requests).toEqual([]);
  },
);
