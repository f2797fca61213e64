/** An update whose post received no response, and the states that can't be read. The codes: test/protocol, test/driver. */
import { create, inputsOf } from "./phases";
import { failureOf, incidentId, named, Service, words } from "./updateProcess";

const service = new Service();
const idOf = (id: string): string => `${incidentId}/${id}`;
const loseNextPost = (): void =>
  service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });

it("in the next up, is found, recorded as public, and has its own id after a refresh, also when it is deleted by then", async () => {
  const { id, outs: lost } = await service.leaveUnconfirmed();
  expect(lost).toMatchObject({ ...words, missing: false, unconfirmed: expect.anything() });
  const shown = service.putByHand();
  const { length } = service.sandbox.requests;
  expect(await service.refresh({ id, outs: lost })).toEqual({ id, outs: lost });
  expect(service.notices.at(-1)).toContain("still unconfirmed. `pulumi up` searches for it.");
  expect(service.sandbox.requests).toHaveLength(length);
  const outs = await service.nextUp({ id, outs: lost });
  expect(outs).toMatchObject({ ...words, incidentUpdateId: shown, missing: false });
  expect(outs).not.toHaveProperty("unconfirmed");
  expect(service.notices.at(-1)).toContain(
    `update ${shown} was published on incident ${incidentId} by a previous run`,
  );
  // The engine keeps the id until a refresh, which gives the update's own; then there is nothing left to do.
  const refreshed = await service.refresh({ id, outs });
  expect(refreshed.id).toBe(idOf(shown));
  const process = await service.process();
  expect(await process.diff(refreshed.id, refreshed.outs, named)).toEqual({ changes: false, replaces: [] });

  service.changeByHand(refreshed);
  const gone = { id: idOf(shown), outs: { ...outs, missing: true } };
  expect(await service.refresh({ id, outs })).toEqual(gone);
  expect(service.notices.at(-1)).toContain(`IncidentUpdate ${idOf(shown)}: not found on the service.`);
  expect(service.posts).toHaveLength(1);
});

it("whose state can't be read is neither posted nor searched for, and can be removed", async () => {
  const { id, outs } = await service.leaveUnconfirmed();
  const unconfirmed = { ...(outs["unconfirmed"] as object), ownIds: "first" };
  const damaged = { id, outs: { ...outs, unconfirmed } };
  service.sandbox.clearRequests();
  for (const work of [service.nextUp(damaged), service.refresh(damaged)]) {
    const { message } = await failureOf(work);
    expect(message).toContain(
      `IncidentUpdate ${id}: unconfirmed.ownIds can't be read from the state. Nothing was posted.`,
    );
    expect(message).toMatch(
      /install that version\. If the state was edited, restore it with `pulumi stack import`\. Otherwise .* `pulumi state delete`: the next `pulumi up` adopts its update, or posts it if the incident doesn't show it\.$/,
    );
  }
  const process = await service.process();
  await process.delete(id, damaged.outs);
  expect(service.notices.at(-1)).toContain("The update may be public");
  expect(service.sandbox.requests).toEqual([]);
});

describe("in the same run", () => {
  it("is still recorded, and not posted again, when the engine repeats the create (hook `onError`)", async () => {
    const process = await service.process();
    const inputs = await inputsOf(process, named);
    loseNextPost();
    const first = await failureOf(process.create(inputs));
    const { id, properties } = first;
    expect(await failureOf(process.create(inputs))).toMatchObject({ id, properties });
    const twin = await failureOf(create(process, { ...named, __resource: "twin" }));
    expect(twin.message).toContain("sent an identical update");
    expect(service.posts).toHaveLength(1);
  });

  it("is searched for first when the engine replaces it (replaceOnChanges)", async () => {
    const { id, outs } = await service.leaveUnconfirmed();
    const process = await service.process();
    const inputs = await inputsOf(process, { ...named, description: "It is over." });
    await process.diff(id, outs, inputs);
    expect(await failureOf(process.create(inputs))).toMatchObject({ id, properties: outs });
    expect(service.posts).toHaveLength(1);
  });
});
