/** Updates are read from the history of their incident, once for all of them. */
import { ServerError } from "../../provider/client";
import { type Connection, Connections } from "../../provider/connection";
import { readUpdate } from "../../provider/lifecycles/reading";
import { wellKnown } from "../../sandbox";
import { sandboxForEachTest } from "./phases";

const sandboxOf = sandboxForEachTest();
const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

const connect = (): Connection =>
  new Connections(() => undefined, {
    MONITORING_BASE_URL: sandboxOf().url,
    MONITORING_API_KEY: sandboxOf().apiKey,
    MONITORING_ACCOUNT_ID: sandboxOf().accountId,
    MONITORING_DEADLINE_MS: "1000",
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

it("asks for an update by itself when the history doesn't show it, and takes it for gone when it isn't there either", async () => {
  const connection = connect();
  const [update] = sandboxOf().incident(incidentId).incidentUpdates;
  const cut = JSON.stringify({ id: incidentId, name: "Checkout", incidentUpdates: [] });
  const headers = ["content-type: application/json"];
  sandboxOf().faults.add({ kind: "answer", body: cut, headers, operation: "getStatusPageIncident" });
  expect(await readUpdate(connection, incidentId, update?.id ?? "")).toMatchObject({ id: update?.id });
  expect(await readUpdate(connection, incidentId, "upd_gone")).toBeUndefined();
  expect(asked()).toEqual(["getStatusPageIncident", "getIncidentUpdate", "getIncidentUpdate"]);
});

it("takes an update for gone with its incident, and asks no more", async () => {
  expect(await readUpdate(connect(), "inc_gone", "upd_gone")).toBeUndefined();
  expect(asked()).toEqual(["getStatusPageIncident"]);
});

it("takes nothing for gone that can't be read", async () => {
  sandboxOf().faults.add({ kind: "status", code: 500, operation: "getStatusPageIncident" });
  await expect(readUpdate(connect(), incidentId, "upd_gone")).rejects.toThrow(ServerError);
});
