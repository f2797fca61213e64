import { Configuration } from "../../provider/dynamic/configuration";
import { incidentUpdate } from "../../provider/lifecycles/incidentUpdate/incidentUpdate";
import { statusPage } from "../../provider/lifecycles/observed/statusPage";
import { getStatusPageIncident } from "../../provider/lookups/getStatusPageIncident";
import { runLookup } from "../../provider/lookups/lookup";
import { wellKnown } from "../../sandbox";
import { create, noticesDuring, phase, sandboxForEachTest } from "./phases";

const sandboxOf = sandboxForEachTest();
const start = () => phase(statusPage, sandboxOf());
const pages = () => sandboxOf().data.accounts[0].statusPages;

function addPages(...ids: string[]): void {
  sandboxOf().byHand.change(({ accounts: [{ statusPages }] }) => {
    const [page] = statusPages;
    if (page) statusPages.unshift(...ids.map((id) => ({ ...page, id })));
  });
}

it("has every field of the service as an output, in camelCase at every depth", async () => {
  const [page] = pages();
  const { outs } = await create(await start(), { statusPageId: page?.id });
  const stamps = { createdAt: expect.any(String), updatedAt: expect.any(String) };
  expect(outs).toMatchObject({
    name: page?.name,
    url: page?.url,
    accountId: sandboxOf().accountId,
    themeColors: page?.themeColors,
    cards: page?.cards.map(({ id, name }) => ({ id, name, services: expect.any(Array), ...stamps })),
    ...stamps,
  });
  const shown = Object.keys({
    ...page,
    ...stamps,
    incidents: [],
    missing: false,
    origin: "",
    statusPageId: "",
  });
  const others = ["id", "created_at", "updated_at"];
  expect(Object.keys(outs).sort()).toEqual(shown.filter((field) => !others.includes(field)).sort());
  expect(JSON.stringify(outs)).not.toMatch(/created_at|updated_at/);
});

it("is found on any page of the list", async () => {
  addPages(...Array.from({ length: 150 }, (_, copy) => `copy-${copy}`));
  const last = pages().at(-1);
  const { outs } = await create(await start(), { statusPageId: last?.id });
  expect(outs).toMatchObject({ name: last?.name });
  expect(sandboxOf().requests).toHaveLength(2);
});

it("shares one read of the list with all status pages of a phase", async () => {
  const provider = await start();
  const first = pages().slice(0, 20);
  await Promise.all(first.map(({ id }) => create(provider, { statusPageId: id })));
  for (const { id } of pages().slice(20)) await create(provider, { statusPageId: id });
  expect(sandboxOf().requests).toHaveLength(1);
});

it("is searched again before it counts as missing, so that a new page is found", async () => {
  const provider = await start();
  await create(provider, { statusPageId: pages()[0]?.id });
  addPages("made-meanwhile");
  await create(provider, { statusPageId: "made-meanwhile" });
  expect(sandboxOf().requests).toHaveLength(2);
  const absent = ["no-such-page", "nor-this", "nor-that"].map((statusPageId) =>
    create(provider, { statusPageId }),
  );
  for (const { status } of await Promise.allSettled(absent)) expect(status).toBe("rejected");
  expect(sandboxOf().requests).toHaveLength(3);
});

it("is read again, and so is the incident, after the same run posted an update to it", async () => {
  const sandbox = sandboxOf();
  const configuration = new Configuration();
  const updates = await phase(incidentUpdate, sandbox, { configuration });
  const provider = await phase(statusPage, sandbox, { configuration });
  const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
  const shown = sandbox.data.accounts[0].statusPageIncidents.find(({ id }) => id === incidentId);
  const bothShow = async (lastUpdateStatus: string) => {
    expect(await runLookup(getStatusPageIncident, { incidentId }, configuration)).toMatchObject({
      lastUpdateStatus,
    });
    const { outs: page } = await create(provider, { statusPageId: shown?.statusPageIds[0] });
    const same: unknown = expect.objectContaining({ id: incidentId, lastUpdateStatus });
    expect(page["incidents"]).toContainEqual(same);
  };
  await bothShow("IDENTIFIED");
  await noticesDuring(() => create(updates, { incidentId, status: "RESOLVED", description: "It is over." }));
  await bothShow("RESOLVED");
});
