/** What an earlier run sent is settled before its resource publishes anything else, and what the state and the run know then. */
import { contentKey, contentKeysOf, type Event, ownId } from "../../provider/protocol";
import {
  after,
  byId,
  code as codeOf,
  codesOf,
  decided,
  declaration,
  entry,
  fullHistory,
  history,
  hour,
  idOfA,
  learned,
  missing,
  note,
  now,
  pastOne,
  posted,
  refusalOf,
  rejected,
  reported,
  responds,
  endingOf,
  sent,
  settled,
  type Settling,
  timeUp,
  unread,
  update,
} from "./steps";

const a = update("a");
const [b, old] = [update("b", "B"), update("old", "A", -1)];
const found = [history([a])];
const gone = [history([]), timeUp];

const B = { description: "B" };
const refuse = { ...B, onChange: "refuse" } as const;
const code = codeOf("lost");
const seen = (...ids: string[]) => ({ sent: { seen: { ids } } });
const past = [pastOne("old", "")];
const ofAnother = { owners: { other: posted("a") } };
const there = seen("a");

type Row = [what: string, given: Omit<Settling, "events">, events: readonly Event[], outcome: string];
const decides = (_: string, given: Row[1], events: Row[2], outcome: string) =>
  expect(decided(settled({ ...given, events }))).toBe(outcome);
const unfound = "refuses: unconfirmed, keeps it";
const nextId = ownId(declaration(), 1);
const idOfB = ownId(declaration(B), 0);
const editedById = (text: string) => [history([]), byId(update(idOfA, text))];
const sentTwice = { sent: { ownIds: [idOfA, nextId] } };
const byOther = { sent: { ownIds: ["u"] } };

describe("what was sent is searched for", () => {
  it.each<Row>([
    ["by each id that may have been sent", sentTwice, [history([]), byId()], `asks for ${nextId}`],
    ["by no id that the service ignores", { ids: "ignored" }, [history([])], "looks again"],
    ["by the id in its note, not by words", {}, [history([a], [note("lost", { id: "u" })])], "asks for u"],
  ])("%s", decides);
});

const noteOfB = [note("x", { text: "B" })];

describe("what was sent is found", () => {
  it.each<Row>([
    ["by its id", {}, editedById("edited"), `has ${idOfA}`],
    ["by the id that another release made", byOther, [history([update("u", "edited")])], "has u"],
    ["by the id in its note", {}, [history([update("u", "edited")], [note("lost", { id: "u" })])], "has u"],
    ["and what it was edited to is declared", { declared: B }, editedById("B"), `has ${idOfA}`],
    ["and may not change", { declared: refuse }, found, "refuses: changed, keeps a"],
    ["and the declared one is rejected", { declared: B }, [...found, rejected], "refuses: failed, keeps a"],
    ["and one was sent since", { declared: B }, [history([a], noteOfB)], "waits for 60 s"],
    [
      "and its note counts no more",
      { declared: B },
      [history([a], [reported("lost", { text: "B" })])],
      "posts",
    ],
  ])("%s", decides);
});

it("notes of what was sent are read, whatever is declared now", () => {
  const { task } = settled({ declared: { ...B, followedBy: [entry("C")] }, events: [] });
  const keys = ["B", "C", "A"].map((text) => contentKey(declaration({ description: text })));
  expect(contentKeysOf(task)).toEqual(keys);
});

describe("another resource has what was sent", () => {
  const leftOver = { sent: { seen: { ids: ["old"] }, past }, ...ofAnother };
  it.each<Row>([
    ["and another is declared", { ...ofAnother, declared: B }, found, "reads"],
    ["and it may not change", { ...ofAnother, declared: refuse }, found, "refuses: changed, keeps it"],
    ["and its own is left", { ...seen("old"), ...ofAnother }, [history([a, old])], "has old"],
    ["and what is left was this resource's", leftOver, [history([a, old])], "refuses: twin, keeps it"],
  ])("%s", decides);

  it.each([
    ["the same", {}, undefined],
    ["what it was edited to", B, "content"],
  ])("which declares %s", (_, declared, differs) => {
    const given = { owners: { other: posted(idOfA, declared) }, events: [history([update(idOfA, "B")])] };
    const refusal = { why: "twin", by: "other", id: idOfA, isPosted: false, differs };
    expect(refusalOf(settled(given))).toEqual(refusal);
  });
});

describe("what was sent isn't found", () => {
  const ordered = { followedBy: [entry("C")] };
  const othersA = { other: posted("a", B) };
  const [shownB, shownC] = [history([b]), history([update("c", "C")])];
  it.each<Row>([
    ["and another is declared", { declared: B }, gone, unfound],
    ["but another was edited to it", there, [...found, timeUp], "reads"],
    ["but one was edited to it that another has", { ...there, owners: othersA }, [...found, timeUp], unfound],
    ["but the service made the declared words of it", { declared: B }, [shownB, timeUp], "reads"],
    ["and a later entry is public", { declared: ordered }, [shownC, timeUp], "refuses: laterEntry, keeps it"],
    ["and was never read, with the code", { codes: [code] }, [unread, timeUp], unfound],
    ["and was read once, with the code", { codes: [code] }, [history([]), unread, timeUp], "reads"],
  ])("%s", decides);

  const unreadable = (incidentMissing: boolean, text: string) => ({
    ...{ codes: [], readProblem: { incidentMissing, text } },
  });
  it.each<[string, Event[], object]>([
    ["and says its code", gone, { codes: [code] }],
    ["and says why not", [unread, timeUp], unreadable(false, "503")],
    ["and says that it has no incident", [missing, unread, timeUp], unreadable(true, "404")],
  ])("%s", (_, events, more) => {
    expect(refusalOf(settled({ events }))).toEqual({ why: "unconfirmed", sent: sent(), ...more });
  });
});

describe("the user says that what was sent isn't public", () => {
  const again = (...noted: Parameters<typeof history>[1] & object) => [...gone, history([], noted)];
  const full = [history(fullHistory()), byId(), timeUp, history(fullHistory())];
  const fullOfB = { declared: B, ids: "ignored" } as const;
  it.each<Row>([
    ["and it is posted", {}, again(), "posts"],
    ["beyond a full history, and another is declared", fullOfB, full, "refuses: full, keeps it"],
  ])("%s", (what, given, events, outcome) => decides(what, { codes: [code], ...given }, events, outcome));

  it("the next question prints the code of the last one, too", () => {
    const after = settled({ codes: [code], events: again(reported("x")) });
    expect(codesOf(after)).toEqual([code, codeOf("x")]);
    expect(after.ledger.settled).toEqual(["lost"]);
  });

  it("and it appears meanwhile: the code has done its work, and isn't reported as one without effect", () => {
    expect(settled({ codes: [code], events: [...gone, ...found] }).task.usedCodes).toEqual([code]);
  });

  const resent = { tell: "resent", at: now - hour };
  const phase = (id: string | undefined, ...ownIds: string[]) => ({ phase: { id, sent: { ownIds } } });
  it.each<[string, Omit<Settling, "events">, object]>([
    ["the same id, once", {}, { remarks: [resent], ...phase(idOfA, idOfA, nextId) }],
    ["the id that another release made", byOther, phase("u", "u", nextId)],
    ["the first id of other content", { declared: B, ...sentTwice }, { remarks: [], ...phase(idOfB, idOfB) }],
    ["no id", { ids: "off", ...byOther }, phase(undefined, "u")],
  ])("and it is posted with %s", (_, given, task) => {
    const after = settled({ codes: [code], ...given, events: again() });
    expect(after.command).toMatchObject({ do: "post", denied: ["lost"] });
    expect(after.task).toMatchObject({ usedCodes: [code], ...task });
  });
});

describe("the state and the run know of what was found", () => {
  it("that it was, with its post, for its note", () => {
    const { ledger, task } = settled({ declared: B, events: found });
    const applied = [{ nonce: "lost", id: "a" }];
    expect(task).toMatchObject({ remarks: [{ tell: "found", id: "a" }], applied });
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
  ])("that it is the resource's, %s", (_, given, events, after) => {
    const refused = settled({ ...given, events });
    const recorded = { kind: "posted", id: "a", declared: { description: "A" } };
    expect(endingOf(refused)).toMatchObject({ recorded });
    expect(learned(refused)).toMatchObject(after);
  });

  it("its predecessors, each once and without itself, and that it is one itself", () => {
    const predecessors = [pastOne("a"), pastOne("z", "Z"), pastOne("z", "Z")];
    const given = { sent: { past: predecessors }, events: found };
    expect(endingOf(settled(given))).toMatchObject({ recorded: { id: "a", past: [pastOne("z", "Z")] } });
    const next = after(settled({ declared: B, events: found }), [responds(update("b", "B", 1))]);
    expect(endingOf(next)).toMatchObject({ recorded: { id: "b", past: [{ id: "a" }] } });
    expect(next.task.applied).toEqual([
      { nonce: "lost", id: "a", isByWords: true },
      { nonce: "n", id: "b" },
    ]);
  });
});
