/** Several declarations on one incident: with two account names, moved from another incident, shifted in a list. */
import { create, inputsOf } from "./phases";
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const elsewhere = "inc_card_declines";

it("two names of one account, one without an account id, publish an identical update once", async () => {
  const { url: baseUrl, apiKey } = service.sandbox;
  const accounts = JSON.stringify({ eu: { apiKey, baseUrl } });
  const process = await service.process({ "monitoring:accounts": accounts });
  await create(process, words);
  const twin = await failureOf(create(process, { ...words, account: "eu" }));
  expect(twin.message).toContain("occurrence must differ from that of the other resource");
  expect(service.posts()).toHaveLength(1);
});

it("an update that is resolved on another incident waits for its turn there", async () => {
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
  expect(service.posts().filter(({ path }) => path.includes(elsewhere))).toHaveLength(1);
});

it("updates whose content moves from one resource to the next are adopted", async () => {
  const [a, b, x] = ["A.", "B.", "X."].map((description) => ({ ...words, description }));
  const [first, second] = [await service.declare(a), await service.declare(b)];
  const process = await service.process();
  const [toX, toA] = [await inputsOf(process, x ?? {}), await inputsOf(process, a ?? {})];
  await process.diff(first.id, first.outs, toX);
  await process.create(toX);
  await process.diff(second.id, second.outs, toA);
  expect(await process.create(toA)).toMatchObject({ id: first.id });
  expect(await create(process, b ?? {})).toMatchObject({ id: second.id });
  expect(service.published().map(({ description }) => description)).toEqual(["X.", "B.", "A."]);
});

it("an entry of a timeline that matches a manual edit is recorded while later entries are unknown", async () => {
  const { id, outs } = await service.declare({ onChange: "refuse" });
  const description = "Capacity is enough now.";
  service.sandbox.byHand.editUpdate(incidentId, id.split("/")[1] ?? "", { description });
  const refreshed = await service.refresh({ id, outs });
  const process = await service.process();
  const inputs = await inputsOf(process, { ...words, description, onChange: "refuse" });
  const followedBy = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  expect(await process.diff(id, refreshed.outs, { ...inputs, followedBy })).toEqual({
    changes: true,
    replaces: [],
  });
});

describe("when the engine replaces what an update depends on, it asks first with unknown values", () => {
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

  it.each<[string, object]>([
    ["description", { description: unknown }],
    ["occurrence", { occurrence: unknown }],
    [
      "status, description, occurrence",
      { description: unknown, status: unknown, occurrence: unknown, followedBy: unknown },
    ],
  ])("an update that may not change isn't replaced while its %s is unknown", async (fields, unknowns) => {
    const { id, outs } = await service.declare({ onChange: "refuse" });
    const process = await service.process();
    const inputs = { ...(await inputsOf(process, { ...words, onChange: "refuse" })), ...unknowns };
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    expect(service.notices.at(-1)).toBe(
      `IncidentUpdate ${id}: ${fields} not known yet. If the value changes, a new update replaces this one, which stays public.`,
    );
  });

  it("and then with its values: what didn't change is left alone", async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    const inputs = await inputsOf(process, words);
    for (const unknowns of [{ followedBy: unknown }, { description: unknown }, {}]) {
      const { replaces } = await process.diff(id, outs, { ...inputs, ...unknowns });
      expect(replaces).toEqual([]);
    }
  });
});
