import { wellKnown } from "../../sandbox";
import { Configuration } from "../../provider/dynamic/configuration";
import { incidentUpdate } from "../../provider/lifecycles/incidentUpdate/incidentUpdate";
import { statusPage } from "../../provider/lifecycles/observed/statusPage";
import { statusPageIncident } from "../../provider/lifecycles/observed/statusPageIncident";
import { create, noticesDuring, phase, sandboxForEachTest } from "./phases";

const sandboxOf = sandboxForEachTest();
const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

it("has the documented outputs, in camelCase at every depth", async () => {
  const provider = await phase(statusPageIncident, sandboxOf());
  const { outs } = await create(provider, { incidentId });
  const found = sandboxOf().incident(incidentId);
  const { name, severity, lastUpdateStatus } = found;
  expect(outs).toEqual({
    incidentId,
    name,
    severity,
    lastUpdateStatus,
    services: found.services.map(({ created_at, updated_at, ...service }) => ({
      ...service,
      createdAt: created_at,
      updatedAt: updated_at,
    })),
    incidentUpdates: found.incidentUpdates.map(({ created_at, ...update }) => ({
      ...update,
      createdAt: created_at,
    })),
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    missing: false,
    origin: expect.anything(),
  });
});

it("is read again, with its page, after the same run posted an update to it", async () => {
  const sandbox = sandboxOf();
  const configuration = new Configuration();
  const updates = await phase(incidentUpdate, sandbox, { configuration });
  const incidents = await phase(statusPageIncident, sandbox, { configuration });
  const pages = await phase(statusPage, sandbox, { configuration });
  const shown = sandbox.data.accounts[0].statusPageIncidents.find(({ id }) => id === incidentId);
  const statusPageId = shown?.statusPageIds[0];
  const bothShow = async (lastUpdateStatus: string) => {
    const { outs: incident } = await create(incidents, { incidentId });
    expect(incident).toMatchObject({ lastUpdateStatus });
    const { outs: page } = await create(pages, { statusPageId });
    const same: unknown = expect.objectContaining({ id: incidentId, lastUpdateStatus });
    expect(page["incidents"]).toContainEqual(same);
  };
  await bothShow("IDENTIFIED");
  await noticesDuring(() => create(updates, { incidentId, status: "RESOLVED", description: "It is over." }));
  await bothShow("RESOLVED");
});
