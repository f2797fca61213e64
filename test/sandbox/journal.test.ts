import { connect } from "node:net";
import { ask, incidentPath, news, post, sandboxWith, updatesPath } from "./sandboxes";
import { wellKnown } from "../../sandbox";

test("records each request to the API and how it ended", async () => {
  const sandbox = await sandboxWith();
  const response = await ask(sandbox, `${updatesPath}?x=1%202`, {
    json: news,
    headers: { "x-trace": "abc" },
  });
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
  await post(sandbox);
  await ask(sandbox, incidentPath, { apiKey: "wrong-but-long-enough" });
  await ask(sandbox, incidentPath, { apiKey: "short" });
  await ask(sandbox, incidentPath, { apiKey: null });
  expect(sandbox.requests.map(({ headers, account }) => [headers.authorization, account])).toEqual([
    ["Bearer ****77aa", sandbox.accountId],
    ["Bearer ****ough", null],
    ["****", null],
    [undefined, null],
  ]);
  expect(JSON.stringify(sandbox.requests)).not.toContain("canary");
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

test("omits the page and the control API", async () => {
  const sandbox = await sandboxWith();
  await ask(sandbox, "/");
  await ask(sandbox, "/_sandbox/state");
  expect(sandbox.requests).toEqual([]);
});

test("records the latest 10,000 requests, and can be cleared", async () => {
  const sandbox = await sandboxWith();
  const socket = connect(Number(new URL(sandbox.url).port), "127.0.0.1").resume();
  const total = 10_003;
  const paths = Array.from({ length: total }, (_, index) => `/${index}`);
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  while (sandbox.requests.at(-1)?.path !== `/${total - 1}`) await new Promise(setImmediate);
  socket.destroy();
  expect(sandbox.requests).toHaveLength(10_000);
  expect(sandbox.requests[0]).toMatchObject({ path: "/3", status: 404 });
  sandbox.clearRequests();
  expect(sandbox.requests).toEqual([]);
});
