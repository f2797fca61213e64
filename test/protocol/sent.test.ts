/**
 * The result of a post, the search for a post without a response, its settlement in the next run, and the records in the state and the
 * ledger.
 */
import { parse } from "yaml";
import { listContentKeys, normalizeUpdate, type Event } from "../../provider/protocol";
import { computePostCode } from "../../provider/protocol/codes";
import {
  after,
  byId,
  choice,
  type Choice,
  code,
  decided,
  declaration,
  getResult,
  entry,
  fullHistory,
  history,
  hour,
  keyed,
  learned,
  lost,
  missing,
  note,
  now,
  posted,
  getRejection,
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
const resolved = (...of: Parameters<typeof update>) => ({ ...update(...of), name: "N", isResolved: true });

describe("a post", () => {
  it("a post whose response contains a different text adds a notice", () => {
    const { notices } = getResult(choice({ events: [responds({ ...a, description: "?" })] }));
    expect(notices).toEqual([{ kind: "altered", id: "a" }]);
  });
});

describe("a lost post", () => {
  const resultAfter = (given: Choice) => {
    const result = getResult(
      choice({ ...given, events: [...(given.events ?? [lost]), history([]), timeUp] }),
    );
    return result.kind === "unconfirmed" ? result.recorded : undefined;
  };

  it("a lost post is recorded in the state and in the ledger", () => {
    const recorded = resultAfter({ shown: [x, update("w", "W", 1)] });
    expect(learned(choice({ events: [lost, history([]), timeUp] })).plan).toMatchObject({
      ...{ kind: "unsettled", recorded: { nonce: "n" } },
    });
    expect(recorded).toEqual({
      ...{ kind: "sent", declared: declaration(), seen: { ids: ["x", "w"], newest: x.created_at } },
      ...{ nonce: "n", at: now, isTextSecret: true },
    });
  });

  it("a lost post is recorded with the ID of the different object in the response", () => {
    expect(resultAfter({ events: [responds(update("i"))] })).toMatchObject({ answered: "i" });
  });

  const createReadProblem = (containerMissing: boolean, text: string) => ({
    readProblem: { containerMissing, text },
  });
  const none = { readProblem: undefined };
  const codes = [code("n")];
  it.each<[string, Event[], object]>([
    ["its resend code", [lost, history([]), timeUp], { problem: "reset", codes }],
    [
      "the reason that the incident is missing",
      [lost, unread, missing, timeUp],
      { ...createReadProblem(true, "404"), codes: [] },
    ],
    ["no problem of a read that failed after a successful one", [lost, history([]), unread, timeUp], none],
  ])("the rejection for a lost post contains %s", (_, events, said) => {
    const rejection = getRejection(choice({ events }));
    expect({ readProblem: undefined, ...rejection }).toMatchObject({ kind: "lost", ...said });
  });

  it("no version of YAML reads a resend code as a number", () => {
    const printed = Array.from({ length: 1_000 }, (_, index) => computePostCode({ nonce: `nonce ${index}` }));
    const list = printed.map((each) => `- ${each}\n`).join("");
    for (const version of ["1.1", "1.2"] as const) expect(parse(list, { version })).toEqual(printed);
  });
});

it.each<Row>([
  [
    "finds its update although clocks differ",
    [history([update("b", "A", -10), x])],
    "owns b",
    { shown: [x] },
  ],
  ["reads again if nothing is found", [history([]), byId()], "reads again"],
  [
    "doesn't find an older incident that the page didn't show before",
    [history([resolved("b", "A", -10)])],
    "reads again",
    { declared: { name: "N" }, shown: [resolved("x", "X", 5)] },
  ],
])("a search for a post %s", (_, events, outcome, more = {}) => {
  expect(decided(choice({ events: [lost, ...events], ...more }))).toBe(outcome);
});

const b = update("b", "B");
const found = [history([a])];
const gone = [history([]), timeUp];

const lostCode = code("lost");

type Settled = [what: string, given: Omit<Settling, "events">, events: readonly Event[], outcome: string];
const decides = (_: string, given: Settled[1], events: Settled[2], outcome: string) =>
  expect(decided(settled({ ...given, events }))).toBe(outcome);
const editedById = (text: string) => [
  history([], [note("lost", { id: "u" })]),
  byId(update("u", text), [note("lost", { id: "u" })]),
];
const second2 = { entry: entry("A", 2) };
const seenOld = { was: second2, declared: second2, sent: { seen: { ids: ["old"] } } };
const bothShown = [history([second, a])];

it("an earlier run's post is searched for by the ID in its note, not by its content", () => {
  const events = [history([a], [note("lost", { id: "u" })])];
  expect(decided(settled({ events }))).toBe("reads u");
});

it.each<Settled>([
  [
    "and was edited on the service, with a key",
    { was: keyed, declared: keyed },
    editedById("X"),
    "rejects: editedSince, keeps it",
  ],
  ["and was edited on the service", {}, editedById("X"), "owns u"],
  [
    "but may be the post of another resource, with a key",
    { was: keyed, declared: { ...keyed, ...B }, owners: { other: sent({}, { nonce: "other" }) } },
    found,
    "rejects: twin, keeps it",
  ],
])("an earlier run's post is found %s", decides);

it.each([
  ["of the post in the state", [note("again", { isOwn: true }), note("lost")], "lost"],
  ["of its repetition, if the first post has no note", [note("again", { isOwn: true })], "again"],
  ["of the post in the state, if only another resource has a note", [note("other")], "lost"],
])("the ID of an earlier run's post is written to the note %s", (_, notes, nonce) => {
  const { task } = settled({ events: [history([a], notes)] });
  expect(task.applied).toMatchObject([{ nonce, id: "a" }]);
});

it.each([
  [
    "an earlier run's post",
    settled({ declared: { ...B, followedBy: [entry("C")] }, events: [] }),
    ["B", "C", "A"],
  ],
  ["each update", choice({ shown: [x], notes: [note("w")] }), ["A", "X"]],
])("a task reads the notes of the declared content and of %s", (_, { ledger, task }, texts) => {
  const keys = texts.map((text) => declaration({ description: text }).contentKey);
  expect(listContentKeys(task, ledger)).toEqual(keys);
});

it("another resource owns the update of the post and declares the same content", () => {
  const given = { owners: { other: posted("a") }, events: found };
  const rejection = { kind: "twin", by: "other", id: "a" };
  expect(getRejection(settled(given))).toEqual(rejection);
});

it("a run that finds the update of an earlier post listens and then continues", () => {
  const { ledger, ...before } = settled({ events: [] });
  const read = [history([a], [note("lost", { id: "a" })])];
  const listens = after({ ...before, ledger: { ...ledger, hasListened: false } }, read);
  expect(decided(listens)).toBe("listens");
  expect(decided(after(listens, [unread]))).toBe("reads again");
});

describe("an earlier run's post isn't found", () => {
  const ordered = { followedBy: [entry("C")] };
  const seenBoth = { ...seenOld, sent: { seen: { ids: ["a", "second"] } } };
  const ofB = { declared: B, owners: { other: posted("b", B) } };
  const [shownB, shownC] = [history([b]), history([update("c", "C")])];
  it.each<Settled>([
    ["and both identical updates existed before", seenBoth, [...bothShown, timeUp], "reads"],
    ["and another resource owns the declared update", ofB, [shownB, timeUp], "reads"],
    ["and a later entry is public", { declared: ordered }, [shownC, timeUp], "rejects: laterEntry, keeps it"],
  ])("an earlier run's post isn't found %s", decides);

  it("an earlier run's post isn't found: the rejection lists the identical updates that existed before", () => {
    const shown = [{ ...second, created_at: null }, a, b];
    const seen = { ids: ["a", "second", "b"] };
    const step = settled({ declared: B, sent: { seen }, events: [history(shown), timeUp] });
    const others = [{ id: "second" }, { id: "a", since: a.created_at }];
    expect(getResult(step)).toMatchObject({ kind: "unconfirmed", rejection: { others } });
  });

  const unreadable = (containerMissing: boolean, text: string) => ({
    ...{ codes: [], readProblem: { containerMissing, text } },
  });
  it.each<[string, Event[], object]>([
    ["because the history can't be read", [unread, timeUp], unreadable(false, "503")],
    ["because the incident is missing", [missing, unread, timeUp], unreadable(true, "404")],
  ])("an earlier run's post isn't found %s", (_, events, more) => {
    const rejection = getRejection(settled({ codes: ["0000aaaa"], events }));
    expect(rejection).toEqual({ kind: "unconfirmed", sent: sent(), ...more });
  });
});

it("an earlier run's post isn't found, and the rejection records that the history shows only the latest updates", () => {
  const events = [history(fullHistory()), timeUp];
  expect(getRejection(settled({ events }))).toHaveProperty("isCut", true);
});

describe("a resend code confirms that an earlier run's post isn't public", () => {
  const full = [history(fullHistory()), byId(), timeUp, history(fullHistory())];
  const fullOfB = { declared: B } as const;
  const responded = (hours: number) => [...full, responds(update("b", "A", hours))];
  it.each<Settled>([
    ["in a cut history, and a different update is declared", fullOfB, full, "rejects: full, keeps it"],
    ["and the response to the new post contains an older update", {}, responded(-11.1), "reads"],
  ])("a resend code confirms that an earlier run's post isn't public %s", (what, given, events, outcome) =>
    decides(what, { codes: [lostCode], ...given }, events, outcome),
  );

  const early = { sent: { at: now - 30_000 } };
  const at = (ms: number) => [...gone, history([], [], now + ms)];
  const readNot = { ...unread, now: now + 90_000 };
  it.each<Settled>([
    ["too early, and the wait isn't over", early, at(89_999), "waits for 90 s"],
    ["too early, and the update doesn't appear within the wait", early, at(90_000), "reads"],
    [
      "too early, and a killed run has noted the ID at the end of the wait",
      early,
      [...gone, history([], [note("lost", { id: "u" })], now + 90_000)],
      "reads u",
    ],
    ["too early, and the history wasn't read", early, [timeUp], "waits for 90 s"],
  ])("a resend code confirms that an earlier run's post isn't public %s", (what, given, events, outcome) =>
    decides(what, { codes: [lostCode], ...given }, events, outcome),
  );

  it("a code that was set too early adds a notice, and the run keeps reading", () => {
    const { task, command } = settled({ ...early, codes: [lostCode], events: gone });
    expect(task.notices).toEqual([{ kind: "early", from: now + 90_000 }]);
    expect(command).toEqual({ kind: "read", again: true, until: now + 90_000 });
  });

  it.each<[string, Event, object]>([
    ["ends without a read", readNot, { codes: [], readProblem: { containerMissing: false, text: "503" } }],
    ["is canceled", { ...timeUp, now: now + 1 }, { codes: expect.arrayContaining([lostCode]) }],
  ])(
    "a wait for a code that was set too early and %s fails with the reason or the code",
    (_, event, said) => {
      expect(getRejection(settled({ ...early, codes: [lostCode], events: [...gone, event] }))).toMatchObject(
        said,
      );
    },
  );

  it("a resend code confirms that an earlier run's post isn't public, and the update is posted with a notice", () => {
    const { command, task } = settled({ codes: [lostCode], events: [...gone, history([])] });
    expect(command).toMatchObject({ kind: "post", denied: ["lost"] });
    expect(task).toMatchObject({ notices: [{ kind: "resent", at: now - hour }] });
  });
});

it("the task and the ledger record the update that was found for an earlier post", () => {
  const { ledger, task } = settled({ declared: B, events: found });
  const applied = [{ nonce: "lost", id: "a" }];
  expect(task).toMatchObject({ notices: [{ kind: "found", id: "a" }], applied });
  expect(ledger.settled).toEqual(["lost"]);
});

it("the state and the ledger record the update that was found although a different text is declared", () => {
  const refused = settled({ declared: B, events: found });
  const recorded = { kind: "posted", id: "a", declared: { description: "A" } };
  expect(getResult(refused)).toMatchObject({ recorded });
  expect(getRejection(refused)).toEqual({
    kind: "changed",
    fields: ["description"],
    shown: normalizeUpdate(a),
  });
  expect(learned(refused)).toMatchObject({ plan: { kind: "keeps" }, owns: [] });
});
