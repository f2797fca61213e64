/** What the sandbox does with the id in the body of `createIncidentUpdate`. */
import { z } from "zod";
import { type Sandbox } from "../../sandbox";
import {
  ask,
  created,
  incidentPath,
  news,
  post,
  read,
  sandboxWith,
  updatesOf,
  updatesPath,
} from "./sandboxes";

const id = "5b0c2c0e-8f0e-5a35-9d6e-7d3c1f2a4b60";
const sent = { ...news, id, notifySubscribers: true };
const returned = z.looseObject({ id: z.union([z.string(), z.number()]) });

const postedId = async (sandbox: Sandbox, json: object = sent) =>
  returned.parse(await (await post(sandbox, json)).json()).id;
const statusOf = async (sandbox: Sandbox, updateId = id) =>
  (await ask(sandbox, `${updatesPath}/${updateId}`)).status;

test("an id is ignored by default: each post is another update", async () => {
  const sandbox = await sandboxWith();
  const ids = [await postedId(sandbox), await postedId(sandbox)];
  expect(new Set([...ids, id]).size).toBe(3);
  expect(created(sandbox)).toBe(2);
});

describe.each([
  ["honoured", 409],
  ["honoured-500", 500],
  ["honoured-idempotent", 200],
] as const)("%s", (ids, again) => {
  test("an update gets the id that was sent, and a second post of it is no second update, and mails nobody", async () => {
    const sandbox = await sandboxWith({ ids });
    const before = sandbox.mailed();
    const [first, second] = [await post(sandbox, sent), await post(sandbox, { ...sent, status: "RESOLVED" })];
    const update: unknown = await first.json();
    expect([first.status, update]).toEqual([201, expect.objectContaining({ id })]);
    expect(second.status).toBe(again);
    if (again === 200) expect(await second.json()).toEqual(update);
    expect(updatesOf(sandbox)[0]).toEqual(update);
    expect(created(sandbox)).toBe(1);
    expect(sandbox.mailed()).toBe(before + sandbox.mailed(id));
    expect(sandbox.mailed(id)).toBeGreaterThan(0);
    expect(sandbox.requests.map(({ applied }) => applied)).toEqual([true, false]);
  });

  test("an update that reads don't return yet has its id already", async () => {
    const sandbox = await sandboxWith({ ids, faults: [{ kind: "lateVisibility", ms: 600_000, times: 1 }] });
    await post(sandbox, sent);
    expect(await statusOf(sandbox)).toBe(404);
    expect(await (await read(sandbox)).text()).not.toContain(id);
    expect((await post(sandbox, sent)).status).toBe(again);
    expect(created(sandbox)).toBe(1);
  });

  test("the id of a deleted update is free, and its emails still count", async () => {
    const sandbox = await sandboxWith({ ids });
    await post(sandbox, sent);
    const mailed = sandbox.mailed(id);
    sandbox.byHand.deleteUpdate("inc_checkout_latency", id);
    expect((await post(sandbox, sent)).status).toBe(201);
    expect(sandbox.mailed(id)).toBe(2 * mailed);
  });

  test("the id of a deleted update stays taken where the service keeps it", async () => {
    const sandbox = await sandboxWith({ ids, deletedIds: "taken" });
    await post(sandbox, sent);
    sandbox.byHand.deleteUpdate("inc_checkout_latency", id);
    expect((await post(sandbox, sent)).status).toBe(again === 200 ? 409 : again);
    expect([await statusOf(sandbox), created(sandbox)]).toEqual([404, 0]);
  });

  test("a post without an id gets one", async () => {
    const sandbox = await sandboxWith({ ids });
    expect([await postedId(sandbox, news), await postedId(sandbox, news)]).not.toContain(id);
    expect(created(sandbox)).toBe(2);
  });
});

test("a post with an id or a time of creation is rejected, if so configured, and one without isn't", async () => {
  const sandbox = await sandboxWith();
  sandbox.configure({ ids: "rejected" });
  const rejected = await post(sandbox, { ...sent, created_at: "2026-01-31T09:30:00.000Z" });
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toMatchObject({
    message: "id: is assigned by the service; created_at: is assigned by the service",
    validation: { source: "payload", keys: ["id", "created_at"] },
  });
  expect([(await post(sandbox)).status, created(sandbox)]).toEqual([201, 1]);
});

test("numeric ids are JSON numbers in every response", async () => {
  const sandbox = await sandboxWith({ numericIds: true });
  const update = returned.parse(await (await post(sandbox)).json());
  expect(update.id).toEqual(expect.any(Number));
  expect(await (await ask(sandbox, `${updatesPath}/${update.id}`)).json()).toEqual(update);
  expect(await (await read(sandbox)).json()).toMatchObject({ incidentUpdates: [update, {}, {}] });
  const pages = await (await ask(sandbox, "/v1/status-pages?limit=100")).text();
  expect(pages).toContain(`"incidentUpdates":[{"id":${update.id},`);
});

describe("histories", () => {
  const history = async (sandbox: Sandbox) =>
    z
      .object({ incidentUpdates: z.array(returned), lastUpdateStatus: z.string() })
      .parse(await (await ask(sandbox, incidentPath)).json());

  test("have only the latest updates", async () => {
    const sandbox = await sandboxWith({ faults: [{ kind: "cutHistory", latest: 2 }] });
    const oldest = updatesOf(sandbox).at(-1)?.id;
    await post(sandbox);
    const { incidentUpdates, lastUpdateStatus } = await history(sandbox);
    expect(incidentUpdates.map((update) => update.id)).toEqual(
      updatesOf(sandbox)
        .slice(0, 2)
        .map((update) => update.id),
    );
    expect(lastUpdateStatus).toBe("MONITORING");
    expect(await statusOf(sandbox, oldest)).toBe(200);
  });

  test("have an update twice, which counts twice in a history that is cut", async () => {
    const sandbox = await sandboxWith({ faults: [{ kind: "repeatedUpdate" }] });
    const [newest, oldest] = updatesOf(sandbox).map((update) => update.id);
    const listed = async () => (await history(sandbox)).incidentUpdates.map((update) => update.id);
    expect(await listed()).toEqual([newest, newest, oldest]);
    sandbox.faults.add({ kind: "cutHistory", latest: 2 });
    expect(await listed()).toEqual([newest, newest]);
  });
});
