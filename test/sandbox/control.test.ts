import { type Sandbox } from "../../sandbox";
import { ask, news, post, read, sandboxWith } from "./sandboxes";

const control = (sandbox: Sandbox, path: string, asked: Parameters<typeof ask>[2] = {}) =>
  ask(sandbox, `/_sandbox/${path}`, { apiKey: null, ...asked });

test("the journal can be read and cleared", async () => {
  const sandbox = await sandboxWith();
  await post(sandbox);
  const response = await control(sandbox, "requests");
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(JSON.stringify({ requests: sandbox.requests }));
  expect((await control(sandbox, "requests", { method: "DELETE" })).status).toBe(204);
  expect(sandbox.requests).toEqual([]);
});

test("faults can be added, one or several, listed and removed", async () => {
  const sandbox = await sandboxWith();
  const one = await control(sandbox, "faults", { json: { kind: "status", code: 503, times: 1 } });
  expect(one.status).toBe(201);
  await control(sandbox, "faults", { json: [{ kind: "html" }, { kind: "hang" }] });
  expect((await read(sandbox)).status).toBe(503);
  expect(await (await control(sandbox, "faults")).json()).toMatchObject({
    faults: [
      { fault: { kind: "status", code: 503, times: 1, skip: 0, applied: false }, matched: 1, struck: 1 },
      { fault: { kind: "html", code: 200 }, matched: 0, struck: 0 },
      { fault: { kind: "hang" } },
    ],
  });
  expect((await control(sandbox, "faults", { method: "DELETE" })).status).toBe(204);
  expect((await read(sandbox)).status).toBe(200);
});

test("invalid faults are rejected, with what is wrong", async () => {
  const sandbox = await sandboxWith();
  const json = [{ kind: "hang" }, { kind: "reset", probability: 2 }];
  const response = await control(sandbox, "faults", { json });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: expect.stringContaining("[1].probability") });
  expect(sandbox.faults.list()).toEqual([]);
});

test("the options can be read and changed", async () => {
  const sandbox = await sandboxWith({ numericIds: true });
  const changed = await control(sandbox, "options", { method: "PATCH", json: { ids: "honoured" } });
  const options = { ids: "honoured", deletedIds: "free", numericIds: true };
  expect([changed.status, await changed.json()]).toEqual([200, options]);
  expect(await (await control(sandbox, "options")).json()).toEqual(options);
  expect(sandbox.options).toEqual(options);
});

test("the data can be read, without the keys", async () => {
  const sandbox = await sandboxWith();
  await post(sandbox, { ...news, notifySubscribers: true });
  const text = await (await control(sandbox, "state")).text();
  const { accounts, mailed } = sandbox.data;
  expect(JSON.parse(text)).toEqual({ accounts, mailed });
  expect(text).not.toContain(sandbox.apiKey);
});

test("an unknown path is 404 and lists the paths, a wrong method 405", async () => {
  const sandbox = await sandboxWith();
  const nothing = await control(sandbox, "nothing");
  expect(nothing.status).toBe(404);
  expect(await nothing.text()).toContain(
    "/_sandbox/requests, /_sandbox/faults, /_sandbox/options, /_sandbox/state",
  );
  const wrong = await control(sandbox, "state", { method: "DELETE" });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET"]);
});
