/** What a declaration needs: the guards in their order, as far as the incident shows what they are about. */
import { type StatusPageIncidentUpdate } from "../../provider/api";
import { contentKey, entryKey, type Event, ownId } from "../../provider/protocol";
import { codeOfAlike } from "../../provider/protocol/codes";
import {
  choice,
  type Choice,
  code,
  decided,
  decides,
  declaration,
  entry,
  idOfA,
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
const edited = update(idOfA, "edited");
const occurrence2 = { occurrence: 2 };
const [declared, third] = [occurrence2, { declared: { occurrence: 3 } }];
const secondsOwn = update(ownId(declaration(occurrence2), 0), "A", 1);
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
  entryKey(contentKey(of), 1, dated.publicIncidentUpdateDate);
const doubted = { noted: [reported("x")] };
const noteOfU = { noted: [note("x", { id: "u" })] };
const shownU = { shown: [update("u", "edited")] };

describe("twin: another resource declares it", () => {
  const asDated = { owners: { other: posted("a", date, { published: otherDate }) } };
  it.each<Row>([
    ["with a date, which the service changed", { declared: date, ...asDated }, "refuses: twin"],
    ["as another occurrence", { shown: [a], ...owned("a", occurrence2) }, "posts"],
    ["as this one", { shown: [a], owners: { own: posted("a", {}, { missing: true }) } }, "has a"],
  ])("%s", decides);
});

describe("changed back: the resource published it before", () => {
  const all = [update("again", "A", 2), b, a];
  it.each<Row>([
    ["and it is not shown", { shown: [], ...hadA }, "refuses: changedBack"],
    ["and the second in a run that was killed", { shown: all, declared, ...hadA }, "has again"],
  ])("%s", decides);
});

describe("adopt: it is public", () => {
  const newer = update("b", "A", 2);
  it.each<Row>([
    ["twice, for the second", { shown: [second, a], declared }, "has second"],
    ["with its id in capitals", { shown: [{ ...edited, id: idOfA.toUpperCase() }] }, `has ${idOfA}`],
    ["with its id, and a newer one", { shown: [newer, secondsOwn], declared }, `has ${secondsOwn.id}`],
    ["with the id of a note, edited by hand", { ...shownU, ...noteOfU }, "has u"],
  ])("%s", decides);
});

describe("unsettled twin: another resource sent it", () => {
  it.each<Row>([
    ["", unsettled(), "refuses: unsettledTwin"],
    ["and this run has settled another", { ...unsettled(), settledPosts: ["x"] }, "refuses: unsettledTwin"],
  ])("%s", decides);
});

describe("occurrence: earlier ones don't exist", () => {
  it.each<Row>([
    ["none, for the second", { declared }, "refuses: occurrence"],
    ["one, and another has one, not shown", { shown: [a], ...owned("z", occurrence2), ...third }, "posts"],
  ])("%s", decides);
});

describe("a later entry of the timeline is public", () => {
  const timeline = { followedBy: [entry("B"), entry("C", 2)] };
  const noteOf = (text: string) => ({ noted: [reported("x", { id: "u", text })] });
  const beforeDated = { declared: { followedBy: [datedEntry(a)] } };
  const ofOtherTimeline = {
    ...owned("b", { description: "B", entry: `${entry("B")}#@1` }),
    noted: [note("y", { text: "B", id: "b" })],
  };
  it.each<Row>([
    ["it is in the history", { shown: [b] }, "refuses: laterEntry"],
    ["it is the one of a note, edited by hand", { ...shownU, ...noteOf("B") }, "refuses: laterEntry"],
    ["it is one of another timeline, with a note, not shown", ofOtherTimeline, "posts"],
    [
      "it is that of its own timeline, not shown",
      owned("b", { ...textB, entry: entry("B") }),
      "refuses: laterEntry",
    ],
    ["it has equal words, and a date", { ...beforeDated, shown: [dated] }, "refuses: laterEntry"],
    ["it has equal words, and a date, and is not", { ...beforeDated, shown: [a] }, "has a"],
    ["one of a note is, which is not shown", { shown: [x], ...noteOf("B") }, "asks for u"],
  ])("%s", (_, given, outcome) =>
    expect(decided(choice({ ...given, declared: { ...timeline, ...given.declared } }))).toBe(outcome),
  );
});

describe("equal words of another date are public", () => {
  const noon = "2026-01-05T12:00:00Z";
  const rounded = { ...a, publicIncidentUpdateDate: "2026-01-05" };
  const notA = codeOfAlike(ownId(declaration({ publicIncidentUpdateDate: noon }), 0), "a");
  it.each<Row>([
    ["not the declared date", { shown: [a] }, "refuses: alike"],
    [
      "of another resource",
      { shown: [a], ...owned("a", { publicIncidentUpdateDate: noon.replace("12", "11") }) },
      "posts",
    ],
    [
      "of another resource, by its words",
      { shown: [a], ...owned("a", {}, { isByWords: true }) },
      "refuses: alike",
    ],
    ["and the user says that it is another", { shown: [a], codes: [notA] }, "posts"],
    [
      "posted with the date that it shows, by its id",
      {
        shown: [
          {
            ...otherDate,
            id: ownId(declaration({ publicIncidentUpdateDate: otherDate.publicIncidentUpdateDate }), 0),
          },
        ],
      },
      "posts",
    ],
  ])("%s", (what, given, outcome) =>
    decides(what, { ...given, declared: { publicIncidentUpdateDate: noon, ...given.declared } }, outcome),
  );

  it.each<[string, StatusPageIncidentUpdate, object]>([
    ["the date that it shows, as one may be declared", rounded, { date: "2026-01-05T00:00:00.000Z" }],
    ["that it shows none", a, {}],
  ])("and is named with %s", (_, shown, date) => {
    const given = { shown: [shown], declared: { publicIncidentUpdateDate: noon } };
    const alike = [{ id: "a", ...date, code: notA }];
    expect(refusalOf(choice(given))).toEqual({ why: "alike", updates: alike, codes: [notA] });
    const beforeB = { shown: [shown, b], declared: { ...given.declared, followedBy } };
    expect(refusalOf(choice(beforeB))).toEqual({ why: "laterEntry", id: "b", alike });
  });
});

describe("the entry that it follows", () => {
  it.each<Row>([
    ["is public", { shown: [x] }, "posts"],
    ["is not", {}, "refuses: earlierEntry"],
  ])("%s", (what, given, outcome) =>
    decides(
      what,
      { ...given, declared: { followedBy: [], follows: entry("X"), ...given.declared } },
      outcome,
    ),
  );
});

describe("what is said", () => {
  const twin = { why: "twin", by: "other", isPosted: false };
  const changedBack = { why: "changedBack", id: "a", next: 2 };

  it.each<[string, Choice, object]>([
    ["another resource has it", ofA, { ...twin, id: "a" }],
    [
      "another has its id",
      owned(idOfA, { description: "B" }),
      { ...twin, why: "idOfAnother", id: idOfA, differs: "content" },
    ],
    [
      "another occurrence has its id",
      owned(idOfA, { occurrence: 2 }),
      { ...twin, why: "idOfAnother", id: idOfA, differs: "occurrence" },
    ],
    ["since when it was public", { shown: [b, a], ...hadA }, { ...changedBack, since: a.created_at }],
    [
      "which occurrence is the next",
      { shown: [second, b, a], ...hadA },
      { ...changedBack, since: a.created_at, next: 3 },
    ],
    ["what may not change", changedStatus, { why: "changed", fields: ["status"] }],
    [
      "which code answers, and which one is set",
      { ...doubted, codes: ["0000aaaa"] },
      {
        why: "noted",
        posts: doubted.noted,
        isLater: false,
        codes: ["0000aaaa", code("x")],
        set: ["0000aaaa"],
      },
    ],
  ])("%s", (_, given, refusal) => {
    expect(refusalOf(choice(given))).toEqual(refusal);
  });

  it("what is adopted", () => {
    expect(choice({ shown: [a] }).task.remarks).toEqual([{ tell: "adopted", update: a }]);
    expect(choice({}).task.remarks).toEqual([]);
  });

  it.each([
    ["an identical one", {}, [note("x")], false],
    ["a later entry", { followedBy }, [note("x"), note("y", { text: "B" })], true],
  ])("for what it waits, once: %s", (_, changes, noted, isLater) => {
    const again: Event = { on: "history", shown: [], noted, now: now + 1000 };
    const { task, command } = choice({ declared: changes, noted, events: [again] });
    expect(task).toMatchObject({
      remarks: [{ tell: "waits", ms: 60_000, isLater }],
      phase: { lookedUp: [], waitsUntil: now + 60_000 },
    });
    expect(command).toEqual({ do: "read", again: true, until: now + 60_000 });
  });
});
