import { step } from "../../provider/protocol";
import {
  choice,
  type Choice,
  decided,
  entry,
  fullHistory,
  history,
  idOfA,
  note,
  now,
  posted,
  update,
} from "./steps";

describe("the order of a timeline", () => {
  const followedBy = [entry("B"), entry("C", 2)];
  const cases: readonly (readonly [what: string, given: Choice, outcome: string])[] = [
    ["nothing is public", {}, "posts"],
    ["an earlier entry is public", { shown: [update("x", "X")] }, "posts"],
    ["a later one is public", { shown: [update("b", "B")] }, "refuses: later"],
    ["its own update is public, too", { shown: [update("b", "B", 1), update("a")] }, "has a"],
    [
      "a later one of the state, not shown",
      { owners: { other: posted("b", { description: "B" }) } },
      "refuses: later",
    ],
    ["another occurrence is public", { shown: [update("c", "C")] }, "posts"],
    ["the second is public", { shown: [update("d", "C", 1), update("c", "C")] }, "refuses: later"],
    [
      "the first, and an older one with another text",
      { shown: [update("c", "C"), update("x", "X", -1)] },
      "posts",
    ],
    [
      "the first, which another resource has",
      { shown: [update("x", "X"), update("c", "C")], owners: { other: posted("c", { description: "C" }) } },
      "posts",
    ],
    ["another resource has another text", { owners: { other: posted("x", { description: "X" }) } }, "posts"],
    [
      "the second's words are public twice, and their first is a later one",
      { declared: { followedBy: [entry("C")] }, shown: [update("d", "C", 1), update("c", "C")] },
      "refuses: later",
    ],
    ["both occurrences are public", { shown: [update("d", "C", 1), update("c", "C")] }, "refuses: later"],
    [
      "both occurrences are public, one is not shown",
      { shown: [update("d", "C", 1)], owners: { other: posted("c", { description: "C" }) } },
      "refuses: later",
    ],
    [
      "the second one of the state, not shown",
      { owners: { other: posted("d", { description: "C", occurrence: 2 }) } },
      "refuses: later",
    ],
  ];

  it.each(cases)("%s", (_, given, outcome) =>
    expect(decided(choice({ ...given, declared: { followedBy, ...given.declared } }))).toBe(outcome),
  );
});

describe("a full history", () => {
  const cases: readonly (readonly [what: string, given: Choice, outcome: string])[] = [
    ["does not show the update", { shown: fullHistory() }, "refuses: full, keeps it"],
    ["shows the update", { shown: fullHistory(update("a")) }, "has a"],
    ["of a service that honours ids", { shown: fullHistory(), ids: "honoured" }, "asks for its id"],
    ["with 99 updates is not full", { shown: fullHistory().slice(1) }, "posts"],
  ];

  it.each(cases)("%s", (_, given, outcome) => expect(decided(choice(given))).toBe(outcome));

  it("is complete when the first read was, and the second overlaps", () => {
    const first = choice({ shown: fullHistory().slice(1), sent: [note("x")] });
    const later = history(fullHistory().slice(0, 100), [], now + 60_000);
    expect(decided(step(first.ledger, first.task, later))).toBe("posts");
  });

  it("is not complete when the second read does not overlap the first", () => {
    const first = choice({ shown: [update("first", "B")], sent: [note("x")] });
    const later = history(fullHistory(), [], now + 60_000);
    expect(decided(step(first.ledger, first.task, later))).toBe("refuses: full, keeps it");
  });

  it("permits the post of an id that a service does not show, if it honours ids", () => {
    const asked = choice({ shown: fullHistory(), ids: "honoured" });
    const absent = { on: "update", id: idOfA, update: undefined, sent: [], now } as const;
    expect(decided(step(asked.ledger, asked.task, absent))).toBe("posts");
    const present = { ...absent, update: update(idOfA, "edited") };
    expect(decided(step(asked.ledger, asked.task, present))).toBe(`has ${idOfA}`);
  });
});
