/** The comparison of a declaration with the state, the plan that it records, and the start of a task. */
import {
  begin,
  getComparedContainerId,
  type Comparison,
  type Declaration,
  diff,
  type Event,
  type Ledger,
  createLedger,
  type PostedUpdate,
  type UpdateRecord,
} from "../../provider/protocol";
import {
  after,
  beginning,
  begun,
  choice,
  type Choice,
  decided,
  declaration,
  fullHistory,
  history,
  keyed,
  createStackLedger,
  lost,
  note,
  now,
  posted,
  sent,
  settled,
  timeUp,
  unread,
  update,
} from "./steps";

interface Case {
  readonly recorded?: UpdateRecord;
  readonly declared?: Partial<Declaration>;
  readonly unknown?: readonly string[];
  readonly owners?: Readonly<Record<string, PostedUpdate>>;
}

function compared({ recorded = posted("a"), declared, unknown = [], owners }: Case) {
  const known = Object.entries(declaration(declared)).filter(([name]) => !unknown.includes(name));
  const comparison: Comparison = {
    resource: "own",
    was: recorded,
    declared: Object.fromEntries(known),
    unknown: new Set(unknown),
  };
  return {
    ...diff(comparison, createStackLedger(owners)),
    alone: diff(comparison),
    on: getComparedContainerId(comparison),
  };
}

function getPlanKind(ledger: Ledger | undefined): string | undefined {
  return ledger?.plans.get("own")?.kind;
}

const edited = posted("a", {}, { published: update("a", "B") });
const text = { description: "B" };
const moved = { containerId: "j" };
const otherPage = { ...keyed, statusPageId: "q" };
const content = { status: "INVESTIGATING", description: "A" };
const changed = (fields: string[], shown: object = content) => ({
  kind: "reject",
  rejection: { kind: "changed", fields, from: "i", shown: expect.objectContaining(shown) as unknown },
});
const same = { kind: "same" };
const settle = { kind: "settle" };
const edits = (...fields: string[]) => ({ kind: "edit", fields });

const longer = { description: "Orders are late." };
const ofKeyed = { recorded: posted("a", { ...keyed, ...longer }) };
const reused = {
  kind: "reject",
  rejection: { kind: "keyReused", shown: expect.objectContaining(longer) },
};
it.each<[string, Partial<Declaration>, object]>([
  ["a different text", { description: "All is well." }, edits("description")],
  [
    "a different status and text, with a fifth of the words in common",
    { status: "IDENTIFIED", description: "The database is slow since late yesterday." },
    edits("status", "description"),
  ],
  [
    "a different status and text, with no word in common",
    { status: "RESOLVED", description: "All is well." },
    reused,
  ],
])("the program declares, with the key of a public entry, %s", (_, declared, difference) => {
  expect(compared({ ...ofKeyed, declared: { ...keyed, ...longer, ...declared } }).difference).toEqual(
    difference,
  );
});

describe("the difference and the recorded plan", () => {
  it.each<[string, Case, difference: object, learned: string | undefined]>([
    ["a different text", { declared: text }, changed(["description"]), "keeps"],
    [
      "a different text, and the update isn't shown",
      { recorded: { ...edited, published: undefined }, declared: text },
      changed(["description"]),
      "keeps",
    ],
    [
      "a different text on a different page, with a key",
      { recorded: posted("a", keyed), declared: { ...text, ...otherPage } },
      changed(["statusPageId"]),
      "keeps",
    ],
    [
      "a different text and an unknown status, with the key of a public entry",
      { ...ofKeyed, declared: { ...keyed, description: "All is well." }, unknown: ["status"] },
      edits("description"),
      undefined,
    ],
    ["unconfirmed, on a different incident", { recorded: sent(), declared: moved }, settle, "unsettled"],
    [
      "edited on the service, later entries unknown",
      { recorded: edited, declared: text, unknown: ["followedBy"] },
      same,
      undefined,
    ],
    [
      "edited on the service, date unknown",
      { recorded: edited, declared: text, unknown: ["publicIncidentUpdateDate"] },
      changed(["description"], text),
      undefined,
    ],
  ])("the difference and the recorded plan: %s", (_, given, difference, learned) => {
    const { difference: decided, ledger, on, alone } = compared(given);
    expect(decided).toEqual(difference);
    expect(getPlanKind(ledger)).toBe(learned);
    expect(on).toBe(learned === "unsettled" ? "i" : (given.declared?.containerId ?? "i"));
    expect(alone).toEqual({ difference, ledger: undefined });
  });

  it("a resource is rejected if another resource owns its update, even with different content", () => {
    const { difference, ledger, alone } = compared({ owners: { other: posted("a", text) } });
    const twin = { by: "other", id: "a" };
    expect(difference).toEqual({ kind: "reject", rejection: { kind: "twin", ...twin } });
    expect(getPlanKind(ledger)).toBeUndefined();
    expect(alone.difference).toEqual(same);
  });
});

const mayBeReplaced = (...fields: string[]) => ({ kind: "mayBeReplaced", changed: fields });
it.each<[string, declared: Partial<Declaration>, unknown: string[], plan: object | undefined]>([
  ["a different text and an unknown status", text, ["status"], mayBeReplaced("description")],
])(
  "the plan after a comparison of old inputs, if the engine may replace the resource without calling diff: %s",
  (_, changes, unknown, plan) => {
    const was = { kind: "inputs", declared: declaration() } as const;
    const declared = Object.fromEntries(
      Object.entries(declaration(changes)).filter(([name]) => !unknown.includes(name)),
    );
    const comparison = { resource: "own", was, declared, unknown: new Set(unknown) };
    const { difference, ledger } = diff(comparison, createStackLedger());
    expect(difference).toEqual(same);
    expect(ledger?.plans.get("own")).toEqual(plan);
    expect(diff(comparison).ledger).toBeUndefined();
  },
);

describe("a task starts", () => {
  it("a task listens before it adopts an update that another resource may own", () => {
    const first = begin(createLedger(), beginning(declaration()));
    expect(decided(after(first, [history([update("a")])]))).toBe("listens");
  });

  it.each([
    ["posts", [], "posts"],
    ["reads the update in a note", [note("x", { id: "u" })], "reads u"],
  ])("a task doesn't listen before it %s", (_, notes, outcome) => {
    const first = begin(createLedger(), beginning(declaration()));
    expect(decided(after(first, [history([], notes)]))).toBe(outcome);
  });

  it("a task after an earlier run's post to a different incident is rejected", () => {
    expect(decided(settled({ was: moved, events: [] }))).toBe("rejects: moved, keeps it");
  });

  const toB = { declared: { ...keyed, ...text } };

  it.each<[string, Choice, phase: string]>([
    ["edits the update that the resource keeps", { owners: { own: posted("a", keyed) }, ...toB }, "edit"],
    [
      "decides if no update is known",
      { state: { kind: "inputs", declared: declaration() }, ...toB },
      "decide",
    ],
  ])("a task starts from the plan of the run: %s", (_, given, phase) => {
    expect(begun(given).task.phase.kind).toBe(phase);
  });

  it.each<[string, Choice, string]>([
    ["keeps the text that was edited on the service", { owners: { own: edited }, declared: text }, "owns a"],
    [
      "reads the history if the update is missing",
      { owners: { own: posted("a", {}, { missing: true }) } },
      "reads",
    ],
  ])("a task after the engine replaces a resource that hasn't changed: %s", (_, given, outcome) => {
    expect(decided(begun(given))).toBe(outcome);
  });
});

const waiting = history([], [note("x", { mayAppearUntil: now + 1000 })]);
const fails = (text: string) => ({ result: { kind: "refused", rejection: { kind: "failed", text } } });
it.each<[string, Event[], object]>([
  ["is read again while the task waits", [waiting, unread], { kind: "read", again: true, until: now + 1000 }],
  ["fails when the wait is over", [waiting, { ...unread, now: now + 1000 }], fails("503")],
  ["fails when the time is up", [timeUp], fails("")],
])("an incident that can't be read %s", (_, events, outcome) =>
  expect(after(begun({}), events).command).toMatchObject(outcome),
);

it.each([
  ["a result of a post before it", begun({}), lost, "unknown, although nothing was posted."],
  ["a read after a post", choice({}), history([]), "A post led to history."],
])("an impossible event is an error: %s", (_, before, event, message) => {
  expect(() => after(before, [event])).toThrow(message);
});

const few = [update("a")];
const full = fullHistory();
const waitsFor = [note("x", { text: "Z" }), note("y", { text: "Z", id: "b" })];
/** Returns the view after reads by a task that waits. */
const viewAfter = (reads: readonly (typeof few)[], ...events: Event[]) => {
  const first = begun({ declared: { description: "Z" } });
  return after(first, [...reads.map((shown) => history(shown, waitsFor)), ...events]).ledger.view;
};
it.each([
  ["no read", [], false, 0],
  [
    "a read that overlaps the previous one except for a deleted update",
    [[...few, ...full.slice(2)], full],
    true,
    101,
  ],
])("the view of a run is complete or not after %s", (_, reads, complete, count) => {
  expect(viewAfter(reads).complete).toBe(complete);
  expect(viewAfter(reads).updates).toHaveLength(count);
  expect(createStackLedger().view.updates).toEqual([]);
});
