/** How a declaration begins, and what becomes of it when its incident can't be read. */
import { begin, type Event, type NotedPost } from "../../provider/protocol";
import { withPlan } from "../../provider/protocol/ledger";
import { isForUpToSettle } from "../../provider/protocol/task";
import {
  after,
  byId,
  choice,
  decided,
  declaration,
  history,
  ledgerOf,
  lost,
  missing,
  note,
  now,
  posted,
  rejected,
  sent,
  settled,
  timeUp,
  unread,
  update,
} from "./steps";

const fresh = { resource: "own", declared: declaration(), nonce: "n", codes: ["c"] };

describe("a declaration begins", () => {
  it("with a read, and nothing that was looked up or found before", () => {
    const begun = begin(ledgerOf(), fresh);
    expect(decided(begun)).toBe("reads");
    expect(begun.task).toEqual({
      ...fresh,
      used: [],
      phase: { at: "decide", lineage: { past: [] }, lookedUp: [] },
      kept: undefined,
      notices: [],
      applied: [],
    });
  });

  it("with a search for what an earlier run sent, which the state keeps until then", () => {
    const was = sent();
    const begun = begin(ledgerOf(), { ...fresh, sent: was });
    expect(decided(begun)).toBe("reads");
    expect(begun.task).toMatchObject({
      phase: { at: "settle", sent: was, lookedUp: [], wasRead: false },
      kept: was,
    });
  });

  it("without the update that the service no longer shows, and with those that it had before", () => {
    const before = { id: "b", key: "k", occurrence: 1, incident: "i" };
    const recorded = { ...posted("a"), missing: true, past: [before] };
    const begun = begin(withPlan(ledgerOf(), "own", { kind: "keeps", recorded }), fresh);
    expect(decided(begun)).toBe("reads");
    expect(begun.task.phase).toEqual({ at: "decide", lineage: { past: [before] }, lookedUp: [] });
  });

  it.each([
    ["another incident", { incidentId: "j" }, "refuses: moved, keeps it"],
    ["another text", { description: "B" }, "reads"],
  ])("of which an earlier run sent %s", (_, was, outcome) => {
    expect(decided(settled({ was, events: [] }))).toBe(outcome);
  });
});

describe("an update that was looked up by the id in a note", () => {
  const edited = update("u", "edited");
  const noted = [note("x", { id: "u" })];
  const ofB = [note("x", { id: "u", text: "B" })];
  const two = [note("other", { id: "v" }), ...noted];
  it.each<[string, NotedPost[], Event, string]>([
    ["is the declared one, although it was edited", noted, byId("u", edited, noted), "has u"],
    ["is another one when the note has gone", noted, byId("u", edited), "posts"],
    ["is another one by the note of another text", noted, byId("u", edited, ofB), "posts"],
    ["isn't looked up twice", noted, byId("u", undefined, noted), "waits for 60 s"],
    ["is looked up again after the history was read", noted, history([], noted), "asks for u"],
    ["is one of two", two, byId("v", undefined, two), "asks for u"],
  ])("%s", (_, before, event, outcome) => {
    expect(decided(choice({ noted: before, events: [event] }))).toBe(outcome);
  });
});

describe("a declaration whose incident can't be read", () => {
  const waiting = history([], [note("x", { mayAppearUntil: now + 1000 })]);
  const failed = (text: string) => ({ result: { kind: "failed", refusal: { why: "failed", text } } });
  it.each<[string, Event[], object]>([
    [
      "is read again while it waits for a post",
      [waiting, unread],
      { do: "read", again: true, until: now + 1000 },
    ],
    ["fails when it doesn't wait", [unread], failed("503")],
    ["fails when the wait has ended", [waiting, { ...unread, now: now + 1000 }], failed("503")],
    ["fails when the incident is gone", [waiting, missing], failed("404")],
    ["fails when the run was cancelled", [waiting, { ...timeUp, text: "503" }], failed("503")],
    ["fails without a text", [timeUp], failed("")],
  ])("%s", (_, events, outcome) => {
    expect(after(begin(ledgerOf(), fresh), events).command).toMatchObject(outcome);
  });
});

it.each<[string, Event[], string]>([
  ["a result without a post", [rejected], "notApplied, although nothing was posted."],
  ["an unknown result without a post", [lost], "unknown, although nothing was posted."],
  ["a post without a result", [history([]), history([])], "A post led to history."],
])("is an error of the driver: %s", (_, events, text) => {
  expect(() => after(begin(ledgerOf(), fresh), events)).toThrow(text);
});

it.each([
  ["twin", false],
  ["changed", false],
  ["failed", false],
  ["lost", false],
  ["noted", false],
  ["full", false],
  ["repeat", false],
  ["moved", false],
  ["unconfirmed", true],
  ["unsettledTwin", true],
] as const)("a preview leaves a refusal to `up`: %s: %j", (why, isLeft) => {
  expect(isForUpToSettle(why)).toBe(isLeft);
});
