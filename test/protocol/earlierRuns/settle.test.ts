/** What an earlier run sent is settled before its resource publishes anything else. */
import { contentKey, type Event, ownId } from "../../../provider/protocol";
import { codeOfPost } from "../../../provider/protocol/question";
import {
  byId,
  codesOf,
  decided,
  declaration,
  entry,
  fullHistory,
  history,
  hour,
  idOfA,
  missing,
  note,
  now,
  posted,
  refusalOf,
  rejected,
  reported,
  sent,
  settled,
  type Settling,
  timeUp,
  unread,
  update,
} from "../steps";

const a = update("a");
const [b, old] = [update("b", "B"), update("old", "A", -1)];
const found = [history([a])];
const gone = [history([]), timeUp];
const publicIncidentUpdateDate = "2026-01-31T09:30:00Z";

const B = { description: "B" };
const refuse = { ...B, onChange: "refuse" } as const;
const second = { occurrence: 2 };
const code = codeOfPost({ nonce: "lost" });
const seen = (...ids: string[]) => ({ sent: { seen: { ids } } });
const past = [{ id: "old", key: "", occurrence: 1, incident: "i" }];
const ofAnother = { owners: { other: posted("a") } };
const there = seen("a");

type Row = [what: string, given: Omit<Settling, "events">, events: readonly Event[], outcome: string];
const decides = (_: string, given: Row[1], events: Row[2], outcome: string) =>
  expect(decided(settled({ ...given, events }))).toBe(outcome);
const unfound = "refuses: unconfirmed, keeps it";
const nextId = ownId(declaration(), 1);
const idOfB = ownId(declaration({ description: "B" }), 0);

describe("what was sent is searched for", () => {
  it.each<Row>([
    ["at first", {}, [], "reads"],
    ["and not shown: by its id", {}, [history([])], "asks for its id"],
    ["by its id, which another release made", { sent: { ownIds: ["u"] } }, [history([])], "asks for u"],
    [
      "by each id that may have been sent",
      { sent: { ownIds: [idOfA, nextId] } },
      [history([]), byId(idOfA)],
      `asks for ${nextId}`,
    ],
    ["by no id that the service ignores", { ids: "ignored" }, [history([])], "looks again"],
    ["by neither", {}, [history([]), byId(idOfA)], "looks again"],
    ["by its id after each read", {}, [history([]), byId(idOfA), history([])], "asks for its id"],
    ["and can't be read", {}, [unread], "looks again"],
    ["and was there before", there, found, "asks for its id"],
  ])("%s", decides);
});

describe("what was sent is found", () => {
  it.each<Row>([
    ["and still declared", {}, found, "has a"],
    ["by its id", {}, [history([]), byId(idOfA, update(idOfA, "edited"))], `has ${idOfA}`],
    [
      "by the id that another release made",
      { sent: { ownIds: ["u"] } },
      [history([update("u", "edited")])],
      "has u",
    ],
    [
      "with a date that is no longer declared",
      { was: { publicIncidentUpdateDate } },
      [history([{ ...a, publicIncidentUpdateDate }])],
      "has a",
    ],
    ["and only the flag changes", { declared: { notifySubscribers: true } }, found, "has a"],
    ["and another is declared", { declared: B }, found, "posts"],
    ["and another is public", { declared: B }, [history([update("b", "B", 1), a])], "has b"],
    [
      "and what it was edited to is declared",
      { declared: B },
      [history([]), byId(idOfA, update(idOfA, "B"))],
      `has ${idOfA}`,
    ],
    ["and may not change", { declared: refuse }, found, "refuses: changed, keeps a"],
    ["and the declared one is rejected", { declared: B }, [...found, rejected], "refuses: failed, keeps a"],
    [
      "and another resource has the declared one",
      { declared: B, owners: { other: posted("b", B) } },
      found,
      "refuses: twin, keeps a",
    ],
    ["and one was sent since", { declared: B }, [history([a], [note("x", { text: "B" })])], "waits for 60 s"],
    [
      "by its id, and one was sent since",
      { declared: B },
      [history([]), byId(idOfA, update(idOfA), [note("x", { text: "B" })])],
      "waits for 60 s",
    ],
    ["and the code isn't needed", { declared: B, codes: [code] }, found, "posts"],
  ])("%s", decides);
});

describe("another resource has what was sent", () => {
  it.each<Row>([
    ["and it is still declared", ofAnother, found, "refuses: twin, keeps it"],
    ["and another is declared", { ...ofAnother, declared: B }, found, "reads"],
    ["and it may not change", { ...ofAnother, declared: refuse }, found, "refuses: changed, keeps it"],
    ["and its own is left", { ...seen("old"), ...ofAnother }, [history([a, old])], "has old"],
    [
      "and what is left was this resource's",
      { sent: { seen: { ids: ["old"] }, past }, ...ofAnother },
      [history([a, old])],
      "refuses: twin, keeps it",
    ],
    ["as another occurrence", { owners: { other: posted("a", second) } }, found, "asks for its id"],
    ["and it is its own", { owners: { own: posted("a") } }, found, "has a"],
  ])("%s", decides);

  it.each([
    ["the same", {}, undefined],
    ["what it was edited to", B, "content"],
  ])("which declares %s", (_, declared, differs) => {
    const given = { owners: { other: posted(idOfA, declared) }, events: [history([update(idOfA, "B")])] };
    const refusal = { why: "twin", by: "other", id: idOfA, isPosted: false, differs };
    expect(refusalOf(settled(given))).toEqual(refusal);
  });

  it("says which fields may not change", () => {
    const refusal = refusalOf(settled({ declared: refuse, ...ofAnother, events: found }));
    expect(refusal).toEqual({ why: "changed", fields: ["description"] });
  });
});

describe("what was sent isn't found", () => {
  const ordered = { followedBy: [entry("C")] };
  const two = { declared: second, was: second };
  it.each<Row>([
    ["", {}, gone, unfound],
    ["and another is declared", { declared: B }, gone, unfound],
    ["and the code is of another post", { codes: [codeOfPost({ nonce: "x" })] }, gone, unfound],
    ["but another was edited to it", there, [...found, timeUp], "reads"],
    ["but another was edited to it, and read", there, [...found, timeUp, ...found], "has a"],
    ["but one of two was edited to it", { ...two, ...there }, [...found, timeUp], unfound],
    ["but both were", { ...two, ...seen("a", "old") }, [history([a, old]), timeUp], "reads"],
    [
      "but one was edited to it that another has",
      { ...there, owners: { other: posted("a", B) } },
      [...found, timeUp],
      unfound,
    ],
    ["but the service made the declared words of it", { declared: B }, [history([b]), timeUp], "reads"],
    [
      "but the service made them, and they are read",
      { declared: B },
      [history([b]), timeUp, history([b])],
      "has b",
    ],
    [
      "but one of two has the declared words",
      { declared: B },
      [history([update("x", "X", 1), b]), timeUp],
      "reads",
    ],
    [
      "and the declared words were there before",
      { declared: B, ...seen("b") },
      [history([b]), timeUp],
      unfound,
    ],
    [
      "and another resource has the declared words",
      { declared: B, owners: { other: posted("b", B) } },
      [history([b]), timeUp],
      unfound,
    ],
    [
      "and a later entry is public",
      { declared: ordered },
      [history([update("c", "C")]), timeUp],
      "refuses: later, keeps it",
    ],
    [
      "and a later entry is public, with the code",
      { declared: ordered, codes: [code] },
      [history([update("c", "C")]), timeUp],
      "refuses: later, keeps it",
    ],
    ["and was never read, with the code", { codes: [code] }, [unread, timeUp], unfound],
    ["and has no incident, with the code", { codes: [code] }, [missing, timeUp], unfound],
    ["and was read once, with the code", { codes: [code] }, [history([]), unread, timeUp], "reads"],
  ])("%s", decides);

  it.each<[string, Event[], object]>([
    ["and says its code", gone, { codes: [code] }],
    [
      "and says why not",
      [unread, timeUp],
      { codes: [], readProblem: { incidentMissing: false, text: "503" } },
    ],
    [
      "and says that it has no incident",
      [missing, unread, timeUp],
      { codes: [], readProblem: { incidentMissing: true, text: "404" } },
    ],
  ])("%s", (_, events, more) => {
    expect(refusalOf(settled({ events }))).toEqual({ why: "unconfirmed", sent: sent(), ...more });
  });
});

describe("the user says that what was sent isn't public", () => {
  const again = (...noted: Parameters<typeof history>[1] & object) => [...gone, history([], noted)];
  const full = [history(fullHistory()), byId(idOfA), timeUp, history(fullHistory())];
  it.each<Row>([
    ["and it is read again", {}, gone, "reads"],
    ["and it is posted", {}, again(), "posts"],
    ["and it appears meanwhile", {}, [...gone, ...found], "has a"],
    ["and it is rejected", {}, [...again(), rejected], "refuses: failed, keeps it"],
    ["and its note is live", {}, again(note("lost")), "posts"],
    ["and a younger post is live", {}, again(note("lost"), note("younger")), "waits for 60 s"],
    ["and another is reported", {}, again(reported("x")), "refuses: noted, keeps it"],
    ["beyond a full history", {}, full, "posts"],
    [
      "beyond a full history, and another is declared",
      { declared: B, ids: "ignored" },
      full,
      "refuses: full, keeps it",
    ],
    ["and another is declared", { declared: B }, again(), "posts"],
  ])("%s", (what, given, events, outcome) => decides(what, { codes: [code], ...given }, events, outcome));

  it("the next question prints the code of the last one, too", () => {
    const after = settled({ codes: [code], events: again(reported("x")) });
    expect(codesOf(after)).toEqual([code, codeOfPost({ nonce: "x" })]);
    expect(after.ledger.settled).toEqual(["lost"]);
  });

  it("and it appears meanwhile: the code has done its work, and isn't reported as one without effect", () => {
    expect(settled({ codes: [code], events: [...gone, ...found] }).task.used).toEqual([code]);
  });

  const resent = { tell: "resent", at: now - hour };
  it.each<[string, Omit<Settling, "events">, object]>([
    ["the same id, once", {}, { notices: [resent], phase: { id: idOfA, sent: { ownIds: [idOfA, nextId] } } }],
    [
      "the id that another release made",
      { sent: { ownIds: ["u"] } },
      { phase: { id: "u", sent: { ownIds: ["u", nextId] } } },
    ],
    [
      "the next id",
      { sent: { ownIds: [idOfA, nextId] } },
      { phase: { id: nextId, sent: { ownIds: [idOfA, nextId, ownId(declaration(), 2)] } } },
    ],
    [
      "the first id of other content",
      { declared: B, sent: { ownIds: [idOfA, nextId] } },
      { notices: [], phase: { id: idOfB, sent: { ownIds: [idOfB] } } },
    ],
    ["no id", { ids: "off", sent: { ownIds: ["u"] } }, { phase: { id: undefined, sent: { ownIds: ["u"] } } }],
  ])("and it is posted with %s", (_, given, task) => {
    const after = settled({ codes: [code], ...given, events: again() });
    expect(after.command).toMatchObject({ do: "post", denied: ["lost"] });
    expect(after.task).toMatchObject({ used: [code], ...task });
  });

  it("and a later entry of the timeline is another one", () => {
    const key = contentKey({ status: "INVESTIGATING", description: "C" });
    const given = { declared: { followedBy: [key] }, codes: [code], events: again(note("x", { text: "C" })) };
    expect(decided(settled(given))).toBe("waits for 60 s");
  });
});
