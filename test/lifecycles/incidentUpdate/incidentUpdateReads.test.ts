/** What the lifecycle of `IncidentUpdate` reads before it posts, and what it finds there; updates come from their incident's history. */
import { ServerError } from "../../../provider/client";
import { type Connection, Connections } from "../../../provider/connection/connections";
import { readUpdate } from "../../../provider/lifecycles/incidentUpdate";
import { wellKnown } from "../../../sandbox";
import { create, inputsOf } from "../phases";
import { incidentId, named, Service, words } from "../updateProcess";

const service = new Service();

it("an update that exists is adopted, also with other white space and ways to write a character, which are recorded later", async () => {
  const spelt = "  Caf\u00e9 tills  are\r\nslow. ";
  const existing = service.putByHand({ description: spelt });
  const { id, outs } = await service.declare({ description: "Cafe\u0301 tills are slow." });
  expect(id).toBe(`${incidentId}/${existing}`);
  expect(service.notices).toEqual([
    expect.stringContaining(`an identical update (${existing}) has existed in incident ${incidentId} since `),
  ]);
  const process = await service.process();
  const inputs = await inputsOf(process, { ...named, description: spelt });
  expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
  const { outs: recorded = {} } = await process.update(id, outs, inputs);
  expect(service.notices.at(-1)).toContain(
    "description differs only in white space, HTML entities or Unicode",
  );
  expect(await process.diff(id, recorded, inputs)).toEqual({ changes: false, replaces: [] });
  expect(service.posts).toEqual([]);
});

it("an update costs two requests when it is created, one for all of its incident on refresh, and none when nothing changed", async () => {
  const { checkoutLatency, cardDeclines } = wellKnown.statusPageIncidents;
  const incidents = [checkoutLatency, cardDeclines];
  const updates = incidents.flatMap((each) =>
    ["1", "2", "3"].map((hour) => ({
      ...words,
      __resource: each + hour,
      incidentId: each,
      description: hour,
    })),
  );
  const first = await service.process();
  const declared = await Promise.all(updates.map((args) => create(first, args)));
  expect(service.posts).toHaveLength(updates.length);
  expect(service.sandbox.requests).toHaveLength(2 * updates.length);
  service.sandbox.clearRequests();
  const second = await service.process();
  const read = await Promise.all(declared.map(({ id, outs }) => second.read(id, outs)));
  const asked = service.sandbox.requests.map(({ path }) => path.split("/").at(-1));
  expect(asked.sort()).toEqual(incidents.sort());
  service.sandbox.clearRequests();
  const third = await service.process();
  for (const [index, { id = "", props = {} }] of read.entries()) {
    const inputs = await inputsOf(third, updates[index] ?? {});
    expect(await third.diff(id, props, inputs)).toEqual({ changes: false, replaces: [] });
  }
  expect(service.sandbox.requests).toEqual([]);
});

const connect = (): Connection =>
  new Connections(undefined, {
    MONITORING_BASE_URL: service.sandbox.url,
    MONITORING_API_KEY: service.sandbox.apiKey,
  }).connect();

const asked = (): unknown[] => service.sandbox.requests.map(({ operation }) => operation);

it("reads all updates of an incident with one request", async () => {
  const connection = connect();
  const { incidentUpdates } = service.sandbox.incident(incidentId);
  expect(incidentUpdates.length).toBeGreaterThan(1);
  const read = await Promise.all(incidentUpdates.map(({ id }) => readUpdate(connection, incidentId, id)));
  expect(read.map((update) => update?.id)).toEqual(incidentUpdates.map(({ id }) => id));
  expect(asked()).toEqual(["getStatusPageIncident"]);
});

it("reads an update individually when the incident has no history, and reports it as missing after a 404", async () => {
  const connection = connect();
  const [update] = service.sandbox.incident(incidentId).incidentUpdates;
  const body = JSON.stringify({ id: incidentId, name: "Checkout" });
  const headers = ["content-type: application/json"];
  service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getStatusPageIncident" });
  expect(await readUpdate(connection, incidentId, update?.id ?? "")).toMatchObject({ id: update?.id });
  expect(await readUpdate(connection, incidentId, "upd_gone")).toBeUndefined();
  expect(asked()).toEqual(["getStatusPageIncident", "getIncidentUpdate", "getIncidentUpdate"]);
});

it("reports an update as missing with its incident, without another request", async () => {
  expect(await readUpdate(connect(), "inc_gone", "upd_gone")).toBeUndefined();
  expect(asked()).toEqual(["getStatusPageIncident"]);
});

it("does not report an unreadable update as missing", async () => {
  service.sandbox.faults.add({ kind: "status", code: 500, operation: "getStatusPageIncident" });
  await expect(readUpdate(connect(), incidentId, "upd_gone")).rejects.toThrow(ServerError);
});

it("says once that the service makes the provider wait", async () => {
  const headers = { "retry-after": "11" };
  service.sandbox.faults.add({ kind: "status", code: 429, headers, times: 2 });
  await service.declare();
  expect(service.notices).toEqual([
    "getStatusPageIncident: the service allows no more requests at the moment (HTTP 429), so this run waits 11 s.",
  ]);
});
