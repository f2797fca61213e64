/** Updates are read from the history of their incident, once for all of them. */
import { ServerError } from "../../../provider/client";
import { type Connection, Connections } from "../../../provider/connection/connections";
import { readUpdate } from "../../../provider/lifecycles/incidentUpdate/incidentReads";
import { wellKnown } from "../../../sandbox";
import { sandboxForEachTest } from "../phases";

const sandboxOf = sandboxForEachTest();
const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

const connect = (): Connection =>
  new Connections(() => undefined, {
    MONITORING_BASE_URL: sandboxOf().url,
    MONITORING_API_KEY: sandboxOf().apiKey,
    MONITORING_ACCOUNT_ID: sandboxOf().accountId,
    MONITORING_DEADLINE_MS: "5000",
  }).connect();

const asked = (): unknown[] => sandboxOf().requests.map(({ operation }) => operation);

it("reads all updates of an incident with one request", async () => {
  const connection = connect();
  const { incidentUpdates } = sandboxOf().incident(incidentId);
  expect(incidentUpdates.length).toBeGreaterThan(1);
  const read = await Promise.all(incidentUpdates.map(({ id }) => readUpdate(connection, incidentId, id)));
  expect(read.map((update) => update?.id)).toEqual(incidentUpdates.map(({ id }) => id));
  expect(asked()).toEqual(["getStatusPageIncident"]);
});

it("reads an update individually when the incident has no history, and reports it as missing after a 404", async () => {
  const connection = connect();
  const [update] = sandboxOf().incident(incidentId).incidentUpdates;
  const body = JSON.stringify({ id: incidentId, name: "Checkout" });
  const headers = ["content-type: application/json"];
  sandboxOf().faults.add({ kind: "answer", body, headers, operation: "getStatusPageIncident" });
  expect(await readUpdate(connection, incidentId, update?.id ?? "")).toMatchObject({ id: update?.id });
  expect(await readUpdate(connection, incidentId, "upd_gone")).toBeUndefined();
  expect(asked()).toEqual(["getStatusPageIncident", "getIncidentUpdate", "getIncidentUpdate"]);
});

it("reports an update as missing with its incident, without another request", async () => {
  expect(await readUpdate(connect(), "inc_gone", "upd_gone")).toBeUndefined();
  expect(asked()).toEqual(["getStatusPageIncident"]);
});

it("does not report an unreadable update as missing", async () => {
  sandboxOf().faults.add({ kind: "status", code: 500, operation: "getStatusPageIncident" });
  await expect(readUpdate(connect(), incidentId, "upd_gone")).rejects.toThrow(ServerError);
});
