/** Refresh and removal of an unconfirmed update. */
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();

describe("a refresh", () => {
  it("finds an unconfirmed update, and sets its real id", async () => {
    const remembered = await service.leaveUnconfirmed();
    const id = service.putByHand();
    const refreshed = await service.refresh(remembered);
    expect(refreshed).toMatchObject({ id: `${incidentId}/${id}`, outs: { ...words, incidentUpdateId: id } });
    expect(refreshed.outs).not.toHaveProperty("unconfirmed");
    const process = await service.process();
    expect(await process.diff(refreshed.id, refreshed.outs, words)).toEqual({ changes: false, replaces: [] });
  });

  it("finds an update for one of two identical ones, and not for the other", async () => {
    const one = await service.leaveUnconfirmed();
    const { id, outs } = await service.leaveUnconfirmed();
    const shown = service.putByHand();
    const process = await service.process();
    expect(await process.read(one.id, one.outs)).toMatchObject({ id: `${incidentId}/${shown}` });
    expect(await process.read(id, outs)).toEqual({ id, props: outs });
  });

  it.each<[string, () => void]>([
    ["isn't found", () => undefined],
    ["can't be looked for", () => service.sandbox.faults.add({ kind: "status", code: 500 })],
    ["has lost its incident", () => service.sandbox.byHand.deleteIncident(incidentId)],
  ])("keeps an unconfirmed update that %s, so that the next up still fails", async (_, happens) => {
    const remembered = await service.leaveUnconfirmed();
    happens();
    expect(await service.refresh(remembered)).toEqual(remembered);
    expect(service.notices.join()).toContain(`IncidentUpdate ${remembered.id}: still unconfirmed.`);
    expect((await failureOf(service.nextUp(remembered))).id).toBe(remembered.id);
    expect(service.posts()).toHaveLength(1);
  });

  it("sets the real id also for a found update that was deleted later", async () => {
    const { id, outs } = await service.leaveUnconfirmed();
    const known = `${incidentId}/${service.putByHand()}`;
    const found = await service.nextUp({ id, outs });
    service.deleteUpdatesByHand();
    const refreshed = await service.refresh({ id, outs: found });
    expect(refreshed).toEqual({ id: known, outs: { ...found, missing: true } });
    expect(service.notices.at(-1)).toContain(`IncidentUpdate ${known}: not found on the service.`);
  });

  it("is rejected with another account, without a request", async () => {
    const { id, outs } = await service.leaveUnconfirmed();
    service.sandbox.clearRequests();
    const elsewhere = await service.process({
      "monitoring:accountId": "b27d94c0-58ae-4f13-8c6d-3e2f1a0b9c8d",
    });
    const { host } = new URL(service.sandbox.url);
    const refusal =
      `IncidentUpdate ${id}: account points to account b27d94c0-58ae-4f13-8c6d-3e2f1a0b9c8d on ${host}, ` +
      `but the update was posted to account ${service.sandbox.accountId} on ${host}. Nothing was changed. ` +
      "Restore the previous setting, or remove the resource from the state with `pulumi state delete` and declare it again.";
    expect((await failureOf(elsewhere.read(id, outs))).message).toBe(refusal);
    expect((await failureOf(elsewhere.diff(id, outs, words))).message).toBe(refusal);
    expect(service.sandbox.requests).toEqual([]);
  });
});

it("says that a removed unconfirmed update may be public", async () => {
  const { id, outs } = await service.leaveUnconfirmed();
  await (await service.process()).delete(id, outs);
  expect(service.notices.at(-1)).toBe(
    `IncidentUpdate ${id}: removed from the state. The update may be public: the API has no operation to delete it.`,
  );
});
