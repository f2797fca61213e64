/** What a declaration needs: the guards in their order, and why each has its place. */
import { type Event, type Ledger, ownId, type Plan, type Posted } from "../../provider/protocol";
import { codeOfPost } from "../../provider/protocol/question";
import {
  choice,
  type Choice,
  decided,
  declaration,
  entry,
  fullHistory,
  idOfA,
  keyOf,
  note,
  now,
  posted,
  refusalOf,
  reported,
  sent,
  update,
} from "./steps";

type Row = [what: string, given: Choice, outcome: string];
const decides = (_: string, given: Choice, outcome: string) => expect(decided(choice(given))).toBe(outcome);

const a = update("a");
const b = update("b", "B", 1);
const second = update("second", "A", 1);
const edited = update(idOfA, "edited");
const occurrence2 = { occurrence: 2 };
const [declared, third] = [occurrence2, { declared: { occurrence: 3 } }];
const secondsOwn = update(ownId(declaration(occurrence2), 0), "A", 1);
const date = { publicIncidentUpdateDate: "2026-01-01T00:00:00Z" };
const dated = { ...a, publicIncidentUpdateDate: "2026-01-01T00:00:00.400Z" };

const owned = (other: Posted) => ({ owners: { other } });
const ofA = owned(posted("a"));
const unsettled = (recorded = sent()) => ({ plans: { other: { kind: "unsettled", recorded } as const } });
const pastOne = (id: string, text = "A") => ({ id, key: keyOf(text), occurrence: 1, incident: "i" });
const wasB = posted("b", { description: "B" });
const replaces = (recorded: Posted): { own: Plan } => ({ own: { kind: "replaces", recorded } });
/** It had A, then B. */
const plans = replaces({ ...wasB, past: [pastOne("a")] });
const wasSecond = replaces({ ...wasB, past: [pastOne("second")] });
const undecided = (...changed: ("status" | "description")[]) => ({
  plans: { own: { kind: "mayBeReplaced" as const, changed } },
});
const followedBy = [entry("B")];
const live = { noted: [note("x")] };
const doubted = { noted: [reported("x")] };
const codes = [codeOfPost({ nonce: "x" })];
const full = { shown: fullHistory() };

describe("no guard speaks: it is posted", () => {
  it.each<Row>([
    ["an empty history", {}, "posts"],
    ["other updates", { shown: [update("b", "B")] }, "posts"],
    ["another status", { shown: [{ ...a, status: "RESOLVED" }] }, "posts"],
    ["another date", { shown: [a], declared: date }, "posts"],
    ["the first, for the second", { shown: [a], declared }, "posts"],
    ["the first, where ids are off", { shown: [secondsOwn], declared, ids: "off" }, "posts without id"],
    ["one that is listed twice, for the second", { shown: [a, a], declared }, "posts"],
    [
      "an update with its id that was edited, where ids are off",
      { shown: [edited], ids: "off" },
      "posts without id",
    ],
    ["a service that ignores ids", { ids: "ignored" }, "posts"],
  ])("%s", decides);
});

describe("twin: another resource declares it", () => {
  const published = { ...a, publicIncidentUpdateDate: "2026-02-01T00:00:00Z" };
  it.each<Row>([
    ["with another flag", { declared: { notifySubscribers: true }, ...ofA }, "refuses: twin"],
    [
      "with a date, which the service changed",
      { declared: date, ...owned(posted("a", date, { published })) },
      "refuses: twin",
    ],
    ["and another identical one is free", { shown: [second, a], ...ofA }, "refuses: twin"],
    ["which this one had before", { shown: [b, a], plans, ...ofA }, "refuses: twin"],
    ["as another occurrence", { shown: [a], ...owned(posted("a", occurrence2)) }, "posts"],
    ["as another content", { shown: [b], ...owned(wasB) }, "posts"],
    ["on another incident", owned(posted("a", { incidentId: "j" })), "posts"],
    ["as the first, not shown, for the second", { ...ofA, declared }, "posts"],
    ["as this one", { owners: { own: posted("a") }, shown: [a] }, "has a"],
  ])("%s", decides);
});

describe("changed back: the resource published it before", () => {
  const all = [update("again", "A", 2), b, a];
  it.each<Row>([
    ["and B since", { shown: [b, a], plans }, "refuses: changedBack"],
    ["and B, which is not shown", { shown: [a], plans }, "refuses: changedBack"],
    ["and it is not shown", { shown: [], plans }, "refuses: changedBack"],
    ["and another identical one is public, too", { shown: all, plans }, "refuses: changedBack"],
    ["and one was sent a moment ago", { shown: [a], plans, ...live }, "refuses: changedBack"],
    ["for the second", { shown: [b, a], declared, plans }, "posts"],
    ["and the second in a run that was killed", { shown: all, declared, plans }, "has again"],
    [
      "as the second, which is declared",
      { shown: [second, b, a], ...ofA, declared, plans: wasSecond },
      "refuses: changedBack",
    ],
    [
      "as the second, which another resource has, for the third",
      { shown: [a], owners: { other: posted("second", occurrence2) }, ...third, plans: wasSecond },
      "posts",
    ],
    [
      "with another text, and another resource has the second",
      {
        shown: [update("c", "A", 1), a],
        owners: { other: posted("a", occurrence2) },
        plans: replaces({ ...wasB, past: [pastOne("x", "X")] }),
      },
      "has c",
    ],
    ["never", { shown: [b, a], plans: replaces(wasB) }, "has a"],
  ])("%s", decides);
});

describe("adopt: it is public", () => {
  it.each<Row>([
    ["", { shown: [a] }, "has a"],
    ["with other white space", { shown: [{ ...a, description: " A\r\n" }] }, "has a"],
    ["with the same date", { shown: [dated], declared: date }, "has a"],
    ["twice: the oldest", { shown: [second, a] }, "has a"],
    ["twice, for the second", { shown: [second, a], declared }, "has second"],
    ["with its id, edited by hand", { shown: [edited] }, `has ${idOfA}`],
    ["with its id in capitals", { shown: [{ ...edited, id: idOfA.toUpperCase() }] }, `has ${idOfA}`],
    [
      "with its id, which another resource has as another occurrence",
      { shown: [a], ...owned(posted(idOfA, occurrence2)) },
      "has a",
    ],
    [
      "with its id, where an older one isn't shown",
      { shown: [secondsOwn], declared },
      `has ${secondsOwn.id}`,
    ],
    [
      "with its id and an older one",
      { shown: [update("b", "A", 2), secondsOwn], declared },
      `has ${secondsOwn.id}`,
    ],
    [
      "as the second, which another resource has as the first",
      { shown: [second, a], ...owned(posted("a", occurrence2)) },
      "has second",
    ],
    [
      "with the id of a note, edited by hand",
      { shown: [update("u", "edited")], noted: [note("x", { id: "u" })] },
      "has u",
    ],
    [
      "although the user says that it isn't",
      { shown: [update("u", "edited")], noted: [reported("x", { id: "u" })], codes },
      "has u",
    ],
    ["although another resource sent one", { shown: [a], ...unsettled() }, "has a"],
    ["although a later entry is, too", { shown: [b, a], declared: { followedBy } }, "has a"],
    ["although one was sent a moment ago", { shown: [a], ...live }, "has a"],
    ["although one was reported as unknown", { shown: [a], ...doubted }, "has a"],
    ["although its change was not decided", { shown: [a], ...undecided("status") }, "has a"],
    ["in a full history", { shown: fullHistory(a) }, "has a"],
  ])("%s", decides);
});

describe("unsettled twin: another resource sent it", () => {
  it.each<Row>([
    ["", unsettled(), "refuses: unsettledTwin"],
    ["for the second", { ...unsettled(), declared }, "refuses: unsettledTwin"],
    ["and its note is live", { ...unsettled(), ...live }, "refuses: unsettledTwin"],
    [
      "and a later entry is public",
      { ...unsettled(), shown: [b], declared: { followedBy } },
      "refuses: unsettledTwin",
    ],
    ["and this run has settled it", { ...unsettled(), known: ["lost"] }, "posts"],
    ["and this run has settled another", { ...unsettled(), known: ["other"] }, "refuses: unsettledTwin"],
    ["to another incident", unsettled(sent({ incidentId: "j" })), "posts"],
    ["with other content", unsettled(sent({ description: "B" })), "posts"],
    ["before this resource", { plans: { own: unsettled().plans.other } }, "posts"],
    [
      "after one with other content",
      { plans: { x: unsettled(sent({ description: "B" })).plans.other, ...unsettled().plans } },
      "refuses: unsettledTwin",
    ],
  ])("%s", decides);
});

describe("occurrence: earlier ones don't exist", () => {
  const others = { x: posted("x", occurrence2), y: posted("y", { occurrence: 3 }) };
  it.each<Row>([
    ["none, for the second", { declared }, "refuses: occurrence"],
    ["one, for the third", { shown: [a], ...third }, "refuses: occurrence"],
    ["none, and one was sent a moment ago", { declared, ...live }, "refuses: occurrence"],
    [
      "none, and a later entry is public",
      { shown: [b], declared: { ...declared, followedBy } },
      "refuses: occurrence",
    ],
    [
      "one and one of another resource, not shown, for the third",
      { shown: [a], ...owned(posted("z", occurrence2)), ...third },
      "posts",
    ],
    [
      "one and two of others, not shown, for the fourth",
      { shown: [a], owners: others, declared: { occurrence: 4 } },
      "posts",
    ],
    ["none in a full history", { ...full, declared, ids: "ignored" }, "refuses: full"],
  ])("%s", decides);
});

describe("what is said", () => {
  const saysOf = (given: Choice) => refusalOf(choice(given));
  const twin = { why: "twin", by: "other", isPosted: false };
  const changedBack = { why: "changedBack", id: "a", next: 2 };
  const longAgo = { id: "u", created_at: null } as const;

  it.each<[string, Choice, object]>([
    ["another resource has it", ofA, { ...twin, id: "a" }],
    [
      "another resource has its id",
      owned(posted(idOfA, { description: "B" })),
      { ...twin, id: idOfA, differs: "content" },
    ],
    [
      "since when the resource published it",
      { shown: [b, a], plans },
      { ...changedBack, since: a.created_at },
    ],
    ["that it published it, which is not shown", { plans }, changedBack],
    [
      "that it published it, at a time that isn't shown",
      { shown: [{ ...a, ...longAgo, id: "a" }], plans },
      changedBack,
    ],
    [
      "which occurrence is the next",
      { shown: [second, b, a], plans },
      { ...changedBack, since: a.created_at, next: 3 },
    ],
    ["how many there are", { shown: [a], ...third }, { why: "occurrence", count: 1 }],
    ["who sent it", unsettled(), { why: "unsettledTwin", by: "other" }],
    ["what may not change", undecided("status"), { why: "changed", fields: ["status"] }],
    ["which later entry is public", { shown: [b], declared: { followedBy } }, { why: "later", id: "b" }],
  ])("%s", (_, given, refusal) => {
    expect(saysOf(given)).toStrictEqual(refusal);
  });

  it("what is adopted", () => {
    expect(choice({ shown: [a] }).task.notices).toEqual([{ tell: "adopted", update: a }]);
    expect(choice({}).task.notices).toEqual([]);
  });

  it.each([
    ["an identical one", {}, [note("x")], false],
    ["a later entry", { followedBy }, [note("x"), note("y", { text: "B" })], true],
  ])("for what it waits, once: %s", (_, changes, noted, isLater) => {
    const again: Event = { on: "history", shown: [], noted, now: now + 1000 };
    const { task, command } = choice({ declared: changes, noted, events: [again] });
    expect(task).toMatchObject({
      notices: [{ tell: "waits", ms: 60_000, isLater }],
      phase: { lookedUp: [], waitsUntil: now + 60_000 },
    });
    expect(command).toEqual({ do: "read", again: true, until: now + 60_000 });
  });

  it("what the service does with ids stays known", () => {
    const kinds: Ledger["ids"][] = ["used", "ignored", "off"];
    expect(kinds.map((ids) => choice({ ids }).ledger.ids)).toEqual(kinds);
  });
});
