/** The search for a post without a response. */
import { begin, type Event, step, withHistory, withOwner, withPlan } from "../../provider/protocol";
import { findSent } from "../../provider/protocol/search";
import {
  after,
  byId,
  choice,
  type Choice,
  decided,
  declaration,
  history,
  idOfA,
  ledgerOf,
  lost,
  posted,
  resultOf,
  sent,
  timeUp,
  unread,
  update,
} from "./steps";

const a = update("a");
const second = update("second", "A", 1);
const x = update("x", "X", 5);
const responds = (shown: typeof a): Event => ({ on: "posted", update: shown });
const secondOfA = { shown: [a], declared: { occurrence: 2 } };

describe("a search for a post", () => {
  it.each<[what: string, events: Event[], outcome: string, more?: Omit<Choice, "events">]>([
    ["finds it", [history([a])], "has a"],
    ["finds it late", [history([]), history([a])], "has a"],
    ["finds it by its id", [history([]), byId(idOfA, update(idOfA, "x"))], `has ${idOfA}`],
    ["finds the oldest of several", [history([second, a])], "has a"],
    ["finds it, although clocks differ", [history([update("b", "A", -10), x])], "has b", { shown: [x] }],
    [
      "finds it with a date, where none is declared",
      [history([{ ...a, publicIncidentUpdateDate: "2026-02-01" }])],
      "has a",
    ],
    ["finds no other status", [history([{ ...a, status: "RESOLVED" }])], "asks for its id"],
    ["finds no other words", [history([x])], "asks for its id"],
    ["asks for its id", [history([])], "asks for its id"],
    ["asks for no id that is ignored", [history([])], "looks again", { ids: "ignored" }],
    ["asks for no id that is off", [history([])], "looks again", { ids: "off" }],
    ["asks for no id after a read that failed", [unread], "looks again"],
    ["looks again", [history([]), byId(idOfA)], "looks again"],
    [
      "finds what another resource has as another occurrence",
      [history([a])],
      "asks for its id",
      { owners: { other: posted("a", { occurrence: 3 }) } },
    ],
    ["ends", [history([]), timeUp], "refuses: lost, keeps it"],
  ])("%s", (_, events, outcome, more = {}) => {
    expect(decided(choice({ events: [lost, ...events], ...more }))).toBe(outcome);
  });

  it("finds the new one after a response that was there", () => {
    const events = [responds(a), history([second, a])];
    expect(decided(choice({ ...secondOfA, events }))).toBe("has second");
  });

  it("goes on when another resource of the run has its update, and finds its own", () => {
    const { ledger, task } = choice({ events: [lost] });
    const searching = step(withOwner(ledger, "other", posted("a")), task, history([a]));
    expect(decided(searching)).toBe("asks for its id");
    expect(decided(after(searching, [history([second, a])]))).toBe("has second");
  });

  it.each<[string, Event[], object[]]>([
    ["one", [history([a])], []],
    ["two", [history([second, a])], [{ tell: "several", count: 2, id: "a" }]],
  ])("that finds %s says so, and names the post, for its note", (_, events, notices) => {
    const { task } = choice({ events: [lost, ...events] });
    expect(task).toMatchObject({ notices, applied: [{ nonce: "n", id: "a" }] });
  });
});

describe("a replacement of an update that the service doesn't show", () => {
  const past = [{ id: "b", key: "B", occurrence: 1, incident: "i" }];
  const recorded = posted("a", {}, { missing: true, past });
  const plan = { kind: "keeps", recorded } as const;
  const ledger = withPlan(ledgerOf({ own: recorded }), "own", plan);
  const beginning = { resource: "own", declared: declaration(), nonce: "n", codes: [] };
  const posts = after(begin(ledger, beginning), [history([])]);

  it("still knows what the resource published before", () => {
    const done = resultOf(after(posts, [responds(update("new"))]));
    expect(done).toMatchObject({ posted: { id: "new", past: [{ id: "b" }] } });
  });

  it("finds the update when the service has its id", () => {
    expect(decided(after(posts, [lost, history([a])]))).toBe("has a");
  });
});

describe("what a post may have created", () => {
  const long = Array.from({ length: 100 }, (_, index) => `old${index}`);
  const fullBefore = { seen: { ids: long, newest: a.created_at ?? "" } };
  const past = [{ id: "z", key: "Z", occurrence: 1, incident: "i" }];
  const takenBy = (by: string, id = "b") => ({ owners: { [by]: posted(id) } });
  it.each<[string, shown: (typeof a)[], others: object, more: object, id: string | undefined, count: number]>(
    [
      ["one", [a], {}, {}, "a", 1],
      ["the oldest of two", [update("b", "A", 1), a], {}, {}, "a", 2],
      ["not what was there before", [a], { seen: { ids: ["a"] } }, {}, undefined, 0],
      ["not an old one after a full history", [update("b", "A", -10)], fullBefore, {}, undefined, 0],
      ["one of the same minute after a full history", [update("b", "A", -1)], fullBefore, {}, "b", 1],
      [
        "an old one after 99 updates",
        [update("b", "A", -10)],
        { seen: { ...fullBefore.seen, ids: long.slice(1) } },
        {},
        "b",
        1,
      ],
      ["not what another has", [update("b", "A", 1)], {}, takenBy("other"), undefined, 0],
      ["what the resource has", [update("b", "A", 1)], {}, takenBy("own"), "b", 1],
      [
        "the one that is left",
        [update("b", "A", 1), a],
        { seen: { ids: ["a"] }, past },
        takenBy("other"),
        "a",
        1,
      ],
      ["not the one that is left, without a new one", [a], { seen: { ids: ["a"] } }, {}, undefined, 0],
      [
        "not what the resource had before",
        [update("b", "A", 1), update("z")],
        { seen: { ids: ["z"] }, past },
        takenBy("other"),
        undefined,
        0,
      ],
    ],
  )(
    "is %s",
    (
      _,
      shown,
      others,
      { owners = {} }: { owners?: Record<string, ReturnType<typeof posted>> },
      id,
      count,
    ) => {
      const result = findSent(withHistory(ledgerOf(owners), shown), "own", sent({}, others));
      expect(result).toMatchObject({ count });
      expect(result.update?.id).toBe(id);
    },
  );

  it.each([
    ["the same", {}, { by: "other", id: "b", differs: undefined }],
    ["another content", { description: "B" }, { by: "other", id: "b", differs: "content" }],
    ["another occurrence", { occurrence: 2 }, undefined],
  ])("is held by a resource that declares %s", (_, changes, heldBy) => {
    const ledger = withHistory(ledgerOf({ other: posted("b", changes) }), [update("b", "A", 1)]);
    expect(findSent(ledger, "own", sent()).heldBy).toEqual(heldBy);
  });
});
