/** Tests the parts of the operations that test/contract doesn't cover: times, emails, visibility, and the IDs of new updates. */
import type { StatusPage } from "../../provider/api/objects";
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import {
  ask,
  created,
  incidentId,
  news,
  post,
  read,
  startTestSandbox,
  getUpdates,
  updatesPath,
} from "./sandboxes";

const id = "5b0c2c0e-8f0e-5a35-9d6e-7d3c1f2a4b60";
const { onCall } = wellKnown.alertChannels;
const sent = { ...news, id, notifySubscribers: true };

async function create(sandbox: Sandbox, changes: object = {}) {
  const response = await post(sandbox, { ...news, ...changes });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: string; created_at: string } & Record<string, unknown>;
}
const readStatus = async (sandbox: Sandbox) => (await ask(sandbox, `${updatesPath}/${id}`)).status;

test("an update has the current time and sets the status, and each post creates one, whatever ID and creation time are sent", async () => {
  const sandbox = await startTestSandbox();
  const before = Date.now();
  for (const posted of [1, 2]) {
    const older = getUpdates(sandbox);
    const update = await create(sandbox, { id, created_at: "2020-01-01T00:00:00.000Z" });
    expect(getUpdates(sandbox)).toEqual([{ ...update, id: expect.not.stringMatching(id) }, ...older]);
    expect(Date.parse(update.created_at)).toBeGreaterThanOrEqual(before);
    expect(update.publicIncidentUpdateDate).toBe(update.created_at);
    const incident = sandbox.incident(incidentId);
    expect(incident).toMatchObject({ lastUpdateStatus: "MONITORING", updated_at: update.created_at });
    const response = await read(sandbox);
    expect(await response.json()).toEqual(incident);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    expect(created(sandbox)).toBe(posted);
  }
  const publicIncidentUpdateDate = "2020-01-01T00:00:00.000Z";
  expect(await create(sandbox, { publicIncidentUpdateDate })).toMatchObject({ publicIncidentUpdateDate });
});

test("an update is emailed to all subscribers of the incident's pages, only if requested", async () => {
  const seed = seedData();
  const [{ statusPageIncidents, subscribers, statusPages }] = seed.accounts;
  const ids = statusPages.slice(0, 2).map((page) => page.id);
  Object.assign(statusPageIncidents[0] ?? {}, { statusPageIds: ids });
  Object.assign(subscribers, { [ids[0] ?? ""]: 1000, [ids[1] ?? ""]: 284 });
  const sandbox = await startTestSandbox({ seed });
  const before = sandbox.emailsSent();
  const silent = await create(sandbox, { notifySubscribers: undefined });
  expect([silent.notifySubscribers, sandbox.emailsSent()]).toEqual([false, before]);
  const loud = await create(sandbox, { notifySubscribers: true });
  expect([sandbox.emailsSent(silent.id), sandbox.emailsSent(loud.id)]).toEqual([0, 1284]);
  expect(sandbox.emailsSent()).toBe(before + 1284);
});

test("a PUT changes the sent fields of an alert channel, and nothing if a fault replaces the write's response", async () => {
  const sandbox = await startTestSandbox();
  const find = () => sandbox.data.accounts[0].alertChannels.find(({ id: each }) => each === onCall);
  const put = (json: object) => ask(sandbox, `/v1/alert-channels/${onCall}`, { method: "PUT", json });
  const [before, start] = [find(), Date.now()];
  const config = { serviceKey: "{{OTHER_KEY}}" };
  const response = await put({ sslExpiryThreshold: 14, config });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(find());
  const updated_at = find()?.updated_at ?? "";
  expect(find()).toEqual({ ...before, sslExpiryThreshold: 14, config, updated_at });
  expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(start);
  sandbox.faults.add({ kind: "status", code: 503 });
  expect((await put({ sslExpiryThreshold: 7 })).status).toBe(503);
  expect(find()?.sslExpiryThreshold).toBe(14);
  const { requests } = sandbox;
  const operation = "editAlertChannel";
  expect(requests).toMatchObject([
    { operation, applied: true },
    { operation, applied: false },
  ]);
});

test("listStatusPages shows each incident on all of its pages, in its current state", async () => {
  const sandbox = await startTestSandbox();
  await create(sandbox, { status: "RESOLVED" });
  const list = await (await ask(sandbox, "/v1/status-pages?limit=100")).json();
  const { entries } = list as { entries: (StatusPage & { incidents: { id: string }[] })[] };
  const listPages = (incident: string) =>
    entries.filter(({ incidents }) => incidents.some((each) => each.id === incident)).map(({ name }) => name);
  expect(listPages(incidentId)).toEqual(["Checkout Europe"]);
  expect(entries.flatMap(({ incidents }) => incidents)).toContainEqual(sandbox.incident(incidentId));
  const declines = listPages(wellKnown.statusPageIncidents.cardDeclines);
  expect(declines).toEqual(["Checkout North America", "Payments North America"]);
});

test.each([
  ["honored", 409],
  ["honored-idempotent", 200],
] as const)(
  "a second post of an ID with IDs %s has the response %i, without another update or email",
  async (ids, again) => {
    const sandbox = await startTestSandbox({
      ids,
      faults: [{ kind: "lateVisibility", ms: 600_000, times: 1 }],
    });
    const before = sandbox.emailsSent();
    const [first, second] = [await post(sandbox, sent), await post(sandbox, { ...sent, status: "RESOLVED" })];
    const update: unknown = await first.json();
    expect([first.status, update, second.status]).toEqual([201, expect.objectContaining({ id }), again]);
    if (again === 200) expect(await second.json()).toEqual(update);
    expect([getUpdates(sandbox)[0], created(sandbox)]).toEqual([update, 1]);
    // Reads don't return the update yet.
    expect(await readStatus(sandbox)).toBe(404);
    expect(await (await read(sandbox)).text()).not.toContain(id);
    expect(sandbox.emailsSent(id)).toBeGreaterThan(0);
    expect(sandbox.emailsSent()).toBe(before + sandbox.emailsSent(id));
    expect((await create(sandbox)).id).not.toBe(id);
    expect(sandbox.requests.map(({ applied }) => applied)).toEqual([true, false, false, false, true]);
  },
);

test("the ID of a deleted update can be used again, and its emails are still counted", async () => {
  const sandbox = await startTestSandbox({ ids: "honored" });
  await post(sandbox, sent);
  const mailed = sandbox.emailsSent(id);
  sandbox.dashboard.deleteUpdate(incidentId, id);
  expect(await readStatus(sandbox)).toBe(404);
  expect(sandbox.incident(incidentId).lastUpdateStatus).toBe("IDENTIFIED");
  expect([(await post(sandbox, sent)).status, created(sandbox)]).toEqual([201, 1]);
  expect(sandbox.emailsSent(id)).toBe(2 * mailed);
});

test("a post with an ID or a creation time is rejected if IDs are rejected, and a post without them isn't", async () => {
  const sandbox = await startTestSandbox({ ids: "rejected" });
  const rejected = await post(sandbox, { ...sent, created_at: "2026-01-31T09:30:00.000Z" });
  const validation = { source: "payload", keys: ["id", "created_at"] };
  expect(await rejected.json()).toMatchObject({ statusCode: 400, validation });
  expect([(await post(sandbox)).status, created(sandbox)]).toEqual([201, 1]);
});
