import { SandboxError } from "../../sandbox";
import { ask, incidentId, incidentPath, news, post, sandboxWith, updatesPath } from "./sandboxes";

const latest = (sandbox: Awaited<ReturnType<typeof sandboxWith>>) => {
  const [update] = sandbox.incident(incidentId).incidentUpdates;
  if (update === undefined) throw new Error("no update");
  return update;
};

test("an edited update is returned with the changes", async () => {
  const sandbox = await sandboxWith();
  const { id } = latest(sandbox);
  sandbox.byHand.editUpdate(incidentId, id, { description: "Reworded." });
  expect(await (await ask(sandbox, `${updatesPath}/${id}`)).json()).toMatchObject({
    id,
    description: "Reworded.",
  });
});

test("a deleted update isn't found, and its emails still count", async () => {
  const sandbox = await sandboxWith();
  await post(sandbox, { ...news, notifySubscribers: true });
  const { id } = latest(sandbox);
  sandbox.byHand.deleteUpdate(incidentId, id);
  expect((await ask(sandbox, `${updatesPath}/${id}`)).status).toBe(404);
  expect(sandbox.incident(incidentId).lastUpdateStatus).toBe("IDENTIFIED");
  expect(sandbox.mailed(id)).toBeGreaterThan(0);
});

test("an incident without updates has the first status", async () => {
  const sandbox = await sandboxWith();
  sandbox.byHand.editIncident(incidentId, { incidentUpdates: [] });
  expect(await (await ask(sandbox, incidentPath)).json()).toMatchObject({
    incidentUpdates: [],
    lastUpdateStatus: "INVESTIGATING",
  });
});

test("an edited incident is returned with the changes, a deleted one isn't found", async () => {
  const sandbox = await sandboxWith();
  sandbox.byHand.editIncident(incidentId, { severity: "CRITICAL" });
  expect(await (await ask(sandbox, incidentPath)).json()).toMatchObject({ severity: "CRITICAL" });
  sandbox.byHand.deleteIncident(incidentId);
  expect((await ask(sandbox, incidentPath)).status).toBe(404);
  expect((await post(sandbox)).status).toBe(404);
});

test("any valid change can be made", async () => {
  const sandbox = await sandboxWith();
  sandbox.byHand.change(({ accounts: [{ alertChannels }] }) => {
    for (const channel of alertChannels) channel.sendFailure = true;
  });
  expect(sandbox.data.accounts[0].alertChannels.every(({ sendFailure }) => sendFailure)).toBe(true);

  const before = sandbox.data;
  const breaking = () =>
    sandbox.byHand.change(({ accounts: [{ statusPageIncidents, statusPages }] }) => {
      for (const incident of statusPageIncidents) incident.name = "x".repeat(256);
      statusPages.length = 0;
    });
  expect(breaking).toThrow(SandboxError);
  expect(breaking).toThrow(/accounts\[0\]\.statusPageIncidents\[0\]\.name: /);
  expect(sandbox.data).toBe(before);
});

test("unknown ids are errors", async () => {
  const sandbox = await sandboxWith();
  const { byHand } = sandbox;
  expect(() => sandbox.incident("none")).toThrow('There is no status-page incident "none".');
  expect(() => byHand.deleteIncident("none")).toThrow('There is no status-page incident "none".');
  expect(() => byHand.deleteUpdate(incidentId, "none")).toThrow('There is no incident update "none".');
});
