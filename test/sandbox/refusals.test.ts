import { connect } from "node:net";
import { z } from "zod";
import type { Sandbox } from "../../sandbox";
import { ask, incidentId, incidentPath, news, post, sandboxWith, updatesPath } from "./sandboxes";

const errorBody = z.strictObject({
  statusCode: z.int(),
  error: z.string().min(1),
  message: z.string().min(1),
  validation: z.strictObject({ source: z.string(), keys: z.array(z.string()) }).optional(),
});

async function refusal(answer: Promise<Response>) {
  const response = await answer;
  const { statusCode, ...body } = errorBody.parse(await response.json());
  expect(statusCode).toBe(response.status);
  return { status: response.status, headers: response.headers, ...body };
}

describe("who asks", () => {
  test.each([
    ["no key", null, {}],
    ["an unknown key", "mon_sandbox_wrong", {}],
    ["a key that is almost right", "mon_sandbox_0123456789abcdef0123456789abcdee", {}],
    ["an empty key", null, { authorization: "Bearer " }],
    ["another scheme", null, { authorization: "Basic bW9uOnNhbmRib3g=" }],
  ])("%s is 401", async (_, apiKey, headers) => {
    const sandbox = await sandboxWith();
    const refused = await refusal(ask(sandbox, incidentPath, { apiKey, headers }));
    expect(refused.status).toBe(401);
    expect(refused.error).toBe("Unauthorized");
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  });

  test.each(["nobody", "", "__proto__"])("the unknown account %j is 403", async (account) => {
    const refused = await refusal(ask(await sandboxWith(), incidentPath, { account }));
    expect(refused.status).toBe(403);
    expect(refused.error).toBe("Forbidden");
  });
});

describe("what is asked for", () => {
  test.each([
    "/v1/status-pages/incidents/none",
    `${updatesPath}/none`,
    "/v1/incidents/none",
    "/v1/alert-channels/1",
    "/v1/alert-channels/04101",
    "/v1/status-pages/incidents/a%2Fb",
    "/v1/status-pages/incidents/",
    "/v1/status-pages/",
    "/v1//status-pages",
    "/v2/status-pages",
    "/v1",
    "/elsewhere",
  ])("%s is 404", async (path) => {
    const refused = await refusal(ask(await sandboxWith(), path));
    expect(refused.status).toBe(404);
    expect(refused.error).toBe("Not Found");
  });

  test.each([
    ["DELETE", incidentPath, "GET"],
    ["PUT", `${updatesPath}/x`, "GET"],
    ["GET", updatesPath, "POST"],
    ["OPTIONS", "/v1/status-pages", "GET"],
    ["POST", "/", "GET, HEAD"],
  ])("%s %s is 405 and says what is allowed", async (method, path, allowed) => {
    const refused = await refusal(ask(await sandboxWith(), path, { method }));
    expect(refused.status).toBe(405);
    expect(refused.headers.get("allow")).toBe(allowed);
  });

  test.each(["%", "%zz", "%e0%a4%a", "%ff"])("the id %s is 400: not properly encoded", async (id) => {
    const refused = await refusal(ask(await sandboxWith(), `/v1/status-pages/incidents/${id}`));
    expect(refused.status).toBe(400);
    expect(refused.message).toContain("percent-encoded");
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e1", "limit"],
    ["limit=ten", "limit"],
    ["limit=", "limit"],
    ["limit=1&limit=2", "limit"],
    ["nextId=", "nextId"],
    ["nextId=garbled", "nextId"],
    [`nextId=${Buffer.from("1000:x").toString("base64url")}`, "nextId"],
    ["nextid=x", "nextid"],
  ])("the query %s is 400 and names %s", async (query, key) => {
    const refused = await refusal(ask(await sandboxWith(), `/v1/status-pages?${query}`));
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(key);
    expect(refused.validation).toEqual({ source: "query", keys: [key] });
  });

  test.each(["1", "TRUE", ""])("includeAllIncidentUpdates=%s is 400", async (value) => {
    const answer = ask(await sandboxWith(), `/v1/incidents/x?includeAllIncidentUpdates=${value}`);
    expect((await refusal(answer)).status).toBe(400);
  });
});

describe("what is sent", () => {
  test.each([
    ["an unknown field", { ...news, notify: true }, ["notify"]],
    [
      "a field called __proto__",
      JSON.parse('{"status":"RESOLVED","description":"x","__proto__":1}'),
      ["__proto__"],
    ],
    ["an unknown status", { ...news, status: "resolved" }, ["status"]],
    ["no status", { description: "x" }, ["status"]],
    ["an empty description", { ...news, description: " " }, ["description"]],
    ["a flag as text", { ...news, notifySubscribers: "true" }, ["notifySubscribers"]],
    [
      "a date without a zone",
      { ...news, publicIncidentUpdateDate: "2026-01-31 09:30" },
      ["publicIncidentUpdateDate"],
    ],
    ["several mistakes", { status: 1, id: "" }, ["status", "description", "id"]],
    ["a list", [news], []],
    ["null", null, []],
  ])("%s is 400 and named", async (_, json, keys) => {
    const sandbox = await sandboxWith();
    const refused = await refusal(post(sandbox, json));
    expect(refused.status).toBe(400);
    expect(refused.validation).toEqual({ source: "payload", keys });
    for (const key of keys) expect(refused.message).toContain(key);
    expect(sandbox.incident(incidentId).incidentUpdates).toHaveLength(2);
  });

  const type = { "content-type": "application/json" };
  test.each([
    ["nesting without end", `${"[".repeat(300_000)}${"]".repeat(300_000)}`, type, 400],
    ["broken JSON", '{"status":', type, 400],
    ["no body", "", type, 400],
    ["what isn't UTF-8", Buffer.from('{"status":"RESOLVED","description":"\xff"}', "latin1"), type, 400],
    ["no content type", JSON.stringify(news), { "content-type": "" }, 415],
    ["another content type", JSON.stringify(news), { "content-type": "text/plain" }, 415],
    ["a body of 2 MB", " ".repeat(2_000_000), type, 413],
  ])("%s is refused", async (_, body, headers, status) => {
    const sandbox = await sandboxWith();
    const refused = await refusal(ask(sandbox, updatesPath, { method: "POST", body, headers }));
    expect(refused.status).toBe(status);
    expect((await ask(sandbox, "/_sandbox/requests")).status).toBe(200);
    expect(sandbox.incident(incidentId).incidentUpdates).toHaveLength(2);
  });

  test("a charset may be named, and the largest body is taken", async () => {
    const sandbox = await sandboxWith();
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    const body = JSON.stringify({ ...news, description: "x".repeat(1024 * 1024 - 200) });
    expect((await ask(sandbox, updatesPath, { body, headers })).status).toBe(201);
  });
});

describe("what isn't a request", () => {
  /** What comes back for bytes on the socket, until it is closed. */
  const raw = ({ url }: Sandbox, bytes: string, end = false) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      let answer = "";
      socket.on("data", (chunk) => (answer += chunk.toString()));
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
      if (end) socket.end(bytes);
      else socket.write(bytes);
    });

  test.each([
    ["garbage", "hello, is this the monitoring service?\r\n\r\n", "400 Bad Request"],
    ["an unknown method", "FETCH / HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"],
    [
      "headers without end",
      `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${"x".repeat(20_000)}\r\n\r\n`,
      "431 Request Header",
    ],
    ["a wrong length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", "400 Bad Request"],
  ])("%s is refused, and the next request answered", async (_, bytes, status) => {
    const sandbox = await sandboxWith();
    const answer = await raw(sandbox, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    errorBody.parse(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))));
    expect((await ask(sandbox, incidentPath)).status).toBe(200);
  });

  test("a body that stops in the middle writes nothing, and the next request is answered", async () => {
    const sandbox = await sandboxWith();
    const text = JSON.stringify(news);
    const head = [
      `POST ${updatesPath} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: Bearer ${sandbox.apiKey}`,
      "Content-Type: application/json",
      `Content-Length: ${text.length + 1}`,
    ];
    await raw(sandbox, [...head, "", text].join("\r\n"), true);
    expect((await ask(sandbox, incidentPath)).status).toBe(200);
    expect(sandbox.requests[0]).toMatchObject({ ended: "client left", status: null, applied: false });
    expect(sandbox.incident(incidentId).incidentUpdates).toHaveLength(2);
  });
});
