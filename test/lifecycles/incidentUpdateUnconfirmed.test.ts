/** An update whose post received no response, in the state and in the calls of the engine. The decisions: test/protocol. */
import { until } from "../client/services";
import { create, inputsOf } from "./phases";
import { failureOf, incidentId, named, Service, words } from "./updateProcess";

const service = new Service();
const elsewhere = "inc_card_declines";
const idOf = (id: string): string => `${incidentId}/${id}`;

describe("in the next up", () => {
  it("is found, recorded as public, and has its real id after a refresh, also when it is deleted by then", async () => {
    const { id, outs: lost } = await service.leaveUnconfirmed();
    expect(lost).toMatchObject({
      ...words,
      missing: false,
      unconfirmed: { ids: expect.any(Array) as unknown },
    });
    const shown = service.putByHand();
    const outs = await service.nextUp({ id, outs: lost });
    expect(outs).toMatchObject({ ...words, incidentUpdateId: shown, missing: false });
    expect(outs).not.toHaveProperty("unconfirmed");
    expect(service.notices.at(-1)).toContain(
      `update ${shown} was published on incident ${incidentId} by a previous run`,
    );
    // The engine keeps the id until a refresh, which gives the real one; then there is nothing left to do.
    const refreshed = await service.refresh({ id, outs });
    expect(refreshed.id).toBe(idOf(shown));
    const process = await service.process();
    expect(await process.diff(refreshed.id, refreshed.outs, named)).toEqual({ changes: false, replaces: [] });

    service.changeByHand(refreshed);
    expect(await service.refresh({ id, outs })).toEqual({
      id: idOf(shown),
      outs: { ...outs, missing: true },
    });
    expect(service.notices.at(-1)).toContain(`IncidentUpdate ${idOf(shown)}: not found on the service.`);
    expect(service.posts).toHaveLength(1);
  });

  it("keeps the state as it is while it isn't found, and isn't posted again", async () => {
    const remembered = await service.leaveUnconfirmed();
    for (const args of [
      {},
      { notifySubscribers: true },
      { description: "It is over.", onChange: "refuse" },
    ]) {
      const { message, id, properties } = await failureOf(service.nextUp(remembered, args));
      expect(message).toContain("a previous run sent this update and received no response.");
      expect({ id, outs: properties }).toEqual(remembered);
    }
    expect(service.posts).toHaveLength(1);
  });

  it("is posted again with consent, and recorded again when that receives no response either", async () => {
    const remembered = await service.leaveUnconfirmed();
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    const resend = { onUnconfirmed: "resend" };
    const again = await failureOf(service.nextUp(remembered, resend));
    expect(again.properties).toMatchObject({ unconfirmed: { consumed: true, attempt: 1 }, ...resend });
    expect(again.id).toBe(remembered.id);
    const lostTwice = { id: remembered.id, outs: again.properties ?? {} };
    const rearmed = await failureOf(service.nextUp(lostTwice));
    const outs = await service.nextUp({ ...lostTwice, outs: rearmed.properties ?? {} }, resend);
    expect(outs).toMatchObject({ incidentUpdateId: service.newestId });
    expect(service.posts).toHaveLength(3);
  });

  it("is posted again with consent in a program of which a transformation has removed the name of the resource", async () => {
    const { id, outs } = await service.leaveUnconfirmed();
    const process = await service.process();
    const inputs = await inputsOf(process, { ...words, onUnconfirmed: "resend" });
    await process.diff(id, outs, inputs);
    expect((await process.update(id, outs, inputs)).outs).toMatchObject({
      incidentUpdateId: service.newestId,
    });
  });

  it("is recorded by its id when it is found, and the declared one is rejected", async () => {
    const remembered = await service.leaveUnconfirmed();
    const first = service.putByHand();
    service.sandbox.faults.add({ kind: "status", code: 403, operation: "createIncidentUpdate", times: 1 });
    const { id, properties } = await failureOf(service.nextUp(remembered, { description: "It is over." }));
    expect({ id, properties }).toMatchObject({
      id: idOf(first),
      properties: { ...words, incidentUpdateId: first },
    });
    expect(properties).not.toHaveProperty("unconfirmed");
  });

  it("stays in the state, without a search, when the result of the update before it is unknown", async () => {
    const [one, two] = [await service.leaveUnconfirmed(), await service.leaveUnconfirmed()];
    const process = await service.process();
    const inputs = await inputsOf(process, named);
    const before = failureOf(process.update(one.id, one.outs, inputs));
    const after = await failureOf(process.update(two.id, two.outs, { ...inputs, __resource: "two" }));
    expect((await before).message).toContain("a previous run sent this update and received no response");
    expect(after.message).toContain("not posted, because the previous update of this incident failed");
    expect({ id: after.id, outs: after.properties }).toEqual(two);
  });

  it("isn't taken for the update of a resource about which the engine asks meanwhile", async () => {
    const remembered = await service.leaveUnconfirmed();
    const other = { ...named, __resource: "other", description: "Of the same status." };
    const { id, outs } = await service.declare(other);
    const process = await service.process();
    const inputs = await inputsOf(process, { ...named, onUnconfirmed: "resend" });
    service.sandbox.clearRequests();
    const resending = process.update(remembered.id, remembered.outs, inputs);
    await until(() => service.sandbox.requests.length > 0);
    await process.diff(id, outs, await inputsOf(process, other));
    expect((await resending).outs).toMatchObject({ incidentUpdateId: service.newestId });
  });

  it("is remembered when another incident is declared, where the next one is posted", async () => {
    const remembered = await service.leaveUnconfirmed();
    const shown = service.putByHand();
    const outs = await service.nextUp(remembered, { incidentId: elsewhere });
    expect(outs).toMatchObject({ incidentId: elsewhere, past: [{ id: shown, incident: incidentId }] });
  });

  it("on another incident is searched for in the first, and posted once to the second, in its turn", async () => {
    const remembered = await service.leaveUnconfirmed();
    service.putByHand();
    const process = await service.process();
    const there = { ...words, incidentId: elsewhere };
    service.sandbox.faults.add({ kind: "latency", ms: 300, operation: "createIncidentUpdate" });
    const results = await Promise.allSettled([
      process.update(remembered.id, remembered.outs, await inputsOf(process, there)),
      create(process, there),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(service.posts.map(({ path }) => path.split("/").at(-2))).toEqual([incidentId, elsewhere]);
  });
});

it("whose state can't be read is neither posted nor searched for, and can be removed", async () => {
  const { id, outs } = await service.leaveUnconfirmed();
  const damaged = {
    id,
    outs: { ...outs, unconfirmed: { ...(outs["unconfirmed"] as object), consumed: "yes" } },
  };
  service.sandbox.clearRequests();
  for (const work of [service.nextUp(damaged), service.refresh(damaged)]) {
    const { message } = await failureOf(work);
    expect(message).toContain(
      `IncidentUpdate ${id}: unconfirmed.consumed can't be read from the state. Nothing was posted.`,
    );
    expect(message).toContain("`pulumi state delete`");
  }
  const process = await service.process();
  await process.delete(id, damaged.outs);
  expect(service.notices.at(-1)).toContain("The update may be public");
  expect(service.sandbox.requests).toEqual([]);
});

it("that the full history didn't show is recorded, and posted once with a consent that comes later", async () => {
  service.fillHistory();
  const { id = "", properties: outs = {}, message } = await failureOf(service.declare());
  expect(message).toContain("shows the latest ");
  expect(outs).toMatchObject({ unconfirmed: { nothingSent: true } });
  await failureOf(service.nextUp({ id, outs }));
  expect(service.posts).toEqual([]);
  await service.nextUp({ id, outs }, { onUnconfirmed: "resend" });
  expect(service.posts).toHaveLength(1);
});

describe("in the same run", () => {
  it("is still recorded, and not posted again, when the engine repeats the create (hook `onError`)", async () => {
    const process = await service.process();
    const inputs = await inputsOf(process, named);
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    const first = await failureOf(process.create(inputs));
    expect(await failureOf(process.create(inputs))).toMatchObject({
      id: first.id,
      properties: first.properties,
    });
    const twin = await failureOf(process.create({ ...inputs, __resource: "twin" }));
    expect(twin.message).toContain("sent an identical update");
    expect(service.posts).toHaveLength(1);
  });

  it("is remembered for the last post, when an earlier one was found and the engine repeats the update", async () => {
    const { id, outs } = await service.leaveUnconfirmed();
    service.putByHand();
    const process = await service.process();
    const inputs = await inputsOf(process, { ...named, description: "It is over." });
    await process.diff(id, outs, inputs);
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    const first = await failureOf(process.update(id, outs, inputs));
    expect(first.properties).toMatchObject({ description: "It is over." });
    const second = await failureOf(process.update(id, outs, inputs));
    expect(second).toMatchObject({ id: first.id, properties: first.properties });
    expect(service.posts).toHaveLength(2);
  });

  it.each([{}, { description: "It is over." }])(
    "is searched for first when the engine replaces it (replaceOnChanges), also with %j",
    async (args) => {
      const { id, outs } = await service.leaveUnconfirmed();
      const process = await service.process();
      const inputs = await inputsOf(process, { ...named, ...args });
      await process.diff(id, outs, inputs);
      expect(await failureOf(process.create(inputs))).toMatchObject({ id, properties: outs });
      expect(service.posts).toHaveLength(1);
    },
  );
});

describe("a refresh", () => {
  it("finds the update for one of two identical ones, and sets its real id", async () => {
    const one = await service.leaveUnconfirmed();
    const again = await failureOf(service.declare());
    const other = { id: again.id ?? "", outs: again.properties ?? {} };
    const shown = service.putByHand();
    const process = await service.process();
    const { id, props = {} } = await process.read(one.id, one.outs);
    expect({ id, props }).toMatchObject({ id: idOf(shown), props: { ...words, incidentUpdateId: shown } });
    expect(props).not.toHaveProperty("unconfirmed");
    expect(await process.read(other.id, other.outs)).toEqual({ id: other.id, props: other.outs });
    // The engine may replace it in the same run.
    expect(await create(process, named)).toMatchObject({ id });
    const next = await service.process();
    expect(await next.diff(idOf(shown), props, named)).toEqual({ changes: false, replaces: [] });
  });

  it.each<[string, () => void, string]>([
    ["isn't found", () => undefined, "Not found in the incident so far."],
    ["can't be looked for", () => service.sandbox.faults.add({ kind: "status", code: 500 }), "Reading the "],
    [
      "has lost its incident",
      () => service.sandbox.byHand.deleteIncident(incidentId),
      "The incident was not",
    ],
  ])("keeps an update that %s, so that the next up still fails", async (_, happens, why) => {
    const remembered = await service.leaveUnconfirmed();
    happens();
    expect(await service.refresh(remembered)).toEqual(remembered);
    expect(service.notices.join()).toContain(`IncidentUpdate ${remembered.id}: still unconfirmed. ${why}`);
    expect((await failureOf(service.nextUp(remembered))).id).toBe(remembered.id);
    expect(service.posts).toHaveLength(1);
  });

  it("is rejected with another account, without a request", async () => {
    const { id, outs } = await service.leaveUnconfirmed();
    service.sandbox.clearRequests();
    const other = await service.process({ "monitoring:accountId": "another" });
    await expect(other.read(id, outs)).rejects.toThrow(
      /^IncidentUpdate \S+: account points to account another on/,
    );
    await expect(other.diff(id, outs, named)).rejects.toThrow("account points to account another on");
    expect(service.sandbox.requests).toEqual([]);
  });
});

it("that is removed may be public, and that is said", async () => {
  const { id, outs } = await service.leaveUnconfirmed();
  await (await service.process()).delete(id, outs);
  expect(service.notices.at(-1)).toBe(
    `IncidentUpdate ${id}: removed from the state. The update may be public: the API has no operation to delete it.`,
  );
});
