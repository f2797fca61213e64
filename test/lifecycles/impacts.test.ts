/** The impacts of an incident: the decision for each situation, and the requests and messages that follow from it. */
import { decideImpacts, type ImpactWrites } from "../../provider/lifecycles/impacts";
import { args, IncidentService, page } from "./incidentService";
import { unknown } from "./phases";
import { catchError } from "./updateProcess";

const states = { A: "UNDER_MAINTENANCE", B: "DEGRADED_PERFORMANCE", C: "MAJOR_OUTAGE" } as const;
const letters = Object.values({ A: "A", B: "B", C: "C" } as const);
const toImpacts = (letter: keyof typeof states) => [{ componentId: "checkout", status: states[letter] }];
const toKey = (letter: keyof typeof states) => `checkout=${states[letter]}`;

const now = Date.parse("2026-11-30T12:00:00Z");
const [recent, old] = [now - 119_000, now - 121_000];
const replaced = { written: toKey("B"), replaced: toKey("A") };
const unknownResult = { written: toKey("A"), pending: toKey("B") };

const decisions = new Map(Object.entries({ s: "settled", w: "write", c: "conflict" }));

describe("the decision", () => {
  // Each word lists the decisions for one set of impacts on the page, A, B or C. Its letters are for the declared impacts A, B and C.
  it.each<[string, ImpactWrites | undefined, string]>([
    ["an incident that was adopted", undefined, "scc csc ccs"],
    [
      "impacts A that were written when the incident was opened",
      { written: toKey("A"), at: 0 },
      "sww csc ccs",
    ],
    // A read may still show A, and a read that shows the declared impacts may be from before the request.
    ["impacts B that replaced A less than two minutes ago", { ...replaced, at: recent }, "www wsw ccw"],
    ["impacts B that replaced A earlier", { ...replaced, at: old }, "scc wsw ccs"],
    [
      "impacts A, and a recent request with B whose result is unknown",
      { ...unknownResult, at: recent },
      "www wsw ccw",
    ],
    [
      "impacts A, and an earlier request with B whose result is unknown",
      { ...unknownResult, at: old },
      "sww wsw ccs",
    ],
  ])("the decision for %s", (_, writes, expected) => {
    const decide = (shown: keyof typeof states, isOver: boolean) =>
      letters.map((declared) =>
        decideImpacts(toImpacts(declared), { isOver, componentImpacts: toImpacts(shown) }, writes, now),
      );
    const table = expected.split(" ").map((word) => Array.from(word, (letter) => decisions.get(letter)));
    expect(letters.map((shown) => decide(shown, false))).toEqual(table);
    expect(letters.flatMap((shown) => decide(shown, true))).toEqual(Array.from({ length: 9 }, () => "over"));
  });

  it.each<[string, Parameters<typeof decideImpacts>[0], Parameters<typeof decideImpacts>[0] | undefined]>([
    ["an operational component", [{ componentId: "cart", status: "OPERATIONAL" }], undefined],
    ["an operational component on the page", [], [{ componentId: "cart", status: "OPERATIONAL" }]],
    [
      "the same components in a different order",
      [...toImpacts("A"), { componentId: "cart", status: "MAJOR_OUTAGE" }],
      [{ componentId: "cart", status: "MAJOR_OUTAGE" }, ...toImpacts("A")],
    ],
  ])("%s is no difference", (_, declared, componentImpacts) => {
    expect(decideImpacts(declared, { isOver: false, componentImpacts }, undefined, now)).toBe("settled");
  });
});

const service = new IncidentService();
const { changeByHand, leaveUnconfirmed, opened, preview, puts, refresh, resolve, up } = service;

const degraded = [{ component: "Checkout", status: "DEGRADED_PERFORMANCE" }];
const outages = ["Checkout", "Search"].map((component) => ({ component, status: "MAJOR_OUTAGE" }));

const findComponentId = (name: string) =>
  service.sandbox.data.accounts[0].componentPages
    .flatMap(({ components }) => components)
    .find((each) => each.name === name)?.id ?? "";

/** Declares other impacts in the dashboard. */
const chooseByHand = (impacts: readonly { component: string; status: string }[]) =>
  changeByHand((incident) => {
    const startedAt = incident.created_at;
    incident.componentImpacts = impacts.map(({ component, status }) => {
      const known = Object.values({ ...states, D: "PARTIAL_OUTAGE" } as const).find(
        (each) => each === status,
      );
      if (known === undefined) throw new Error(`${status} isn't a status.`);
      return { componentId: findComponentId(component), status: known, startedAt, endedAt: null };
    });
  });

/** The impacts that the page shows. */
const listShown = () =>
  opened().flatMap(({ componentImpacts }) =>
    componentImpacts
      .filter(({ endedAt }) => endedAt === null)
      .map(({ componentId, status }) => [componentId, status]),
  );

it("a change is one request with the name that the page shows, without an email, and a second up sends nothing", async () => {
  const before = await up();
  const mails = service.sandbox.mailed();
  changeByHand((incident) => (incident.name = "Database move"));
  const after = await up({ impacts: degraded }, before);
  const componentImpacts = [{ componentId: findComponentId("Checkout"), status: "DEGRADED_PERFORMANCE" }];
  expect(puts()).toEqual([{ name: "Database move", componentImpacts }]);
  expect(service.sandbox.mailed()).toBe(mails);
  expect(after.outs).toMatchObject({ impacts: degraded, published: { componentImpacts } });
  service.sandbox.clearRequests();
  expect(await up({ impacts: degraded }, after)).toEqual(after);
  expect(service.sandbox.requests).toEqual([]);
});

it("impacts that are removed and added again within a minute are written twice", async () => {
  const opening = await up();
  const without = await up({ impacts: [] }, opening);
  await up({}, without);
  expect(puts().map(({ componentImpacts }) => (componentImpacts as unknown[]).length)).toEqual([0, 1]);
  expect(listShown()).toEqual([[findComponentId("Checkout"), "UNDER_MAINTENANCE"]]);
});

it.each([true, false])(
  "the impacts of a resolved incident only change in the state, with a notice (the service ends impacts: %p)",
  async (endsImpacts) => {
    const before = await up();
    resolve();
    const endedAt = new Date().toISOString();
    if (endsImpacts)
      changeByHand(({ componentImpacts }) => componentImpacts.forEach((each) => (each.endedAt = endedAt)));
    const shown = listShown();
    service.notices = [];
    const after = await up({ impacts: degraded }, before);
    expect(service.notices).toEqual([
      `Incident "upgrade", ${before.id}: only the state changes (impacts), because the incident is resolved.`,
    ]);
    expect(after.outs).toMatchObject({ impacts: degraded });
    expect(puts()).toEqual([]);
    expect(listShown()).toEqual(shown);
    const refreshed = await refresh(after);
    service.sandbox.clearRequests();
    expect((await up({ impacts: degraded }, refreshed)).outs).toMatchObject({ impacts: degraded });
    expect(puts()).toEqual([]);
  },
);

const theirs = [{ component: "Cart", status: "PARTIAL_OUTAGE" }];
const conflict =
  "that this resource didn't write: Cart shows partial outage, but operational is declared; Checkout shows operational, but degraded " +
  "performance is declared. Nothing was edited. Declare the impacts that the page shows, and run `pulumi up`. To replace them, then declare " +
  "yours.";

it.each([false, true])(
  "impacts that someone else chose are never overwritten: they are declared first (after a refresh: %p)",
  async (isRefreshed) => {
    let state = await up();
    chooseByHand(theirs);
    if (isRefreshed) state = await refresh(state);
    const messages = [up({ impacts: degraded }, state), preview({ impacts: degraded }, state)];
    for (const work of messages) expect((await catchError(work)).message).toContain(conflict);
    expect(puts()).toEqual([]);
    const accepted = await up({ impacts: theirs }, state);
    expect(puts()).toEqual([]);
    await up({ impacts: degraded }, accepted);
    expect(puts()).toHaveLength(1);
    expect(listShown()).toEqual([[findComponentId("Checkout"), "DEGRADED_PERFORMANCE"]]);
  },
);

it("a change in the dashboard is drift after a refresh, and the up rejects it although the declaration is unchanged", async () => {
  const before = await up();
  chooseByHand(theirs);
  expect(await up({}, before)).toEqual(before);
  const refreshed = await refresh(before);
  const provider = await service.process();
  const { inputs = {} } = await provider.check({ ...args, ...service.by() }, { ...args, ...service.by() });
  expect(await provider.diff(refreshed.id, refreshed.outs, inputs)).toMatchObject({ changes: true });
  const { message } = await catchError(up({}, refreshed));
  expect(message).toContain(
    "Cart shows partial outage, but operational is declared; Checkout shows operational, but maintenance is",
  );
  expect((await up({ impacts: theirs }, refreshed)).outs).toMatchObject({ impacts: theirs });
  expect(puts()).toEqual([]);
});

it.each([true, false])(
  "a change without a response fails, and the next up succeeds with one email in all (applied: %p)",
  async (applied) => {
    const before = await up();
    const mails = service.sandbox.mailed();
    service.sandbox.faults.add({ kind: "reset", operation: "editComponentPageIncident", times: 1, applied });
    const { message, id, properties = {} } = await catchError(up({ impacts: degraded }, before));
    expect(message).toMatch(
      /^Incident "upgrade": .*\. Run `pulumi up` again: it compares the impacts and repeats the request if necessary\. No email is sent\.$/,
    );
    expect(id).toBe(before.id);
    service.sandbox.clearRequests();
    const after = await up({ impacts: degraded }, { id: before.id, outs: properties });
    expect(puts()).toHaveLength(applied ? 0 : 1);
    expect(listShown()).toEqual([[findComponentId("Checkout"), "DEGRADED_PERFORMANCE"]]);
    expect(service.sandbox.mailed()).toBe(mails);
    expect(await up({ impacts: degraded }, after)).toEqual(after);
  },
);

it("a change that the service rejects gives the reason and leaves the state as it was", async () => {
  const before = await up();
  service.sandbox.faults.add({ kind: "status", code: 422, operation: "editComponentPageIncident", times: 1 });
  const failed = await catchError(up({ impacts: degraded }, before));
  expect(failed.message).toContain("the service rejected the request (HTTP 422)");
  expect(failed).not.toHaveProperty("properties");
});

it("a preview names each component with its state before and after, also those that become operational", async () => {
  const before = await up();
  const edits = [
    `Incident "upgrade" edits the impacts of a public incident on status page ${page}; no subscriber is emailed`,
    '  "Database upgrade"',
  ];
  expect(await preview({ impacts: outages }, before)).toEqual([
    ...edits,
    '  "Checkout" changes from maintenance to major outage.',
    '  "Search" changes from operational to major outage.',
  ]);
  expect(await preview({ impacts: [] }, before)).toEqual([
    ...edits,
    '  "Checkout" changes from maintenance to operational.',
  ]);
  expect(await preview({ impacts: unknown }, before)).toContain("  Unknown until `pulumi up`: impacts.");
  resolve();
  expect(await preview({ impacts: [] }, before)).toEqual([
    `Incident "upgrade" changes only in the state; nothing is opened or emailed`,
    '  "Database upgrade"',
  ]);
  expect(puts()).toEqual([]);
});

it("an adopted incident with other impacts is recorded, and the declaration of the public impacts succeeds", async () => {
  const { outs } = await up();
  service.sandbox.clearRequests();
  const failed = await catchError(up({ impacts: degraded }));
  expect(failed.message).toContain(
    "Checkout shows maintenance, but degraded performance is declared. Nothing was edited.",
  );
  const { id = "", properties = {} } = failed;
  expect(properties).toMatchObject({ incidentId: outs["incidentId"] });
  const accepted = await up({}, { id, outs: properties });
  expect(puts()).toEqual([]);
  await up({ impacts: degraded }, accepted);
  expect(puts()).toHaveLength(1);
  expect(opened()).toHaveLength(1);
});

it("impacts that change after a lost opening are rejected until the sent impacts are declared", async () => {
  const lost = await leaveUnconfirmed();
  const { message, properties = {} } = await catchError(up({ impacts: degraded }, lost));
  expect(message).toContain("Checkout shows maintenance, but degraded performance is declared.");
  const accepted = await up({}, { id: lost.id, outs: properties });
  await up({ impacts: degraded }, accepted);
  expect(puts()).toHaveLength(1);
  expect(opened()).toHaveLength(1);
});
