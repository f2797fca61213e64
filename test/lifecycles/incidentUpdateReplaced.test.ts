/**
 * The engine can call `create` for a resource that exists: again after a failure (hook `onError`), or to replace it although
 * `diff` found nothing to replace.
 */
import { inputsOf } from "./phases";
import { failureOf, incidentId, named as declared, Service } from "./updateProcess";

const service = new Service();
const updateIdOf = (id: string | undefined): string | undefined => id?.split("/")[1];

const loseThePost = (applied: boolean): void =>
  service.sandbox.faults.add({ kind: "reset", applied, operation: "createIncidentUpdate", times: 1 });

describe("a create that is repeated in the same run, after a post without a response", () => {
  async function lost(applied: boolean) {
    loseThePost(applied);
    if (applied) service.sandbox.faults.add({ kind: "lateVisibility", ms: 135_000 });
    const process = await service.process();
    const inputs = await inputsOf(process, declared);
    const first = await failureOf(process.create(inputs));
    return { process, inputs, first };
  }

  it("posts nothing, and is still recorded", async () => {
    const { process, inputs, first } = await lost(true);
    const second = await failureOf(process.create(inputs));
    expect(second).toMatchObject({ id: first.id, properties: first.properties });
    expect(second.message).toContain("a previous run sent this update and received no response.");
    expect(service.posts()).toHaveLength(1);
  });

  it("finds it, when the service shows it by then", async () => {
    const { process, inputs } = await lost(false);
    const shown = service.putByHand();
    const { id, outs } = await process.create(inputs);
    expect(updateIdOf(id)).toBe(shown);
    expect(outs).toMatchObject({ incidentUpdateId: updateIdOf(id), missing: false });
    expect(service.posts()).toHaveLength(1);
  });

  it.each([
    ["the service fails", () => service.sandbox.faults.add({ kind: "status", code: 503 })],
    ["the key is revoked", () => service.sandbox.faults.add({ kind: "status", code: 401 })],
    ["the incident is deleted", () => service.sandbox.byHand.deleteIncident(incidentId)],
  ])("is still recorded when %s", async (_, happens) => {
    const { process, inputs, first } = await lost(true);
    happens();
    expect(await failureOf(process.create(inputs))).toMatchObject({ properties: first.properties });
    expect(service.posts()).toHaveLength(1);
  });

  it("is recorded when the service rejects what is sent again on purpose", async () => {
    const { process, inputs, first } = await lost(false);
    service.sandbox.faults.add({ kind: "status", code: 422, operation: "createIncidentUpdate" });
    const again = await failureOf(process.create({ ...inputs, onUnconfirmed: "resend" }));
    expect(again).toMatchObject({ id: first.id, properties: first.properties });
  });

  it("doesn't let another resource post the same", async () => {
    const { process, inputs } = await lost(true);
    const twin = await failureOf(process.create({ ...inputs, __resource: "twin" }));
    expect(twin.message).toContain("it is unknown whether that one was published");
    expect(service.posts()).toHaveLength(1);
  });
});

describe("an update that is repeated in the same run, after its first post was found,", () => {
  /** Each call declares other content than what was found. */
  async function found() {
    const { id, outs } = await service.leaveUnconfirmed();
    service.putByHand();
    const process = await service.process();
    const inputs = await inputsOf(process, { ...declared, description: "It is over." });
    await process.diff(id, outs, inputs);
    return () => process.update(id, outs, inputs);
  }

  it("remembers the last post without a response", async () => {
    const update = await found();
    loseThePost(false);
    const first = await failureOf(update());
    expect(first.properties).toMatchObject({ description: "It is over." });
    expect(await failureOf(update())).toMatchObject({ id: first.id, properties: first.properties });
    expect(service.posts()).toHaveLength(2);
  });

  it("finds its own post again", async () => {
    const update = await found();
    service.sandbox.faults.add({ kind: "status", code: 403, operation: "createIncidentUpdate", times: 1 });
    await failureOf(update());
    expect((await update()).outs).toMatchObject({ description: "It is over." });
    expect(service.posts()).toHaveLength(3);
  });
});

describe("an unconfirmed update that the engine replaces, because of replaceOnChanges", () => {
  async function replaced(args: object, found: boolean) {
    const { id, outs } = await service.leaveUnconfirmed();
    if (found) service.putByHand();
    const process = await service.process();
    const { inputs: changed = {} } = await process.check(declared, { ...declared, ...args });
    await process.diff(id, outs, changed);
    return { before: { id, outs }, process, inputs: await inputsOf(process, { ...declared, ...args }) };
  }

  it.each([
    ["", {}],
    [", also with another text", { description: "It is over." }],
  ])("is searched for first, and recorded again when it isn't found%s", async (_, args) => {
    const { before, process, inputs } = await replaced(args, false);
    const { id, properties } = await failureOf(process.create(inputs));
    expect({ id, properties }).toMatchObject({ id: before.id, properties: before.outs });
    expect(service.posts()).toHaveLength(1);
  });

  it("is followed by the declared one when that is allowed, whatever onChange says", async () => {
    const args = { description: "It is over.", onChange: "refuse", onUnconfirmed: "resend" };
    const { process, inputs } = await replaced(args, false);
    expect((await process.create(inputs)).outs).toMatchObject({ description: "It is over." });
    expect(service.posts()).toHaveLength(2);
  });

  it("is adopted when it is found", async () => {
    const { process, inputs } = await replaced({}, true);
    const { id } = await process.create(inputs);
    expect(updateIdOf(id)).toBe(service.history()[0]?.id);
    expect(service.posts()).toHaveLength(1);
  });
});

it.each<[string, object, object]>([
  [
    "without the date that was declared",
    { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" },
    { publicIncidentUpdateDate: undefined },
  ],
  ["with the date that it shows", {}, { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" }],
])("an unconfirmed update that is found is adopted %s", async (_, before, after) => {
  const lost = await service.leaveUnconfirmed(before);
  const id = service.putByHand({ publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z" });
  expect(await service.nextUp(lost, { ...before, ...after })).toMatchObject({
    incidentUpdateId: id,
  });
  expect(service.posts()).toHaveLength(1);
});

it("an update that the engine replaces without a change adopts its own update", async () => {
  const { id, outs } = await service.declare();
  const process = await service.process();
  const inputs = await inputsOf(process, declared);
  expect(await process.diff(id, outs, inputs)).toEqual({ changes: false, replaces: [] });
  const twin = await failureOf(process.create({ ...inputs, __resource: "twin" }));
  expect(twin.message).toContain(
    "Declare the update once; or, to publish it again, set the next free `occurrence`, and let it depend on the other.",
  );
  expect((await process.create(await inputsOf(process, declared))).id).toBe(id);
  expect(service.posts()).toHaveLength(1);
});

it("an update that replaces an edited one isn't adopted by another resource", async () => {
  const { id, outs } = await service.declare();
  const process = await service.process();
  const inputs = await inputsOf(process, { ...declared, description: "It is over." });
  await process.diff(id, outs, inputs);
  await process.create(inputs);
  const twin = await failureOf(process.create({ ...inputs, __resource: "twin" }));
  expect(twin.message).toContain("must differ from that of the other resource");
  expect(service.posts()).toHaveLength(2);
});

describe("a public update that is replaced without a call of `diff` (replacementTrigger)", () => {
  async function replacedBy(args: object, onChange = "refuse") {
    const kept = { ...declared, onChange };
    const { id } = await service.declare(kept);
    const process = await service.process();
    await process.check(kept, { ...kept, ...args });
    return { id, created: process.create(await inputsOf(process, { ...kept, ...args })) };
  }

  it("is not posted again with another text when it may not change", async () => {
    const { created } = await replacedBy({ status: "RESOLVED", description: "It is over." });
    const { message } = await failureOf(created);
    expect(message).toContain(`IncidentUpdate on incident ${incidentId}: status must not change:`);
    expect(message).toContain("description must not change: the update is public");
    expect(service.posts()).toHaveLength(1);
  });

  it("is posted with another text when it may change", async () => {
    const { created } = await replacedBy({ description: "It is over." }, "post");
    expect((await created).outs).toMatchObject({ description: "It is over." });
    expect(service.posts()).toHaveLength(2);
  });

  it("is adopted when its content is the same", async () => {
    const { id, created } = await replacedBy({});
    expect((await created).id).toBe(id);
    expect(service.posts()).toHaveLength(1);
  });
});
