/** The journal, and what `/_sandbox` shows and changes. */
import { type Sandbox, wellKnown } from "../../sandbox";
import { Journal } from "../../sandbox/journal";
import { ask, incidentPath, news, post, read, sandboxWith, updatesPath } from "./sandboxes";

const control = (sandbox: Sandbox, path: string, asked: Parameters<typeof ask>[2] = {}) =>
  ask(sandbox, `/_sandbox/${path}`, { apiKey: null, ...asked });

test("the journal has each request with a key of the sandbox, and how it ended", async () => {
  const apiKey = "mon_test_canary-3f9d-77aa";
  const sandbox = await sandboxWith({ apiKey });
  for (const wrong of ["mon_sandbox_wrong", "short", null])
    await ask(sandbox, incidentPath, { apiKey: wrong });
  const traced = { json: news, headers: { "x-trace": "abc" } };
  const response = await ask(sandbox, `${updatesPath}?x=1%202`, traced);
  await ask(sandbox, "/v1/status-pages", { account: wellKnown.accounts.labs });
  await ask(sandbox, incidentPath, { account: "nobody" });
  await ask(sandbox, updatesPath, { body: "{broken" });
  await ask(sandbox, "/v1/else%77here");
  const authorization = "Bearer ****77aa";
  const requests = [
    {
      requestId: response.headers.get("x-request-id"),
      method: "POST",
      path: updatesPath,
      query: { x: "1 2" },
      headers: { "content-type": "application/json", "x-trace": "abc", authorization },
      account: sandbox.accountId,
      operation: "createIncidentUpdate",
      body: news,
      ...{ status: 400, ended: "answered", applied: false, faults: [] },
    },
    { operation: "listStatusPages", account: wellKnown.accounts.labs, body: null, status: 200 },
    { account: null, status: 403 },
    { body: "{broken", status: 415 },
    { path: "/v1/else%77here", operation: null, status: 404 },
  ];
  expect(sandbox.requests).toMatchObject(requests);
  const shown = await (await control(sandbox, "requests")).text();
  expect(shown).toBe(JSON.stringify({ requests: sandbox.requests }));
  expect(shown).not.toContain("canary");
  expect((await control(sandbox, "requests", { method: "DELETE" })).status).toBe(204);
  expect(sandbox.requests).toEqual([]);
});

test("the journal has the latest 10,000 requests", () => {
  const journal = new Journal();
  for (let index = 0; index <= 10_002; index++)
    journal.begin("id", { headers: {} }, `/${index}`, new URLSearchParams());
  expect([journal.entries.length, journal.entries[0]?.path]).toEqual([10_000, "/3"]);
});

test("faults can be added, one or several, listed and removed; invalid ones are refused", async () => {
  const sandbox = await sandboxWith();
  const one = await control(sandbox, "faults", { json: { kind: "status", code: 503, times: 1 } });
  await control(sandbox, "faults", { json: [{ kind: "html" }, { kind: "hang" }] });
  const wrong = await control(sandbox, "faults", {
    json: [{ kind: "hang" }, { kind: "reset", probability: 2 }],
  });
  expect([one.status, wrong.status, (await read(sandbox)).status]).toEqual([201, 400, 503]);
  expect(await wrong.text()).toContain("[1].probability");
  const struck = { kind: "status", code: 503, times: 1, skip: 0, applied: false };
  const others = [{ fault: { kind: "html", code: 200 }, matched: 0, struck: 0 }, { fault: { kind: "hang" } }];
  expect(await (await control(sandbox, "faults")).json()).toMatchObject({
    faults: [{ fault: struck, matched: 1, struck: 1 }, ...others],
  });
  expect((await control(sandbox, "faults", { method: "DELETE" })).status).toBe(204);
  expect((await read(sandbox)).status).toBe(200);
});

test("the options can be read and changed, and the data can be read, without the keys", async () => {
  const sandbox = await sandboxWith({ numericIds: true });
  const changed = await control(sandbox, "options", { method: "PATCH", json: { ids: "honoured" } });
  const options = { ids: "honoured", deletedIds: "free", numericIds: true };
  expect([changed.status, await changed.json(), sandbox.options]).toEqual([200, options, options]);
  expect(await (await control(sandbox, "options")).json()).toEqual(options);

  await post(sandbox, { ...news, notifySubscribers: true });
  const text = await (await control(sandbox, "state")).text();
  const { accounts, mailed } = sandbox.data;
  expect(JSON.parse(text)).toEqual({ accounts, mailed });
  expect(text).not.toContain(sandbox.apiKey);
});
