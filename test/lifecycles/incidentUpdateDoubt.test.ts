/** A post without a response, with a service that is slow, has a wrong clock, or lost the incident. */
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const elsewhere = "inc_card_declines";
const deleteIncident = (): void =>
  service.sandbox.byHand.change(({ accounts }) => {
    accounts[0].statusPageIncidents = accounts[0].statusPageIncidents.filter(({ id }) => id !== incidentId);
  });

describe("a service with slow reads", () => {
  const reads = { kind: "latency", ms: 1_700, operation: "getStatusPageIncident" } as const;

  it("is described by the successful lookups, not by the one that timed out", async () => {
    const remembered = await service.leaveUnconfirmed();
    service.sandbox.faults.add(reads);
    const { message } = await failureOf(service.nextUp(remembered));
    expect(message).toContain("Not found in the incident so far.");
    expect(message).not.toContain("could not be read");
  });

  it("does not prevent a resend", async () => {
    const remembered = await service.leaveUnconfirmed();
    service.sandbox.faults.add(reads);
    const outs = await service.nextUp(remembered, { onUnconfirmed: "resend" });
    expect(outs).toMatchObject({ incidentUpdateId: service.published()[0]?.id });
    expect(service.posts()).toHaveLength(2);
  });

  it("receives no post that would time out immediately", async () => {
    service.sandbox.faults.add({ ...reads, ms: 2_850 });
    const failed = await failureOf(service.declare({}, { "monitoring:deadlineMs": "3000" }));
    expect(failed).not.toHaveProperty("id");
    expect(failed.message).toBe(
      `IncidentUpdate on incident ${incidentId}: reading the incident, or waiting for other requests, left too little ` +
        "time to post the update. Nothing was posted. Run `pulumi up` again. If `deadlineMs` or `customTimeouts` is below 45 s, raise it.",
    );
    expect(service.posts()).toEqual([]);
  });

  it("delays all waiting updates by the time of one, and posts none of them", async () => {
    service.sandbox.faults.add({ kind: "hang" });
    const process = await service.process({ "monitoring:deadlineMs": "3000" });
    const began = performance.now();
    const turns = Array.from({ length: 8 }, (_, turn) => ({ ...words, description: `Turn ${turn}.` }));
    const results = await Promise.allSettled(turns.map((args) => process.create(args)));
    expect(results.map(({ status }) => status)).toEqual(turns.map(() => "rejected"));
    expect(performance.now() - began).toBeLessThanOrEqual(3_000);
    expect(service.posts()).toEqual([]);
  });
});

describe("after the incident was deleted", () => {
  it.each(["fail", "resend"])(
    "the error explains the next step, with onUnconfirmed %s",
    async (onUnconfirmed) => {
      const remembered = await service.leaveUnconfirmed();
      deleteIncident();
      const { message, id } = await failureOf(service.nextUp(remembered, { onUnconfirmed }));
      expect(id).toBe(remembered.id);
      expect(message).toContain("The incident was not found on the service. This run posted nothing.");
      expect(message).toContain(
        "If the incident exists in another account, point the stack back to that account. If it was deleted, the update is " +
          "no longer public: remove this resource from the state with `pulumi state delete`, then remove it from the " +
          "program or declare another incidentId, where the next `pulumi up` publishes it.",
      );
      expect(service.posts()).toHaveLength(1);
    },
  );

  it("a refresh says so and keeps the state", async () => {
    const remembered = await service.leaveUnconfirmed();
    deleteIncident();
    expect(await service.refresh(remembered)).toEqual(remembered);
    expect(service.notices.at(-1)).toContain("The incident was not found on the service.");
  });

  it('a declaration on another incident is published there with "resend"', async () => {
    const remembered = await service.leaveUnconfirmed();
    deleteIncident();
    const moved = { incidentId: elsewhere };
    expect((await failureOf(service.nextUp(remembered, moved))).id).toBe(remembered.id);
    const outs = await service.nextUp(remembered, { ...moved, onUnconfirmed: "resend" });
    expect(outs).toMatchObject({ incidentId: elsewhere, missing: false });
    expect(service.sandbox.incident(elsewhere).incidentUpdates[0]?.description).toBe(words.description);
  });
});

describe("an update that differs only in its public date", () => {
  const dated = { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" };

  it.each<[string, object]>([
    ["the date that it shows", { publicIncidentUpdateDate: "2026-01-31T09:30:05Z" }],
    ["none", { publicIncidentUpdateDate: undefined }],
  ])("is reported, and adopted when %s is declared", async (_, declared) => {
    const remembered = await service.leaveUnconfirmed(dated);
    const id = service.putByHand({ publicIncidentUpdateDate: "2026-01-31T09:30:05.000Z" });
    const { message } = await failureOf(service.nextUp(remembered, dated));
    expect(message).toContain(
      `the new update ${id} has the same status and a different public date (2026-01-31T09:30:05.000Z).`,
    );
    expect(message).toContain(
      "declare its publicIncidentUpdateDate or omit yours; `pulumi up` then adopts it",
    );
    expect(await service.nextUp(remembered, declared)).toMatchObject({ incidentUpdateId: id });
    expect(service.posts()).toHaveLength(1);
  });
});

it("never advises to post again without checking the public page", async () => {
  const remembered = await service.leaveUnconfirmed();
  service.putByHand({ description: "Of another resource." });
  const { message } = await failureOf(service.nextUp(remembered));
  expect(message).toContain(
    "only if this update is not there, remove this resource from the state with `pulumi state delete`",
  );
});
