import { createProviders } from "../../provider/dynamic/dynamicProvider";
import { wellKnown } from "../../sandbox";
import { create, noticesDuring, phase, sandboxForEachTest } from "./phases";

const sandboxOf = sandboxForEachTest();
const start = () => phase("StatusPage", sandboxOf());
const pages = () => sandboxOf().data.accounts[0].statusPages;

function addPages(...ids: string[]): void {
  sandboxOf().byHand.change(({ accounts: [{ statusPages }] }) => {
    const [page] = statusPages;
    if (page) statusPages.unshift(...ids.map((id) => ({ ...page, id })));
  });
}

it("has the documented outputs, in camelCase at every depth", async () => {
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
  const { id: _, created_at, updated_at, ...others } = { ...page };
  const ofPage = [...Object.keys(others), "incidents", "createdAt", "updatedAt"];
  expect(Object.keys(outs).sort()).toEqual([...ofPage, "missing", "origin", "statusPageId"].sort());
  expect(JSON.stringify(outs)).not.toMatch(/created_at|updated_at/);
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
  const providers = createProviders();
  const updates = await phase("IncidentUpdate", sandbox, { providers });
  const provider = await phase("StatusPage", sandbox, { providers });
  const { checkoutLatency: incidentId } = wellKnown.statusPageIncidents;
  const [statusPageId] =
    sandbox.data.accounts[0].statusPageIncidents.find((each) => each.id === incidentId)?.statusPageIds ?? [];
  const { incidentUpdates } = sandbox.incident(incidentId);
  const [{ id, description } = { id: "", description: "" }] = incidentUpdates;
  const updateId = `${incidentId}/${id}`;
  const { props: state } = await (await phase("IncidentUpdate", sandbox)).read(updateId, {});
  const bothShow = async (lastUpdateStatus: string, text: string) => {
    const { props } = await updates.read(updateId, state);
    expect(props?.["published"]).toMatchObject({ description: text });
    const { outs: page } = await create(provider, {
      statusPageId,
    });
    const incident: unknown = expect.objectContaining({ id: incidentId, lastUpdateStatus });
    expect(page["incidents"]).toContainEqual(incident);
  };
  await bothShow("IDENTIFIED", description);
  sandbox.byHand.editUpdate(incidentId, id, { description: "Edited." });
  await bothShow("IDENTIFIED", description);
  await noticesDuring(() => create(updates, { incidentId, status: "RESOLVED", description: "It is over." }));
  await bothShow("RESOLVED", "Edited.");
});
