/** What a declaration needs: the guards in their order, what they say, and the codes that answer them. */
import { type StatusPageIncidentUpdate } from "../../provider/api";
import { parseCodes, normalizeContent, computeEntryKey, type Event, maxCodes } from "../../provider/protocol";
import { computeDeclarationKey } from "../../provider/protocol/identity";
import { computeSimilarUpdateCode, computeEditCode } from "../../provider/protocol/codes";
import {
  byId,
  choice,
  type Choice,
  code,
  codesOf,
  decided,
  decides,
  declaration,
  entry,
  history,
  note,
  now,
  pastOne,
  posted,
  refusalOf,
  reported,
  type Row,
  sent,
  update,
} from "./steps";

const a = update("a");
const b = update("b", "B", 1);
const x = update("x", "X");
const second = update("second", "A", 1);
const occurrence2 = { occurrence: 2 };
const [declared, third] = [occurrence2, { declared: { occurrence: 3 } }];
const date = { publicIncidentUpdateDate: "2026-01-01T00:00:00Z" };
const dated = { ...a, publicIncidentUpdateDate: "2026-01-01T00:00:00.400Z" };
const otherDate = { ...a, publicIncidentUpdateDate: "2026-02-01T00:00:00Z" };

const owned = (...of: Parameters<typeof posted>) => ({ owners: { other: posted(...of) } });
const ofA = owned("a");
const unsettled = (changes = {}) => ({ owners: { other: sent(changes) } });
const wasB = posted("b", { description: "B" });
/** It had A, then B. */
const hadA = { state: { ...wasB, past: [pastOne("a")] } };
const inputs = (changes = {}) => ({ state: { kind: "inputs" as const, declared: declaration(changes) } });
const changedStatus = inputs({ status: "RESOLVED" });
const textB = { description: "B" };
const followedBy = [entry("B")];
/** The entry of a timeline that repeats its words. */
const datedEntry = (of: StatusPageIncidentUpdate) =>
  computeEntryKey(normalizeContent(of).contentKey, 1, dated.publicIncidentUpdateDate);
const doubted = { noted: [reported("x")] };
const live = { noted: [note("x")] };
const codes = (...nonces: string[]) => nonces.map(code);
const shownU = { shown: [update("u", "edited")] };

const byOther = (changes = {}) => ({
  noted: [note("x", { id: "u", isFromOtherProvider: true, ...changes })],
});
it.each<Row>([
  ["as another occurrence", { shown: [a], ...owned("a", occurrence2) }, "posts"],
  ["by that process, without a result so far", byOther({ id: undefined }), "waits for 60 s"],
  [
    "by that process, with another date",
    { declared: date, ...byOther({ date: "2026-02-01T00:00:00Z" }) },
    "posts",
  ],
  [
    "by that process, with this date",
    { declared: date, ...byOther({ date: date.publicIncidentUpdateDate }) },
    "refuses: twin",
  ],
  ["as this one", { shown: [a], owners: { own: posted("a", {}, { missing: true }) } }, "has a"],
])("twin: another resource declares it %s", decides);

const all = [update("again", "A", 2), b, a];
const hadX = { ...wasB, past: [pastOne("a", "X")] };
it.each<Row>([
  ["and it is not shown", { shown: [], ...hadA }, "refuses: changedBack"],
  ["at another incident", { state: { ...wasB, past: [{ ...pastOne("a"), container: "k" }] } }, "posts"],
  ["and the second in a run that was killed", { shown: all, declared, ...hadA }, "has again"],
  ["in other words, to which somebody edited it", { shown: [a, b], state: hadX }, "has a"],
])("changed back: the resource published it before %s", decides);

it.each<Row>([["twice, for the second", { shown: [second, a], declared }, "has second"]])(
  "adopt: it is public %s",
  decides,
);

it.each<Row>([
  ["", unsettled(), "refuses: unsettledTwin"],
  ["to another incident", unsettled({ containerId: "j" }), "posts"],
])("unsettled twin: another resource sent it %s", decides);

it.each<Row>([
  ["none, for the second", { declared }, "refuses: occurrence"],
  ["none, and one was sent without a response", { declared, ...live }, "refuses: occurrence"],
  [
    "but one, which another has, and this one had",
    {
      owners: { other: posted("z", occurrence2) },
      state: { ...wasB, past: [{ ...pastOne("z"), occurrence: 2 }] },
      ...third,
    },
    "refuses: occurrence",
  ],
  [
    "two, which others have, not shown",
    { owners: { one: posted("y"), other: posted("z", occurrence2) }, ...third },
    "posts",
  ],
  ["one, and another has one, not shown", { shown: [a], ...owned("z", occurrence2), ...third }, "posts"],
])("occurrence: earlier ones don't exist %s", decides);

const timeline = { followedBy: [entry("B"), entry("C", 2)] };
const noteOf = (text: string) => ({ noted: [reported("x", { id: "u", text })] });
const reportedB = (changes: object) => ({ noted: [reported("x", { text: "B", ...changes })] });
const beforeDated = { declared: { followedBy: [datedEntry(a)] } };
const ofOtherTimeline = {
  ...owned("b", { description: "B", entry: `${entry("B")}#@1` }),
  noted: [note("y", { text: "B", id: "b" })],
};
it.each<Row>([
  ["it is the one of a note, edited by hand", { ...shownU, ...noteOf("B") }, "refuses: laterEntry"],
  ["it is one of another timeline, with a note, not shown", ofOtherTimeline, "posts"],
  ["it is one of another timeline, with a note", { ...ofOtherTimeline, shown: [b] }, "posts"],
  ["it is there twice", { shown: [update("again", "B", 2), b] }, "refuses: laterEntry"],
  ["it was reported, with a date", reportedB({ date: otherDate.publicIncidentUpdateDate }), "refuses: noted"],
  ["it is the first of two, and the second was reported", reportedB({ occurrence: 2 }), "posts"],
  [
    "it is that of its own timeline, not shown",
    owned("b", { ...textB, entry: entry("B") }),
    "refuses: laterEntry",
  ],
  ["it has equal words, and a date", { ...beforeDated, shown: [dated] }, "refuses: laterEntry"],
  ["one of a note is, which is not shown", { shown: [x], ...noteOf("B") }, "asks for u"],
  ["it was sent by a run that was killed", reportedB({ isReported: false }), "posts"],
])("a later entry of the timeline is public %s", (_, given, outcome) =>
  expect(decided(choice({ ...given, declared: { ...timeline, ...given.declared } }))).toBe(outcome),
);

describe("equal words of another date are public", () => {
  const noon = "2026-01-05T12:00:00Z";
  const rounded = { ...a, publicIncidentUpdateDate: "2026-01-05" };
  const otherDay = "2026-02-01T00:00:00Z";
  const noteOfA = (changes: Parameters<typeof note>[1]) => ({ noted: [note("x", { id: "a", ...changes })] });
  const secondNoted = { shown: [a], declared, ...noteOfA({ occurrence: 2, date: noon }) };
  const notA = computeSimilarUpdateCode(
    computeDeclarationKey(declaration({ publicIncidentUpdateDate: noon })),
    "a",
  );
  it.each<Row>([
    ["of another resource, by its words, not shown", owned("a", {}, { isByWords: true }), "refuses: alike"],
    ["and another resource has another update", { shown: [a], ...owned("b", textB) }, "refuses: alike"],
    ["posted with another date, as a note says", { shown: [a], ...noteOfA({ date: otherDay }) }, "posts"],
    ["posted as this one, as a note says, as the second", secondNoted, "refuses: alike"],
    ["with another status", { shown: [{ ...a, status: "RESOLVED" }] }, "posts"],
    ["and the user says that it is another", { shown: [a], codes: [notA] }, "posts"],
  ])("equal words of another date are public: %s", (what, given, outcome) =>
    decides(what, { ...given, declared: { publicIncidentUpdateDate: noon, ...given.declared } }, outcome),
  );

  it.each<[string, StatusPageIncidentUpdate, object]>([
    ["the date that it shows, as one may be declared", rounded, { date: "2026-01-05T00:00:00.000Z" }],
  ])("equal words of another date are named with %s", (_, shown, date) => {
    const given = { shown: [shown], declared: { publicIncidentUpdateDate: noon } };
    const alike = [{ id: "a", ...date, code: notA }];
    expect(refusalOf(choice(given))).toEqual({ kind: "alike", updates: alike, codes: [notA] });
    const beforeB = { shown: [shown, b], declared: { ...given.declared, followedBy } };
    expect(refusalOf(choice(beforeB))).toEqual({ kind: "laterEntry", id: "b", alike });
  });
});

it.each<Row>([
  ["is not", {}, "refuses: earlierEntry"],
  ["is not, and another is", { shown: [b] }, "refuses: earlierEntry"],
])("the entry that it follows %s", (what, given, outcome) =>
  decides(what, { ...given, declared: { followedBy: [], follows: entry("X"), ...given.declared } }, outcome),
);

describe("an unread id: a note knows the update", () => {
  const ofU = { noted: [note("x", { id: "u" })] };
  const ofLater = { noted: [note("x", { id: "u", text: "B" })] };
  it.each<Row>([
    ["after one that doesn't", { noted: [note("x"), note("y", { id: "u" })] }, "asks for u"],
    ["of a later entry", { declared: { followedBy }, ...ofLater }, "asks for u"],
    ["that the resource had", { state: posted("u", textB), ...ofU }, "posts"],
  ])("an unread id: a note knows the update %s", decides);
});

const ofB = { noted: [note("x", { text: "B" })] };
function answeredEarly(ms: number): Choice {
  return { noted: [reported("x", { codeStart: now + ms })], codes: [code("x")] };
}
const two = { noted: [note("x"), note("y", { mayAppearUntil: now + 90_000 })] };
it.each<Row>([
  ["two: until the later", two, "waits for 90 s"],
  ["with other content", ofB, "posts"],
  ["and this run has settled it", { ...live, settledPosts: ["x"] }, "posts"],
  ["and its code is set too early", answeredEarly(60_001), "waits for 60.001 s"],
  ["and the resource had another update", { ...live, state: wasB }, "waits for 60 s"],
])("a live note: one was sent a moment ago %s", decides);

describe("noted: only the user knows whether one is public", () => {
  const ofU = [reported("x", { id: "u", isReported: false })];
  const unfound = { noted: ofU, events: [byId(undefined, ofU)] };
  it.each<Row>([
    ["and somebody published it, for the second", { ...doubted, shown: [a], declared }, "posts"],
    ["which a response proved, not found by its id", unfound, "refuses: noted"],
    ["not found by its id, for the next occurrence", { ...unfound, declared }, "posts"],
  ])("noted: only the user knows whether one is public %s", decides);

  const later = { followedBy: [entry("B"), entry("C")] };
  const three = ["A", "B", "C"].map((text, index) => reported(text.toLowerCase(), { text, at: index + 1 }));
  const ofA = three.slice(0, 1);
  const shownLate = reported("v", { id: "v" });
  const absent = (...noted: typeof three) => ({ noted, events: [byId(undefined, noted)] });
  const xAndA = (changes: Parameters<typeof reported>[1]) => [
    reported("x", changes),
    reported("a", { date: date.publicIncidentUpdateDate }),
  ];

  it.each<[string, Choice, nonces: string[], isLater: boolean]>([
    ["not one with another date", { declared: date, noted: xAndA({}) }, ["a"], false],
    ["what is shown late before what was reported", absent(shownLate, reported("a")), ["v", "a"], false],
  ])("noted: a refusal asks about all posts at once: %s", (_, given, nonces, isLater) => {
    const asked = refusalOf(choice({ declared: later, ...given }));
    expect(asked).toMatchObject({ kind: "noted", isLater });
    expect(asked.kind === "noted" && asked.posts.map(({ nonce }) => nonce)).toEqual(nonces);
  });

  it("noted: a refusal says when the answers about all posts count", () => {
    const noted = [1, 3, 2].map((ms) => reported(`n${ms}`, { codeStart: now + ms }));
    expect(refusalOf(choice({ noted }))).toMatchObject({ kind: "noted", from: now + 3 });
  });

  const known = (...ids: string[]) => {
    const noted = ids.map((id) => reported(id, { id }));
    return [noted, ids.map(() => byId(undefined, noted))] as const;
  };
  const [ofTwo, twice] = known("v", "w");
  it.each<[string, Choice, nonces: string[]]>([
    [
      "both, for the second, where the first is public",
      { noted: ofTwo, events: twice, declared, shown: [a] },
      ["v", "w"],
    ],
    [
      "none that was sent as an earlier occurrence",
      {
        noted: [...ofTwo, reported("x")],
        events: twice.map((event) => ({ ...event, noted: [...ofTwo, reported("x")] })),
        declared,
      },
      ["w"],
    ],
  ])("noted: a refusal asks about %s", (_, given, nonces) => {
    const asked = refusalOf(choice(given));
    expect(asked.kind === "noted" && asked.posts.map(({ nonce }) => nonce)).toEqual(nonces);
  });

  const resent = [{ kind: "resent", at: 1 }];
  it.each<[string, Choice, answered: string[], remarks: object[]]>([
    ["that it isn't public", { noted: ofA, codes: codes("a", "x") }, ["a"], resent],
  ])("noted: an answer permits one post: %s", (_, given, answered, remarks) => {
    const { command, task } = choice({ declared: later, ...given });
    expect(command).toMatchObject({ kind: "post", denied: answered });
    expect(task).toMatchObject({ notices: remarks });
  });
});

it.each<Row>([["and nothing changed", inputs(), "refuses: undecided"]])(
  "undecided: the engine replaces it without diff %s",
  decides,
);

describe("codes", () => {
  it("codes are the same in each release, also as earlier ones printed them: a user may answer after an upgrade", () => {
    expect(parseCodes("70e266c4 eff1fa0d a7e266c4")).toEqual(["c0e266c4", "fff1fa0d", "a7e266c4"]);
    expect([computeSimilarUpdateCode("own", "a"), computeEditCode("a", "made", "shown", "declared")]).toEqual(
      ["aa6582b9", "b2a004a9"],
    );
    expect(codes("x")).toEqual(["c0e266c4"]);
  });

  const nonces = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  const ask = (...asked: string[]) => ({ noted: asked.map((nonce) => reported(nonce)) });
  const [all, most] = [nonces(maxCodes), nonces(maxCodes - 1)];
  it.each<[string, set: string[], asked: string[], printed: string[]]>([
    ["none where more are asked for than can be set", ["0a"], ["x", ...all], []],
    ["all 100 that are asked for, and none that is set", ["0a"], all, codes(...all)],
    ["without the oldest that are set beyond 100", ["0a", ...codes(...most)], ["x"], codes(...most, "x")],
  ])("a refusal prints %s", (_, set, asked, printed) => {
    expect(codesOf(choice({ ...ask(...asked), codes: set }))).toEqual(printed);
  });

  const malformed = expect.stringMatching("^must be codes of 8 hexadecimal digits");
  const tooMany = expect.stringMatching("^must be at most 100 codes");
  it.each<[string, text: string, read: readonly string[] | object]>([
    ["nothing", " ", []],
    ["100 codes", codes(...all).join(" "), codes(...all)],
    ["101 codes", codes(...all, "x").join(" "), { problem: tooMany }],
    ["a code with one digit too many", "cf3a1c201", { problem: malformed }],
  ])("the setting of codes is read if it has %s", (_, text, read) => expect(parseCodes(text)).toEqual(read));
});

describe("what is said", () => {
  const twin = { kind: "twin", by: "other", isPosted: false };
  const changedBack = { kind: "changedBack", id: "a", next: 2 };

  it.each<[string, Choice, object]>([
    ["another resource has it", ofA, { ...twin, id: "a" }],
    ["since when it was public", { shown: [b, a], ...hadA }, { ...changedBack, since: a.created_at }],
    ["what may not change", changedStatus, { kind: "changed", fields: ["status"] }],
    [
      "which code answers, and which one is set",
      { ...doubted, codes: ["0000aaaa"] },
      {
        kind: "noted",
        posts: doubted.noted,
        isLater: false,
        codes: ["0000aaaa", code("x")],
        set: ["0000aaaa"],
      },
    ],
    [
      "which updates it isn't about, and which code answers",
      { declared, shown: [x, { ...a, created_at: null }], noted: [reported("x", { occurrence: 2 })] },
      {
        kind: "noted",
        posts: [reported("x", { occurrence: 2 })],
        isLater: false,
        codes: codes("x"),
        others: [{ id: "a" }],
      },
    ],
  ])("a refusal says %s", (_, given, refusal) => {
    expect(refusalOf(choice(given))).toEqual(refusal);
  });

  it("a remark says what is adopted", () => {
    const remarks = [{ kind: "adopted", update: a }];
    expect(choice({ shown: [a] }).task).toMatchObject({ notices: remarks, applied: [] });
    expect(choice({}).task.notices).toEqual([]);
  });

  it.each([["a later entry", { followedBy }, [note("x"), note("y", { text: "B" })], true]])(
    "a remark says for what a run waits, once: %s",
    (_, changes, noted, isLater) => {
      const again: Event = { kind: "history", shown: [], noted, now: now + 1000 };
      const { task, command } = choice({ declared: changes, noted, events: [again] });
      expect(task).toMatchObject({
        notices: [{ kind: "waits", ms: 60_000, isLater }],
        phase: { lookedUp: [], waitsUntil: now + 60_000 },
      });
      expect(command).toEqual({ kind: "read", again: true, until: now + 60_000 });
    },
  );

  it("what a killed run posted in other words is edited, also if a read shows it only at the end of the wait", () => {
    const noted = [note("x", { text: "B", id: "b", isOwn: true })];
    const last = history([update("b", "B")], noted, now + 60_000);
    const { command } = choice({ declared: { onChange: "edit" }, noted, events: [last] });
    expect(command).toMatchObject({ kind: "edit", id: "b" });
  });
});
