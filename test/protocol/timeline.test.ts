/** Entries of a timeline are published in their order. */
import { choice, type Choice, decided, entry, note, posted, refusalOf, reported, update } from "./steps";

const a = update("a");
const b = update("b", "B", 1);
const [c, d] = [update("c", "C"), update("d", "C", 1)];
const x = update("x", "X");
const second = posted("d", { description: "C", occurrence: 2 });

describe("a later entry is public", () => {
  it.each<[what: string, given: Choice, outcome: string]>([
    ["none is", {}, "posts"],
    ["an earlier one is", { shown: [x] }, "posts"],
    ["it is in the history", { shown: [b] }, "refuses: later"],
    ["and so is its own update", { shown: [b, a] }, "has a"],
    [
      "it is in the state, and not shown",
      { owners: { other: posted("b", { description: "B" }) } },
      "refuses: later",
    ],
    ["it is an update of this resource", { owners: { own: posted("b", { description: "B" }) } }, "posts"],
    ["it is another occurrence", { shown: [c] }, "posts"],
    ["it is the second", { shown: [d, c] }, "refuses: later"],
    ["it is the first, after another text", { shown: [c, update("x", "X", -1)] }, "posts"],
    [
      "it is the first, which another resource has",
      { shown: [x, c], owners: { other: posted("c", { description: "C" }) } },
      "posts",
    ],
    ["another resource has another text", { owners: { other: posted("x", { description: "X" }) } }, "posts"],
    [
      "two are public, and the first of them is later",
      { declared: { followedBy: [entry("C")] }, shown: [d, c] },
      "refuses: later",
    ],
    ["it is the second of the state, not shown", { owners: { other: second } }, "refuses: later"],
    [
      "it is the one of a note, edited by hand",
      { shown: [update("u", "edited")], noted: [reported("x", { id: "u", text: "B" })] },
      "refuses: later",
    ],
    [
      "an earlier one is that of a note, edited by hand",
      { shown: [update("u", "edited")], noted: [reported("x", { id: "u", text: "X" })] },
      "posts",
    ],
    [
      "one of a note is, which is not shown",
      { shown: [x], noted: [reported("x", { id: "u", text: "B" })] },
      "asks for u",
    ],
    ["and one was sent a moment ago", { shown: [b], noted: [note("x")] }, "refuses: later"],
    ["and the user would be asked", { shown: [b], noted: [reported("x")] }, "refuses: later"],
    [
      "and its change was not decided",
      { shown: [b], plans: { own: { kind: "mayBeReplaced", changed: [] } } },
      "refuses: later",
    ],
  ])("%s", (_, given, outcome) =>
    expect(
      decided(choice({ ...given, declared: { followedBy: [entry("B"), entry("C", 2)], ...given.declared } })),
    ).toBe(outcome),
  );

  it.each<[string, Choice, string]>([
    ["the one of the state first", { shown: [b], owners: { other: second } }, "d"],
    ["the oldest that is shown", { shown: [d, c, update("b", "B", 2)] }, "d"],
  ])("is named: %s", (_, given, id) => {
    const declared = { followedBy: [entry("B"), entry("C", 2)] };
    expect(refusalOf(choice({ ...given, declared }))).toEqual({ why: "later", id });
  });
});

describe("the entry that it follows", () => {
  it.each<[what: string, given: Choice, outcome: string]>([
    ["is public", { shown: [update("x", "X")] }, "posts"],
    ["is not", {}, "refuses: earlier"],
    [
      "is public as another occurrence",
      { declared: { follows: entry("X", 2) }, shown: [x] },
      "refuses: earlier",
    ],
    [
      "was posted by this run, and is not shown",
      { owners: { other: posted("x", { description: "X" }) } },
      "posts",
    ],
    ["is not, and another text is", { shown: [b] }, "refuses: earlier"],
    ["does not exist", { declared: { follows: undefined } }, "posts"],
    ["is not, and it is public itself", { shown: [a] }, "has a"],
  ])("%s", (_, given, outcome) =>
    expect(
      decided(choice({ ...given, declared: { followedBy: [], follows: entry("X"), ...given.declared } })),
    ).toBe(outcome),
  );
});
