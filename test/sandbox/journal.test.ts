import { wellKnown } from "../../sandbox";
import { ask, incidentPath, news, respondedTo, sandboxWith, updatesPath } from "./sandboxes";

test("records each request to the API and how it ended", async () => {
  const sandbox = await sandboxWith();
  const headers = { "x-trace": "abc" };
  const response = await ask(sandbox, `${updatesPath}?x=1%202`, { json: news, headers });
  await ask(sandbox, "/v1/status-pages", { account: wellKnown.accounts.labs });
  expect(sandbox.requests).toMatchObject([
    {
      requestId: response.headers.get("x-request-id"),
      method: "POST",
      path: updatesPath,
      query: { x: "1 2" },
      headers: { "content-type": "application/json", "x-trace": "abc" },
      account: sandbox.accountId,
      operation: "createIncidentUpdate",
      body: news,
      status: 400,
      ended: "answered",
      applied: false,
      faults: [],
    },
    { operation: "listStatusPages", account: wellKnown.accounts.labs, body: null, status: 200 },
  ]);
});

test("masks API keys", async () => {
  const apiKey = "mon_test_canary-3f9d-77aa";
  const sandbox = await sandboxWith({ apiKey });
  await ask(sandbox, incidentPath);
  expect(sandbox.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer ****77aa"]);
  expect(JSON.stringify(sandbox.requests)).not.toContain("canary");
});

test("omits requests without a key of the sandbox", async () => {
  const sandbox = await sandboxWith();
  for (const apiKey of ["mon_sandbox_wrong", "short", null]) await ask(sandbox, incidentPath, { apiKey });
  expect(sandbox.requests).toEqual([]);
  await ask(sandbox, incidentPath, { account: "nobody" });
  expect(sandbox.requests).toMatchObject([{ account: null, status: 403 }]);
});

test("records invalid JSON as text, and unknown paths as sent", async () => {
  const sandbox = await sandboxWith();
  await ask(sandbox, updatesPath, { body: "{broken" });
  await ask(sandbox, "/v1/else%77here");
  expect(sandbox.requests).toMatchObject([
    { body: "{broken", status: 415 },
    { path: "/v1/else%77here", operation: null, status: 404 },
  ]);
});

test("records the latest 10,000 requests, and can be cleared", async () => {
  const sandbox = await sandboxWith();
  const head = `Host: localhost\r\nAuthorization: Bearer ${sandbox.apiKey}\r\n`;
  const last = `GET /10002 HTTP/1.1\r\n${head}Connection: close\r\n\r\n`;
  const others = Array.from({ length: 10_002 }, (_, index) => `GET /${index} HTTP/1.1\r\n${head}\r\n`);
  await respondedTo(sandbox, [...others, last].join(""));
  expect(sandbox.requests).toHaveLength(10_000);
  expect(sandbox.requests[0]).toMatchObject({ path: "/3", status: 404 });
  sandbox.clearRequests();
  expect(sandbox.requests).toEqual([]);
});
