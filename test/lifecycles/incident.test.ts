import { wellKnown } from "../../sandbox";
import { incident } from "../../provider/lifecycles/observed/incident";
import { create, inputsOf, mistakesIn, phase, sandboxForEachTest } from "./phases";

const sandboxOf = sandboxForEachTest();
const start = () => phase(incident, sandboxOf());
const { databaseUpgrade, warehouseMove } = wellKnown.incidents;
const storedIncident = (wanted: string) =>
  sandboxOf().data.accounts[0].incidents.find(({ id }) => id === wanted);

it("has the documented outputs, in camelCase at every depth, nulls among them", async () => {
  const found = storedIncident(warehouseMove);
  const { outs } = await create(await start(), { incidentId: warehouseMove });
  const first = found?.incidentUpdates.at(-1);
  expect(outs).toEqual({
    incidentId: warehouseMove,
    includeAllIncidentUpdates: false,
    name: found?.name,
    impact: found?.impact,
    dashboardId: found?.dashboardId,
    startedAt: null,
    stoppedAt: null,
    incidentUpdates: [
      {
        id: first?.id,
        status: first?.status,
        description: first?.description,
        incidentId: warehouseMove,
        createdAt: first?.created_at,
        updatedAt: first?.updated_at,
      },
    ],
    createdAt: found?.created_at,
    updatedAt: found?.updated_at,
    missing: false,
    origin: expect.anything(),
  });
});

it("reads all updates on request, as an update of the same resource", async () => {
  const all = storedIncident(databaseUpgrade)?.incidentUpdates.length ?? 0;
  expect(all).toBeGreaterThan(1);
  const provider = await start();
  const { id, outs } = await create(provider, { incidentId: databaseUpgrade });
  expect(outs["incidentUpdates"]).toHaveLength(1);

  const news = await inputsOf(provider, { incidentId: databaseUpgrade, includeAllIncidentUpdates: true });
  expect(await provider.diff(id, outs, news)).toEqual({ changes: true, replaces: [] });
  const { outs: updated = {} } = await provider.update(id, outs, news);
  expect(updated["incidentUpdates"]).toHaveLength(all);
  expect(await (await start()).read(id, updated)).toEqual({ id, props: updated });
});

it("rejects a value that is not a boolean", async () => {
  const mistakes = await mistakesIn(await start(), { incidentId: "id", includeAllIncidentUpdates: "yes" });
  expect(mistakes).toEqual({ includeAllIncidentUpdates: "must be true or false" });
});
