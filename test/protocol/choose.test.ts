import { ownId, type Plan, type Posted } from "../../provider/protocol";
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
  unconfirmed,
  update,
} from "./steps";

type Row = [what: string, given: Choice, outcome: string];
const decides = (_: string, given: Choice, outcome: string) => expect(decided(choice(given))).toBe(outcome);

const a = update("a");
const second = update("second", "A", 1);
const edited = update(idOfA, "edited");
const occurrence2 = { occurrence: 2 };
const declared = occurrence2;
const secondsOwn = update(ownId(declaration(occurrence2), 0), "A", 1);

describe("what a declaration needs", () => {
  const date = { publicIncidentUpdateDate: "2026-01-01T00:00:00Z" };
  const dated = { ...a, publicIncidentUpdateDate: "2026-01-01T00:00:00.400Z" };

  it.each<Row>([
    ["an empty history", {}, "posts"],
    ["other updates", { shown: [update("b", "B")] }, "posts"],
    ["another status", { shown: [{ ...a, status: "RESOLVED" }] }, "posts"],
    ["its update", { shown: [a] }, "has a"],
    ["its update with other white space", { shown: [{ ...a, description: " A\r\n" }] }, "has a"],
    ["two: the oldest", { shown: [second, a] }, "has a"],
    ["two, for the second", { shown: [second, a], declared }, "has second"],
    ["one, for the second", { shown: [a], declared }, "posts"],
    ["one that is listed twice, for the second", { shown: [a, a], declared }, "posts"],
    ["none, for the second", { declared }, "refuses: occurrence"],
    [
      "its id, where an older identical one isn't shown",
      { shown: [secondsOwn], declared },
      `has ${secondsOwn.id}`,
    ],
    [
      "its id and an older one",
      { shown: [update("b", "A", 2), secondsOwn], declared },
      `has ${secondsOwn.id}`,
    ],
    ["the same without ids", { shown: [secondsOwn], declared, ids: "off" }, "posts without id"],
    ["one, for the third", { shown: [a], declared: { occurrence: 3 } }, "refuses: occurrence"],
    ["a full history, for the second", { shown: fullHistory(), declared }, "refuses: full, keeps it"],
    [
      "a full history of a service that honours ids, for the second",
      { shown: fullHistory(), declared, ids: "honoured" },
      "refuses: occurrence",
    ],
    ["another date", { shown: [a], declared: date }, "posts"],
    ["the same date", { shown: [dated], declared: date }, "has a"],
    ["an update with its id, edited by hand", { shown: [edited] }, `has ${idOfA}`],
    [
      "the same, with its id in capitals",
      { shown: [{ ...edited, id: idOfA.toUpperCase() }] },
      `has ${idOfA}`,
    ],
    ["the same without ids", { shown: [edited], ids: "off" }, "posts without id"],
    ["a service that rejects ids", { ids: "rejected" }, "posts without id"],
  ])("%s", decides);
});

describe("what other resources have", () => {
  const date = { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" };
  const published = { ...a, publicIncidentUpdateDate: "2026-02-01T00:00:00Z" };
  const owned = (other: Posted) => ({ owners: { other } });
  const ofA = owned(posted("a"));
  const unsettled = (recorded = unconfirmed(), more = {}) => ({
    plans: { other: { kind: "unsettled" as const, recorded, ...more } },
  });

  it.each<Row>([
    ["the same declaration", { shown: [a], ...ofA }, "refuses: twin"],
    ["the same with another flag", { declared: { notifySubscribers: true }, ...ofA }, "refuses: twin"],
    ["the same, not shown", ofA, "refuses: twin"],
    ["the id of this one", owned(posted(idOfA, { description: "B" })), "refuses: twin"],
    [
      "the id of this one as another occurrence",
      { shown: [a], ...owned(posted(idOfA, occurrence2)) },
      "has a",
    ],
    [
      "the id, which is not sent",
      { ids: "off", ...owned(posted(idOfA, { description: "B" })) },
      "posts without id",
    ],
    [
      "a date, which the service changed",
      { declared: date, ...owned(posted("a", date, { published })) },
      "refuses: twin",
    ],
    ["another occurrence", { shown: [a], ...owned(posted("a", occurrence2)) }, "posts"],
    ["the first, for the second", { shown: [a], ...ofA, declared }, "posts"],
    ["the first, not shown, for the second", { ...ofA, declared }, "posts"],
    [
      "the second, for the first",
      { shown: [update("b", "A", 1), a], ...owned(posted("a", occurrence2)) },
      "has b",
    ],
    [
      "the second, not shown, for the third",
      { shown: [a], ...owned(posted("z", occurrence2)), declared: { occurrence: 3 } },
      "posts",
    ],
    [
      "the second and the third, not shown, for the fourth",
      {
        shown: [a],
        owners: { x: posted("x", occurrence2), y: posted("y", { occurrence: 3 }) },
        declared: { occurrence: 4 },
      },
      "posts",
    ],
    ["an unconfirmed one", unsettled(), "refuses: unsettledTwin"],
    ["an unconfirmed one of its own", { plans: { own: unsettled().plans.other } }, "posts"],
    ["one of another incident", unsettled(unconfirmed({ incidentId: "j" })), "posts"],
    ["one with other content", unsettled(unconfirmed({ description: "B" })), "posts"],
    ["one that was given up", unsettled(unconfirmed(), { isConsented: true }), "posts"],
    ["one that was never sent", unsettled(unconfirmed({}, { nothingSent: true })), "posts"],
  ])("%s", decides);
});

describe("what the resource had", () => {
  const shown = [update("b", "B", 1), a];
  const again = update("second", "A", 2);
  const all = [again, ...shown];
  const wasB = posted("b", { description: "B" });
  const replaces = (recorded: Posted): { own: Plan } => ({ own: { kind: "replaces", recorded } });
  const pastOne = (id: string, text = "A") => ({ id, key: keyOf(text), occurrence: 1, incident: "i" });
  const past = (id: string) => [pastOne(id)];
  const plans = replaces({ ...wasB, past: past("a") });
  const wasSecond = replaces({ ...wasB, past: past("second") });
  const checked = (...changed: ("status" | "description")[]) => ({
    own: { kind: "checked" as const, changed },
  });

  it.each<Row>([
    ["it published A before", { shown, plans }, "refuses: changedBack"],
    ["it published A before, and B is not shown", { shown: [a], plans }, "refuses: changedBack"],
    ["it published A before, which is not shown", { shown: [], plans }, "refuses: changedBack"],
    ["it published A before, and so did another", { shown: all, plans }, "refuses: changedBack"],
    ["it published A before, for the second", { shown, declared, plans }, "posts"],
    ["and the second in a run that was killed", { shown: all, declared, plans }, "has second"],
    [
      "it published the second before",
      { shown: all, owners: { other: posted("a") }, declared, plans: wasSecond },
      "refuses: changedBack",
    ],
    [
      "another resource has the second, which this one had before, for the third",
      {
        shown: [a],
        owners: { other: posted("second", occurrence2) },
        declared: { occurrence: 3 },
        plans: wasSecond,
      },
      "posts",
    ],
    [
      "it published another text before, and another resource has the second",
      {
        shown: [update("c", "A", 1), a],
        owners: { other: posted("a", occurrence2) },
        plans: replaces({ ...wasB, past: [pastOne("x", "X")] }),
      },
      "has c",
    ],
    ["it never published A", { shown, plans: replaces(wasB) }, "has a"],
    ["diff was not called, and nothing changed", { plans: checked() }, "refuses: repeat, keeps it"],
    ["diff was not called, nothing changed, and it is public", { shown, plans: checked() }, "has a"],
    ["diff was not called for a change", { plans: checked("status") }, "refuses: changed"],
    ["diff was not called for a change that is public", { shown, plans: checked("status") }, "has a"],
  ])("%s", decides);
});

describe("what was sent", () => {
  const ofB = { sent: [note("x", { text: "B" })] };
  const ofU = { sent: [note("x", { id: "u" })] };
  const hoursAgo = { mayAppearUntil: now - 3_600_000 };
  const reported = (more = {}) => ({ sent: [note("x", { isReported: true, ...hoursAgo, ...more })] });
  const followedBy = [entry("B")];
  const wasU: Plan = { kind: "replaces", recorded: posted("u", { description: "B" }) };

  it.each<Row>([
    ["the same", { sent: [note("x")] }, "waits for 60 s"],
    ["two: the later", { sent: [note("x"), note("y", { mayAppearUntil: now + 90_000 })] }, "waits for 90 s"],
    ["other content", ofB, "posts"],
    ["long ago", { sent: [note("x", { mayAppearUntil: now })] }, "posts"],
    ["long ago, and its result was reported as unknown", reported(), "refuses: noted, keeps it"],
    ["the same, and somebody published it", { ...reported(), shown: [a], declared }, "posts"],
    ["the same, the second", { ...reported(declared), shown: [a], declared }, "refuses: noted, keeps it"],
    [
      "a later entry, whose result was reported as unknown",
      { ...reported({ text: "B" }), declared: { followedBy } },
      "refuses: noted, keeps it",
    ],
    ["a known update", ofU, "asks for u"],
    ["a known update that the resource had", { plans: { own: wasU }, ...ofU }, "posts"],
    ["a known update, which is shown with another text", { shown: [update("u", "edited")], ...ofU }, "posts"],
    ["a known update of another resource", { owners: { other: posted("u") }, declared, ...ofU }, "posts"],
    ["a later entry", { declared: { followedBy: [entry("B")] }, ...ofB }, "waits for 60 s"],
    [
      "a later entry, long ago",
      { sent: [note("x", { text: "B", ...hoursAgo })], declared: { followedBy } },
      "posts",
    ],
    ["one without an id and one with", { sent: [note("x"), note("y", { id: "u" })] }, "asks for u"],
    ["a known update, where another is shown", { shown: [update("x", "X")], ...ofU }, "asks for u"],
    [
      "a known update, where the resource had another",
      { plans: { own: { ...wasU, recorded: posted("z", { description: "B" }) } }, ...ofU },
      "asks for u",
    ],
    [
      "two known updates, for the third",
      { sent: [note("x", { id: "u" }), note("y", { id: "v" })], declared: { occurrence: 3 } },
      "asks for u",
    ],
    [
      "the same, which another resource has as the second",
      { ...reported(), shown: [a], owners: { other: posted("a", occurrence2) } },
      "refuses: noted, keeps it",
    ],
    ["another occurrence of a later entry", { declared: { followedBy: [entry("B", 2)] }, ...ofB }, "posts"],
  ])("%s", decides);
});

describe("what is said of it", () => {
  const refusalOf = (given: Choice) => {
    const { command } = choice(given);
    return command.do === "finish" && command.result.kind === "failed" ? command.result : undefined;
  };
  const twin = { why: "twin", by: "other", hasOwn: false };

  it("an update that is adopted", () => {
    expect(choice({ shown: [a] }).task.notices).toEqual([{ tell: "adopted", update: a }]);
    expect(choice({}).task.notices).toEqual([]);
  });

  it("an update that another resource has", () => {
    const { refusal } = refusalOf({ owners: { other: posted("a") } }) ?? {};
    expect(refusal).toEqual({ ...twin, id: "a" });
  });

  it("an id that another resource has", () => {
    const { refusal } = refusalOf({ owners: { other: posted(idOfA, { description: "B" }) } }) ?? {};
    expect(refusal).toEqual({ ...twin, id: idOfA, differs: "content" });
  });

  it("a text that the resource published before: since when, and which occurrence is the next", () => {
    const past = [{ id: "a", key: keyOf("A"), occurrence: 1, incident: "i" }];
    const own: Plan = { kind: "replaces", recorded: posted("b", { description: "B" }, { past }) };
    const why = { why: "changedBack", id: "a", next: 2 };
    const shown = [update("b", "B", 1), a];
    expect(refusalOf({ shown, plans: { own } })?.refusal).toStrictEqual({ ...why, since: a.created_at });
    expect(refusalOf({ plans: { own } })?.refusal).toStrictEqual(why);
  });

  it("posts for which it waits", () => {
    const sent = [note("x", { text: "B" }), note("y")];
    const { task, command } = choice({ declared: { followedBy: [entry("B")] }, sent });
    expect(task.notices).toEqual([{ tell: "waits", ms: 60_000, isLater: true }]);
    expect(command).toEqual({ do: "read", again: true, until: now + 60_000 });
  });

  it.each([
    ["fail", false],
    ["resend", true],
  ] as const)(
    "a question, with onUnconfirmed %j: a consent from before answers nothing",
    (onUnconfirmed, consumed) => {
      const { keep } = refusalOf({ shown: fullHistory(), declared: { onUnconfirmed } }) ?? {};
      expect(keep).toMatchObject({ kind: "unconfirmed", nothingSent: true, consumed });
    },
  );
});
