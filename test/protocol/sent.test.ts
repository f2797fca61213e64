/**
 * What the result of a post means, how a post without a response is searched for in its run and settled in the next one, and what the
 * state and the run record.
 */
import { parse } from "yaml";
import { listContentKeys, type Event, type Step } from "../../provider/protocol";
import { computePostCode } from "../../provider/protocol/codes";
import {
  after,
  byId,
  choice,
  type Choice,
  code,
  decided,
  declaration,
  endingOf,
  entry,
  fullHistory,
  history,
  hour,
  learned,
  lost,
  missing,
  note,
  now,
  pastOne,
  posted,
  refusalOf,
  rejected,
  responds,
  sent,
  settled,
  type Settling,
  timeUp,
  unread,
  update,
} from "./steps";

type Row = [what: string, events: Event[], outcome: string, more?: Omit<Choice, "events">];

const a = update("a");
const second = update("second", "A", 1);
const x = update("x", "X", 5);
const B = { description: "B" };

describe("a post", () => {
  it.each<Row>([["receives the incident", [responds(update("i"))], "reads"]])(
    "a post %s",
    (_, events, outcome, more = {}) => expect(decided(choice({ events, ...more }))).toBe(outcome),
  );

  it.each([["another text", { ...a, description: "?" }, [{ kind: "altered", id: "a" }]]])(
    "a post tells of a response with %s",
    (_, response, remarks) => {
      expect(endingOf(choice({ events: [responds(response)] })).notices).toEqual(remarks);
    },
  );

  it("a post has as predecessors what the state has, each once, and without dates that the service doesn't show", () => {
    const published = { ...update("b", "B"), publicIncidentUpdateDate: null };
    const past = [pastOne("y", "Y"), pastOne("z", "Z"), pastOne("z", "Z")];
    const state = posted("b", B, { published, past });
    const done = endingOf(choice({ state, events: [responds(a)] }));
    expect(done.kind === "posted" && done.recorded.past).toStrictEqual([
      ...[pastOne("y", "Y"), pastOne("z", "Z"), pastOne("b", "B")],
    ]);
  });
});

describe("a lost post", () => {
  const resultAfter = (given: Choice) => {
    const result = endingOf(choice({ ...given, events: [...(given.events ?? [lost]), history([]), timeUp] }));
    return result.kind === "unconfirmed" ? result.recorded : undefined;
  };

  it("a lost post is recorded whole, and the run knows it", () => {
    const recorded = resultAfter({ shown: [x, update("w", "W", 1)] });
    expect(learned(choice({ events: [lost, history([]), timeUp] })).plan).toMatchObject({
      ...{ kind: "unsettled", recorded: { nonce: "n" } },
    });
    expect(recorded).toEqual({
      ...{ kind: "sent", declared: declaration(), seen: { ids: ["x", "w"], newest: x.created_at } },
      ...{ nonce: "n", at: now, isTextSecret: true, past: [] },
    });
  });

  it.each<[string, Choice, object]>([
    ["with the other object of the response", { events: [responds(update("i"))] }, { answered: "i" }],
  ])("a lost post is recorded %s", (_, given, kept) => expect(resultAfter(given)).toMatchObject(kept));

  const problemOf = (containerMissing: boolean, text: string) => ({
    readProblem: { containerMissing, text },
  });
  const none = { readProblem: undefined };
  const codes = [code("n")];
  it.each<[string, Event[], object]>([
    ["its code", [lost, history([]), timeUp], { problem: "reset", codes }],
    ["that the incident is gone", [lost, unread, missing, timeUp], { ...problemOf(true, "404"), codes: [] }],
    ["nothing of a read that failed after another", [lost, history([]), unread, timeUp], none],
  ])("a lost post says %s", (_, events, said) => {
    const refusal = refusalOf(choice({ events }));
    expect({ readProblem: undefined, ...refusal }).toMatchObject({ kind: "lost", ...said });
  });

  it("a lost post prints codes that no version of YAML reads as a number", () => {
    const printed = Array.from({ length: 1_000 }, (_, index) => computePostCode({ nonce: `nonce ${index}` }));
    const list = printed.map((each) => `- ${each}\n`).join("");
    for (const version of ["1.1", "1.2"] as const) expect(parse(list, { version })).toEqual(printed);
  });
});

it.each<Row>([
  ["finds it, although clocks differ", [history([update("b", "A", -10), x])], "has b", { shown: [x] }],
  ["looks again", [history([]), byId()], "looks again"],
])("a search for a post %s", (_, events, outcome, more = {}) => {
  expect(decided(choice({ events: [lost, ...events], ...more }))).toBe(outcome);
});

it.each<[string, Event[], object[]]>([
  ["two", [history([second, a])], [{ kind: "several", count: 2, id: "a" }]],
])("a search for a post that finds %s says so, and names the post, for its note", (_, events, remarks) => {
  const { task, command } = choice({ events: [lost, ...events] });
  expect(command).toMatchObject({ ending: { kind: "posted" } });
  expect(task).toMatchObject({ notices: remarks, applied: [{ nonce: "n", id: "a" }] });
});

const own = posted("a", {}, { missing: true, past: [pastOne("b", "B")] });

it("a replacement of an update that isn't shown still knows what the resource published before", () => {
  const done = endingOf(choice({ owners: { own }, events: [responds(update("new"))] }));
  expect(done).toMatchObject({ recorded: { id: "new", past: [{ id: "b" }] } });
});

const [b, old] = [update("b", "B"), update("old", "A", -1)];
const found = [history([a])];
const gone = [history([]), timeUp];

const refuse = { ...B, onChange: "refuse" } as const;
const lostCode = code("lost");
const edit = { onChange: "edit" } as const;
const past = [pastOne("z", "Z"), pastOne("old", "")];
const ofAnother = { owners: { other: posted("a") } };

type Settled = [what: string, given: Omit<Settling, "events">, events: readonly Event[], outcome: string];
const decides = (_: string, given: Settled[1], events: Settled[2], outcome: string) =>
  expect(decided(settled({ ...given, events }))).toBe(outcome);
const unfound = "refuses: unconfirmed, keeps it";
const editedById = (text: string) => [
  history([], [note("lost", { id: "u" })]),
  byId(update("u", text), [note("lost", { id: "u" })]),
];
const second2 = { occurrence: 2 };
const seenOld = { was: second2, declared: second2, sent: { seen: { ids: ["old"] } } };
const bothShown = [history([second, a])];

it.each<Settled>([
  ["by the id in its note, not by words", {}, [history([a], [note("lost", { id: "u" })])], "asks for u"],
  ["by no id in another note", {}, [history([a], [note("x", { id: "u" })])], "has a"],
])("what was sent is searched for %s", decides);

it.each<Settled>([
  ["and the declared one is rejected", { declared: B }, [...found, rejected], "refuses: failed, keeps a"],
  [
    "edited by hand, and edits are declared",
    { declared: edit },
    editedById("X"),
    "refuses: editedSince, keeps it",
  ],
  [
    "and no edit makes it the second",
    { declared: { ...edit, ...second2 } },
    found,
    "refuses: changed, keeps a",
  ],
  ["although an earlier one isn't shown", seenOld, bothShown, "has a"],
])("what was sent is found %s", decides);

it.each([
  ["what was sent", settled({ declared: { ...B, followedBy: [entry("C")] }, events: [] }), ["B", "C", "A"]],
  ["nothing else", choice({ shown: [x], noted: [note("w")] }), ["A"]],
  ["what looks like it", choice({ declared: { description: "Ä" }, shown: [update("q", "?")] }), ["Ä", "?"]],
])("notes are read of what is declared, and of %s", (_, { ledger, task }, texts) => {
  const keys = texts.map((text) => declaration({ description: text }).contentKey);
  expect(listContentKeys(task, ledger)).toEqual(keys);
});

const leftOver = { sent: { seen: { ids: ["old"] }, past }, ...ofAnother };
const notLeft = { ...leftOver, sent: { ...leftOver.sent, past: past.slice(0, 1) } };
const asSecond = { owners: { other: posted("a", second2) } };
it.each<Settled>([
  ["and it may not change", { ...ofAnother, declared: refuse }, found, "refuses: changed, keeps it"],
  ["and what is left was this resource's", leftOver, [history([a, old])], "refuses: twin, keeps it"],
  ["and what is left is nobody's", notLeft, [history([a, old])], "has old"],
  ["as the second", asSecond, found, "looks again"],
])("another resource has what was sent %s", decides);

it("another resource has what was sent, which is no obstacle to the second", () => {
  const given = { state: sent(), ...ofAnother, declared: second2 } as const;
  expect(decided(choice({ ...given, shown: [a], events: found }))).toBe("posts");
});

it("another resource has what is declared, and an earlier run sent other words, which are public", () => {
  const given = { declared: B, owners: { other: posted("b", B) }, events: found };
  expect(refusalOf(settled(given))).toMatchObject({ kind: "twin", by: "other", isPosted: true });
});

it("another resource has what was sent, and declares the same", () => {
  const given = { owners: { other: posted("a") }, events: found };
  const refusal = { kind: "twin", by: "other", id: "a", isPosted: false, differs: undefined };
  expect(refusalOf(settled(given))).toEqual(refusal);
});

it.each<[string, before: Step, outcome: string]>([
  ["what was sent before", settled({ events: [] }), "looks again"],
])("a run that finds %s listens, and then goes on", (_, { ledger, ...before }, outcome) => {
  const listens = after({ ...before, ledger: { ...ledger, hasListened: false } }, found);
  expect(decided(listens)).toBe("listens");
  expect(decided(after(listens, [unread]))).toBe(outcome);
});

describe("what was sent to another address of the incident", () => {
  const shownBefore = { sent: { seen: { ids: ["a", "gone"] } } };
  it.each<Settled>([
    ["is found by its place, where all ids are new", seenOld, bothShown, "has second"],
    ["is found as the new one, where an old id is shown", shownBefore, bothShown, "has second"],
    ["is found as the only one", { ...seenOld, sent: {} }, found, "has a"],
  ])("what was sent to another address of the incident %s", (what, given, events, outcome) =>
    decides(what, { ...given, isMoved: true }, events, outcome),
  );

  it.each<[string, Event[], age: number, object]>([
    ["it can't be read", [missing, timeUp], hour, { kind: "failed", text: "404" }],
    ["it isn't there", gone, hour, { kind: "notThere" }],
  ])("what was sent to another address of the incident is refused because %s", (_, events, age, refusal) => {
    expect(refusalOf(settled({ isMoved: true, sent: { at: now - age }, events }))).toEqual(refusal);
  });
});

describe("what was sent isn't found", () => {
  const ordered = { followedBy: [entry("C")] };
  const seenBoth = { ...seenOld, sent: { seen: { ids: ["a", "second"] } } };
  const ofB = (as: object) => ({ declared: B, owners: { other: posted("b", { ...B, ...as }) } });
  const [shownB, shownC] = [history([b]), history([update("c", "C")])];
  it.each<Settled>([
    ["but both that are declared are public", seenBoth, [...bothShown, timeUp], "reads"],
    ["and another resource has the second", ofB(second2), [shownB, timeUp], unfound],
    ["and a later entry is public", { declared: ordered }, [shownC, timeUp], "refuses: laterEntry, keeps it"],
  ])("what was sent isn't found %s", decides);

  const early = { sent: { at: now - 30_000 } };
  const [unsure, waited] = [history([update("b2", "B", 2), b]), history([b], [], now + 90_000)];
  const shownTwice = [shownB, timeUp, waited];
  it.each<[string, Omit<Settling, "events">, Event[], string, isSettled: boolean]>([
    ["edited to one of two, perhaps", {}, [unsure, timeUp], "reads", false],
    ["edited, because it didn't appear", early, shownTwice, "reads", true],
    ["edited, perhaps, because a wait is cancelled", early, [shownB, timeUp, timeUp], "reads", false],
  ])(
    "what was sent isn't found, and what is declared now is public: it was %s",
    (_, given, events, outcome, is) => {
      const { ledger, task, command } = settled({ declared: B, ...given, events });
      expect(decided({ ledger, task, command })).toBe(outcome);
      expect(ledger.settled).toEqual(is ? ["lost"] : []);
      expect("denied" in task.phase && task.phase.denied?.nonce === "lost").toBe(is);
    },
  );

  it("what was sent isn't found: it is neither of the updates with equal words, which a refusal names", () => {
    const shown = [{ ...second, created_at: null }, a, b];
    const seen = { ids: ["a", "second", "b"] };
    const step = settled({ declared: B, sent: { seen }, events: [history(shown), timeUp] });
    const others = [{ id: "second" }, { id: "a", since: a.created_at }];
    expect(endingOf(step)).toMatchObject({ kind: "unconfirmed", refusal: { others } });
  });

  const unreadable = (containerMissing: boolean, text: string) => ({
    ...{ codes: [], readProblem: { containerMissing, text } },
  });
  it.each<[string, Event[], object]>([
    ["and says why not", [unread, timeUp], unreadable(false, "503")],
    ["and says that it has no incident", [missing, unread, timeUp], unreadable(true, "404")],
  ])("what was sent isn't found %s", (_, events, more) => {
    const refusal = refusalOf(settled({ codes: ["0000aaaa"], events }));
    expect(refusal).toEqual({ kind: "unconfirmed", sent: sent(), ...more });
  });
});

it.each([["only the latest updates", history(fullHistory()), true]])(
  "what was sent isn't found where the history shows %s, and the refusal knows that",
  (_, read, isCut) => {
    expect(refusalOf(settled({ events: [read, timeUp] }))).toHaveProperty("isCut", isCut);
  },
);

describe("the user says that what was sent isn't public", () => {
  const again = (...noted: Parameters<typeof history>[1] & object) => [...gone, history([], noted)];
  const full = [history(fullHistory()), byId(), timeUp, history(fullHistory())];
  const fullOfB = { declared: B } as const;
  const responded = (hours: number) => [...full, responds(update("b", "A", hours))];
  it.each<Settled>([
    ["beyond a full history, and another is declared", fullOfB, full, "refuses: full, keeps it"],
    ["and its post receives one that is older", {}, responded(-11.1), "reads"],
  ])("the user says that what was sent isn't public %s", (what, given, events, outcome) =>
    decides(what, { codes: [lostCode], ...given }, events, outcome),
  );

  const early = { sent: { at: now - 30_000 } };
  const at = (ms: number) => [...gone, history([], [], now + ms)];
  const readNot = { ...unread, now: now + 90_000 };
  it.each<Settled>([
    ["when it may still appear, and the wait isn't over", early, at(89_999), "waits for 90 s"],
    ["when it may still appear, and it doesn't", early, at(90_000), "reads"],
    ["without a read", early, [timeUp], "waits for 90 s"],
  ])("the user says that what was sent isn't public %s", (what, given, events, outcome) =>
    decides(what, { codes: [lostCode], ...given }, events, outcome),
  );

  it("the user says that what was sent isn't public too early, and the run says so and reads on", () => {
    const { task, command } = settled({ ...early, codes: [lostCode], events: gone });
    expect(task.notices).toEqual([{ kind: "early", from: now + 90_000 }]);
    expect(command).toEqual({ kind: "read", again: true, until: now + 90_000 });
  });

  it.each<[string, Event, object]>([
    ["can't be read", readNot, { codes: [], readProblem: { containerMissing: false, text: "503" } }],
    ["is cancelled", { ...timeUp, now: now + 1 }, { codes: expect.arrayContaining([lostCode]) }],
  ])(
    "the user says that what was sent isn't public, and a wait that %s says what answers",
    (_, event, said) => {
      expect(refusalOf(settled({ ...early, codes: [lostCode], events: [...gone, event] }))).toMatchObject(
        said,
      );
    },
  );

  const resent = { kind: "resent", at: now - hour };
  it.each<[string, Omit<Settling, "events">, object]>([["a notice", {}, { notices: [resent] }]])(
    "the user says that what was sent isn't public and it is posted with %s",
    (_, given, task) => {
      const step = settled({ codes: [lostCode], ...given, events: again() });
      expect(step.command).toMatchObject({ kind: "post", denied: ["lost"] });
      expect(step.task).toMatchObject(task);
    },
  );
});

it("the state and the run know that an update was found, with its post, for its note", () => {
  const { ledger, task } = settled({ declared: B, events: found });
  const applied = [{ nonce: "lost", id: "a" }];
  expect(task).toMatchObject({ notices: [{ kind: "found", id: "a" }], applied });
  expect(ledger.settled).toEqual(["lost"]);
});

it.each<[string, Omit<Settling, "events">, Event[], object]>([
  ["which may not change", { declared: refuse }, found, { plan: { kind: "keeps" }, owns: ["a"] }],
  [
    "which is replaced, without success",
    { declared: B },
    [...found, rejected],
    { plan: { kind: "replaces" }, owns: [] },
  ],
])("the state and the run know that what was found is the resource's, %s", (_, given, events, after) => {
  const refused = settled({ ...given, events });
  const recorded = { kind: "posted", id: "a", declared: { description: "A" } };
  expect(endingOf(refused)).toMatchObject({ recorded });
  expect(learned(refused)).toMatchObject(after);
});

it("the state and the run know the predecessors of what was found, each once and without itself, and that it is one itself", () => {
  const predecessors = [pastOne("a"), pastOne("z", "Z"), pastOne("z", "Z")];
  const given = { sent: { past: predecessors }, events: found };
  expect(endingOf(settled(given))).toMatchObject({
    ...{ kind: "kept", recorded: { id: "a", past: [pastOne("z", "Z")] } },
  });
  const next = after(settled({ declared: B, events: found }), [responds(update("b", "B", 1))]);
  expect(endingOf(next)).toMatchObject({ recorded: { id: "b", past: [{ id: "a" }] } });
  expect(next.task.applied).toEqual([
    { nonce: "lost", id: "a", isByWords: true },
    { nonce: "n", id: "b" },
  ]);
});
