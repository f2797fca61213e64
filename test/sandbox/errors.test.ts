import { z } from "zod";
import { ask, created, incidentPath, news, post, respondedTo, sandboxWith, updatesPath } from "./sandboxes";

const errorBody = z.strictObject({
  statusCode: z.int(),
  error: z.string().min(1),
  message: z.string().min(1),
  validation: z.strictObject({ source: z.string(), keys: z.array(z.string()) }).optional(),
});

async function errorOf(pending: Promise<Response>) {
  const response = await pending;
  const { statusCode, ...body } = errorBody.parse(await response.json());
  expect(statusCode).toBe(response.status);
  return { status: response.status, headers: response.headers, ...body };
}

// Statuses and texts that docs/openapi.yaml describes: test/contract/sandbox.test.ts.
test.each([
  ["another scheme", "Basic bW9uOnNhbmRib3g="],
  ["an empty key", "Bearer "],
])("401: %s", async (_, authorization) => {
  const error = await errorOf(ask(await sandboxWith(), incidentPath, { headers: { authorization } }));
  expect(error).toMatchObject({ status: 401, error: "Unauthorized" });
  expect(error.headers.get("www-authenticate")).toBe("Bearer");
});

const incidents = "/v1/status-pages/incidents";
test.each([
  ...[`${incidents}/a%2Fb`, `${incidents}/`, "/v1/alert-channels/04101", "/v1/status-pages/"],
  ...["/v1//status-pages", "/v2/status-pages", "/v1", "/elsewhere"],
])("404: %s", async (path) => {
  const error = await errorOf(ask(await sandboxWith(), path));
  expect(error).toMatchObject({ status: 404, error: "Not Found" });
});

test.each([
  ["DELETE", incidentPath, "GET"],
  ["PUT", `${updatesPath}/x`, "GET"],
  ["GET", updatesPath, "POST"],
  ["OPTIONS", "/v1/status-pages", "GET"],
  ["POST", "/", "GET, HEAD"],
])("405: %s %s, with the allowed methods", async (method, path, allowed) => {
  const error = await errorOf(ask(await sandboxWith(), path, { method }));
  expect([error.status, error.headers.get("allow")]).toEqual([405, allowed]);
});

test.each(["%", "%zz", "%e0%a4%a", "%ff"])("400: the id %s is not percent-encoded", async (id) => {
  const error = await errorOf(ask(await sandboxWith(), `${incidents}/${id}`));
  expect(error).toMatchObject({ status: 400, message: expect.stringContaining("percent-encoded") });
});

test.each([
  ["limit", "1&limit=2"],
  ["nextId", Buffer.from("1000:x").toString("base64url")],
])("400: the query with %s=%s", async (key, value) => {
  const error = await errorOf(ask(await sandboxWith(), `/v1/status-pages?${key}=${value}`));
  expect(error).toMatchObject({ status: 400, validation: { source: "query", keys: [key] } });
});

test("400: the body names what is wrong with it", async () => {
  const sandbox = await sandboxWith();
  const body = JSON.parse('{"status":1,"id":"","notify":true,"__proto__":1}') as unknown;
  const error = await errorOf(post(sandbox, body));
  const keys = ["status", "description", "id", "notify", "__proto__"];
  expect(error).toMatchObject({ status: 400, validation: { source: "payload", keys } });
  for (const key of keys) expect(error.message).toContain(key);
  expect(created(sandbox)).toBe(0);
});

const type = { "content-type": "application/json" };
test.each([
  ["nested without end", `${"[".repeat(300_000)}${"]".repeat(300_000)}`, type, 400],
  ["that isn't UTF-8", Buffer.from('{"status":"RESOLVED","description":"\xff"}', "latin1"), type, 400],
  ["without a content type", JSON.stringify(news), { "content-type": "" }, 415],
])("a body %s is rejected", async (_, body, headers, status) => {
  const sandbox = await sandboxWith();
  const error = await errorOf(ask(sandbox, updatesPath, { method: "POST", body, headers }));
  expect(error.status).toBe(status);
  expect((await ask(sandbox, "/_sandbox/requests")).status).toBe(200);
  expect(created(sandbox)).toBe(0);
});

test("the content type may have a charset, and the largest body is accepted", async () => {
  const headers = { "content-type": "Application/JSON; charset=utf-8" };
  const body = JSON.stringify({ ...news, description: "x".repeat(1024 * 1024 - 200) });
  expect((await ask(await sandboxWith(), updatesPath, { body, headers })).status).toBe(201);
});

test("an incomplete body writes nothing, and the next request succeeds", async () => {
  const sandbox = await sandboxWith();
  const text = JSON.stringify(news);
  const head = [
    `POST ${updatesPath} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${sandbox.apiKey}`,
    "Content-Type: application/json",
    `Content-Length: ${text.length + 1}`,
  ];
  await respondedTo(sandbox, [...head, "", text].join("\r\n"), true);
  expect((await ask(sandbox, incidentPath)).status).toBe(200);
  expect(sandbox.requests[0]).toMatchObject({ ended: "client left", status: null, applied: false });
  expect(created(sandbox)).toBe(0);
});
