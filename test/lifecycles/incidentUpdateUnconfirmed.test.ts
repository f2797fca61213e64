/** A post without a response: it is searched for, recorded, resolved, and never repeated automatically. */
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const idOf = (id: string | undefined): string => `${incidentId}/${id}`;

describe("during the search", () => {
  it("finds an update that the service shows late", async () => {
    service.sandbox.faults.add({ kind: "reset", applied: true, operation: "createIncidentUpdate" });
    service.sandbox.faults.add({ kind: "lateVisibility", reads: 2 });
    const { id } = await service.declare();
    expect(id).toBe(idOf(service.published()[0]?.id));
    expect(service.posts()).toHaveLength(1);
  });

  it("records the update when reading the history fails, and says so", async () => {
    service.sandbox.faults.add({ kind: "reset", applied: true, operation: "createIncidentUpdate" });
    service.sandbox.faults.add({ kind: "status", code: 403, skip: 1, operation: "getStatusPageIncident" });
    const failed = await failureOf(service.declare());
    expect(failed.message).toContain("Reading the incident to search for it failed: getStatusPageIncident");
    expect(failed.id).toContain("/unconfirmed-");
    service.sandbox.faults.clear();
    expect(await service.nextUp({ id: failed.id ?? "", outs: failed.properties ?? {} })).toMatchObject({
      incidentUpdateId: service.published()[0]?.id,
    });
    expect(service.posts()).toHaveLength(1);
  });

  it("does not match an older identical update", async () => {
    service.putByHand({ description: "Other words." });
    const old = service.putByHand({ description: "Not these words." });
    const remembered = await service.leaveUnconfirmed();
    service.sandbox.byHand.editUpdate(incidentId, old, { description: words.description });
    expect((await failureOf(service.nextUp(remembered))).message).toContain(
      "Not found in the incident so far.",
    );
  });

  it("names a new update with the same status and different content, and quotes neither", async () => {
    const remembered = await service.leaveUnconfirmed();
    const id = service.putByHand({ description: "Capacity, as the service rewrote it." });
    const { message } = await failureOf(service.nextUp(remembered));
    expect(message).toContain(
      `Not found in the incident, but the new update ${id} has the same status and a different description. This run posted nothing. ` +
        "If that is this update, changed by the service, declare its description; `pulumi up` then adopts it and posts nothing.",
    );
    expect(message).not.toContain("Capacity");
  });

  it("fails the waiting updates, so that none is posted out of order", async () => {
    const process = await service.process();
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    const [lost, other] = await Promise.allSettled([
      process.create(words),
      process.create({ ...words, description: "Other words." }),
    ]);
    expect(lost.status).toBe("rejected");
    expect(other).toMatchObject({
      reason: {
        message:
          "IncidentUpdate on incident inc_checkout_latency: not posted, because the previous update of this incident " +
          "failed or its result is unknown. Run `pulumi up` again.",
      },
    });
    expect(service.posts()).toHaveLength(1);
    await process.create({ ...words, description: "Other words." });
    expect(service.posts()).toHaveLength(2);
  });
});

describe("the next up", () => {
  it("finds the update, says so, and posts nothing", async () => {
    const remembered = await service.leaveUnconfirmed();
    const id = service.putByHand();
    const outs = await service.nextUp(remembered);
    expect(outs).toMatchObject({ incidentUpdateId: id, missing: false });
    expect(outs).not.toHaveProperty("unconfirmed");
    expect(service.notices.at(-1)).toBe(
      `IncidentUpdate: update ${id} was published on incident ${incidentId} by a previous run, whose response was lost. It was not posted again.`,
    );
    expect(service.posts()).toHaveLength(1);
    // The engine keeps the id until a refresh, which gives the real one; then there is nothing left to do.
    const refreshed = await service.refresh({ id: remembered.id, outs });
    expect(refreshed.id).toBe(idOf(id));
    const process = await service.process();
    expect(await process.diff(refreshed.id, refreshed.outs, words)).toEqual({ changes: false, replaces: [] });
  });

  it("selects the oldest of several matches, and says so", async () => {
    const remembered = await service.leaveUnconfirmed();
    const ids = [1, 2].map(() => service.putByHand());
    expect(await service.nextUp(remembered)).toMatchObject({ incidentUpdateId: ids[0] });
    expect(service.notices.join("\n")).toContain(
      `2 new updates of incident ${incidentId} match; the oldest, ${ids[0]}, is assumed to be the one that was posted.`,
    );
  });

  it("fails and keeps the state while the update isn't found", async () => {
    const remembered = await service.leaveUnconfirmed();
    for (const args of [{}, { onUnconfirmed: "fail" }, { onChange: "refuse" }, { notifySubscribers: true }]) {
      const { message, id, properties } = await failureOf(service.nextUp(remembered, args));
      expect(message).toContain("a previous run sent this update and received no response.");
      expect(message).toContain(
        'When you are sure that it was not published, set onUnconfirmed to "resend"; or run `pulumi up` again later.',
      );
      expect({ id, outs: properties }).toEqual(remembered);
    }
    expect(service.posts()).toHaveLength(1);
  });

  it(`fails when the history can't be read, also with "resend"`, async () => {
    const remembered = await service.leaveUnconfirmed();
    service.sandbox.faults.add({ kind: "status", code: 500, operation: "getStatusPageIncident" });
    const { message, id } = await failureOf(service.nextUp(remembered, { onUnconfirmed: "resend" }));
    expect(message).toContain(
      "This run posted nothing. Run `pulumi up` again when the incident can be read.",
    );
    expect(id).toBe(remembered.id);
    expect(service.posts()).toHaveLength(1);
  });

  it(`posts the update again with "resend" when it isn't found, and says so`, async () => {
    const remembered = await service.leaveUnconfirmed();
    const outs = await service.nextUp(remembered, { onUnconfirmed: "resend" });
    expect(outs).toMatchObject({ incidentUpdateId: service.published()[0]?.id, onUnconfirmed: "resend" });
    expect(outs).not.toHaveProperty("unconfirmed");
    expect(service.posts()).toHaveLength(2);
    expect(service.notices.at(-1)).toBe(
      `IncidentUpdate: the update that a previous run sent to incident ${incidentId} was not found, and onUnconfirmed is "resend", so the declared update is published now.`,
    );
  });

  it("does not resend while a new update with the same status and different content exists", async () => {
    const remembered = await service.leaveUnconfirmed();
    service.putByHand({ description: "Rewritten." });
    const { id, message } = await failureOf(service.nextUp(remembered, { onUnconfirmed: "resend" }));
    expect(id).toBe(remembered.id);
    expect(message).toMatch(
      /only if this update is not there, remove this resource from the state with `pulumi state delete`; the next `pulumi up` then publishes it\.$/,
    );
    expect(service.posts()).toHaveLength(1);
  });

  it("does not propose an update that another resource of the stack owns", async () => {
    const remembered = await service.leaveUnconfirmed();
    const other = { ...words, description: "Of the same status." };
    const sibling = await service.declare(other);
    const process = await service.process();
    const resending = process.update(remembered.id, remembered.outs, { ...words, onUnconfirmed: "resend" });
    // The engine asks about the others of a stack meanwhile, in any order.
    await process.diff(sibling.id, sibling.outs, { ...other, notifySubscribers: false });
    expect((await resending).outs).toMatchObject({ incidentUpdateId: service.published()[0]?.id });
    expect(service.published().map(({ description }) => description)).toEqual([
      words.description,
      other.description,
    ]);
  });

  it("repeats the search, because the service may show the update late", async () => {
    const remembered = await service.leaveUnconfirmed();
    const body = JSON.stringify(service.sandbox.incident(incidentId));
    const headers = ["content-type: application/json"];
    const id = service.putByHand();
    service.sandbox.faults.add({
      kind: "answer",
      body,
      headers,
      operation: "getStatusPageIncident",
      times: 1,
    });
    expect(await service.nextUp(remembered, { onUnconfirmed: "resend" })).toMatchObject({
      incidentUpdateId: id,
    });
    expect(service.posts()).toHaveLength(1);
  });

  it("records a resent update without a response again", async () => {
    const remembered = await service.leaveUnconfirmed();
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    const again = await failureOf(service.nextUp(remembered, { onUnconfirmed: "resend" }));
    expect(again.properties).toMatchObject({ unconfirmed: {}, onUnconfirmed: "resend" });
    expect(service.posts()).toHaveLength(2);
    const id = service.putByHand();
    expect(await service.nextUp({ id: remembered.id, outs: again.properties ?? {} })).toMatchObject({
      incidentUpdateId: id,
    });
    expect(service.posts()).toHaveLength(2);
  });
});

describe("a changed declaration", () => {
  const other = { status: "RESOLVED", description: "All is well." };

  it("is posted when the first update is found", async () => {
    const remembered = await service.leaveUnconfirmed();
    const first = service.putByHand();
    const outs = await service.nextUp(remembered, other);
    const [latest, before] = service.published();
    expect(outs).toMatchObject({ ...other, incidentUpdateId: latest?.id });
    expect(before?.id).toBe(first);
    expect(service.notices.join()).toContain(
      `update ${first} was published on incident ${incidentId} by a previous run, whose response was lost`,
    );
  });

  it("is not posted when the first update isn't found", async () => {
    const remembered = await service.leaveUnconfirmed();
    const failed = await failureOf(service.nextUp(remembered, other));
    expect({ id: failed.id, outs: failed.properties }).toEqual(remembered);
    expect(service.posts()).toHaveLength(1);
  });

  it(`is posted alone with "resend" when the first update isn't found`, async () => {
    const remembered = await service.leaveUnconfirmed();
    await service.nextUp(remembered, { ...other, onUnconfirmed: "resend" });
    expect(service.published().map(({ description }) => description)).toEqual([other.description]);
    expect(service.posts()).toHaveLength(2);
    expect(service.notices.at(-1)).toContain('was not found, and onUnconfirmed is "resend"');
  });

  it(`is refused with onChange "refuse" when the first update is found, which is recorded`, async () => {
    const remembered = await service.leaveUnconfirmed();
    const first = service.putByHand();
    const { message, properties } = await failureOf(
      service.nextUp(remembered, { ...other, onChange: "refuse" }),
    );
    expect(message).toContain("description must not change: the update is public");
    expect(properties).toMatchObject({ ...words, incidentUpdateId: first });
    expect(service.posts()).toHaveLength(1);
  });

  it("is rejected by the service, and the first update stays in the state", async () => {
    const remembered = await service.leaveUnconfirmed();
    const first = service.putByHand();
    service.sandbox.faults.add({ kind: "status", code: 403, operation: "createIncidentUpdate", times: 1 });
    const { id, properties } = await failureOf(service.nextUp(remembered, other));
    expect(properties).toMatchObject({ ...words, incidentUpdateId: first });
    expect(properties).not.toHaveProperty("unconfirmed");
    expect(id).toBe(idOf(first));
  });

  it("on another incident is searched in the first incident, and posted to the second", async () => {
    const remembered = await service.leaveUnconfirmed();
    service.putByHand();
    const outs = await service.nextUp(remembered, { incidentId: "inc_card_declines" });
    expect(outs).toMatchObject({ incidentId: "inc_card_declines", description: words.description });
    expect(service.posts().map(({ path }) => path.split("/").at(-2))).toEqual([
      incidentId,
      "inc_card_declines",
    ]);
  });
});
