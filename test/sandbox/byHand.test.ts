import { SandboxError } from "../../sandbox";
import { ask, incidentId, latestId, news, post, sandboxWith, updatesPath } from "./sandboxes";

// What programs see of each change: test/lifecycles.
test("a deleted update isn't found, and its emails still count", async () => {
  const sandbox = await sandboxWith();
  await post(sandbox, { ...news, notifySubscribers: true });
  const id = latestId(sandbox);
  sandbox.byHand.deleteUpdate(incidentId, id);
  expect((await ask(sandbox, `${updatesPath}/${id}`)).status).toBe(404);
  expect(sandbox.incident(incidentId).lastUpdateStatus).toBe("IDENTIFIED");
  expect(sandbox.mailed(id)).toBeGreaterThan(0);
});

test("any valid change can be made", async () => {
  const sandbox = await sandboxWith();
  sandbox.byHand.change(({ accounts: [{ alertChannels }] }) => {
    for (const channel of alertChannels) channel.sendFailure = true;
  });
  const changed = sandbox.data;
  expect(changed.accounts[0].alertChannels.every(({ sendFailure }) => sendFailure)).toBe(true);

  const breaking = () =>
    sandbox.byHand.change(({ accounts: [{ statusPageIncidents, statusPages }] }) => {
      for (const incident of statusPageIncidents) incident.name = "x".repeat(256);
      statusPages.length = 0;
    });
  expect(breaking).toThrow(SandboxError);
  expect(breaking).toThrow(/accounts\[0\]\.statusPageIncidents\[0\]\.name: /);
  expect(sandbox.data).toBe(changed);
});

test("unknown ids are errors", async () => {
  const sandbox = await sandboxWith();
  const { byHand } = sandbox;
  expect(() => sandbox.incident("none")).toThrow('There is no status-page incident "none".');
  expect(() => byHand.deleteIncident("none")).toThrow('There is no status-page incident "none".');
  expect(() => byHand.deleteUpdate(incidentId, "none")).toThrow('There is no incident update "none".');
});
