/** Web pages in a browser on this machine know the well-known key. The sandbox rejects them on every path. */
import { ask, created, incidentPath, news, respondedTo, sandboxWith, updatesPath } from "./sandboxes";

const foreign: [string, Record<string, string>][] = [
  ["a page of another site", { origin: "https://elsewhere.example" }],
  ["a page of another port of this machine", { origin: "http://127.0.0.1:1" }],
  ["a page without origin, such as a file", { origin: "null" }],
  ["an image or form of another site", { "sec-fetch-site": "cross-site" }],
  ["another port of this machine, as an image or form", { "sec-fetch-site": "same-site" }],
];

test.each(foreign)("%s can't control it, and can't read or post with the key", async (_, headers) => {
  const sandbox = await sandboxWith({ faults: [{ kind: "hang" }] });
  const control = await ask(sandbox, "/_sandbox/faults", { method: "DELETE", headers });
  const post = await ask(sandbox, updatesPath, { json: news, headers });
  const read = await ask(sandbox, incidentPath, { headers });
  expect([control.status, post.status, read.status]).toEqual([403, 403, 403]);
  expect([sandbox.faults.list().length, created(sandbox), sandbox.requests]).toEqual([1, 0, []]);
});

test("the sandbox's own page is accepted", async () => {
  const sandbox = await sandboxWith();
  const headers = { origin: sandbox.url, "sec-fetch-site": "same-origin" };
  expect((await ask(sandbox, "/_sandbox/faults", { headers })).status).toBe(200);
  expect((await ask(sandbox, updatesPath, { json: news, headers })).status).toBe(201);
});

test("other pages may link to the status page", async () => {
  const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  expect((await ask(await sandboxWith(), "/", { headers })).status).toBe(200);
});

describe.each(["elsewhere.example", "127.0.0.1.elsewhere.example", "localhost:4010.elsewhere.example", ""])(
  "a page whose host name %j leads to this machine",
  (host) => {
    test.each(["/", "/_sandbox/state", incidentPath])("can't read %s", async (path) => {
      const sandbox = await sandboxWith();
      const head = `Host: ${host}\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nConnection: close`;
      const response = await respondedTo(sandbox, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
      expect(response).toMatch(/^HTTP\/1.1 403/);
      expect(response).toContain("accepts only the hosts 127.0.0.1 and localhost");
      expect(sandbox.requests).toEqual([]);
    });
  },
);
