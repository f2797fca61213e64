import {
  begin,
  type Ledger,
  isPublic,
  planned,
  type Posted,
  type Recorded,
  type Step,
  step,
  withHistory,
  withPlan,
} from "../../provider/protocol";
import {
  decided,
  declaration,
  fullHistory,
  history,
  idOfA,
  ledgerOf,
  posted,
  unconfirmed,
  update,
} from "./steps";

function plan(ledger: Ledger, recorded: Recorded, changed = false): [Ledger, string] {
  const [after, result] = planned(ledger, "own", recorded, recorded.declared, changed);
  return [after, result.kind];
}

function declares(ledger: Ledger, description: string): Step {
  const begun = begin(ledger, { resource: "next", declared: declaration({ description }), nonce: "n" });
  return step(begun.ledger, begun.task, history([update("a", "B")]));
}

describe("what becomes of a resource", () => {
  it.each([
    ["unchanged", posted("a"), false, "same"],
    ["changed", posted("a"), true, "replace"],
    ["unconfirmed", unconfirmed(), false, "settle"],
    ["unconfirmed and changed", unconfirmed(), true, "settle"],
  ] as const)("%s", (_, recorded, changed, result) => {
    expect(plan(ledgerOf(), recorded, changed)[1]).toBe(result);
  });

  it("is refused when another resource has the same update", () => {
    expect(plan(ledgerOf({ other: posted("a") }), posted("a"))[1]).toBe("refuse");
  });

  it.each([
    ["another occurrence", { occurrence: 2 }, "occurrence"],
    ["another content", { description: "B" }, "content"],
    ["the same", {}, undefined],
  ])("is refused when another resource has its update as %s", (_, declared, differs) => {
    const ledger = ledgerOf({ other: posted("a", declared) });
    const [, result] = planned(ledger, "own", posted("a"), declaration(), false);
    expect(result).toEqual({ kind: "refuse", twin: { by: "other", id: "a", hasOwn: true, differs } });
  });

  it("has what the program declares now", () => {
    const edited = posted("a", {}, { published: update("a", "B") });
    const [after] = planned(ledgerOf(), "own", edited, declaration({ description: "B" }), false);
    expect(decided(declares(after, "A"))).toBe("posts");
    expect(decided(declares(after, "B"))).toBe("refuses: twin");
  });

  it("doesn't give up what another resource has", () => {
    const [after] = plan(ledgerOf({ other: posted("a") }), posted("a"), true);
    expect(after.owners.get("a")?.by).toBe("other");
  });

  it.each([
    ["our id", idOfA, "honoured"],
    ["another id", "a", "unknown"],
  ])("learns about ids from a state with %s", (_, id, ids) => {
    expect(plan(ledgerOf(), posted(id))[0].ids).toBe(ids);
    expect(plan(ledgerOf({}, "off"), posted(id))[0].ids).toBe("off");
  });
});

describe("a replacement by the engine alone", () => {
  const created = (recorded: Posted, declared = {}): string => {
    const ledger = withPlan(ledgerOf(), "own", { kind: "keeps", recorded });
    return decided(begin(ledger, { resource: "own", declared: declaration(declared), nonce: "n" }));
  };

  it.each([
    ["keeps the update", posted("a"), {}, "has a"],
    ["keeps it with another flag", posted("a"), { notifySubscribers: true }, "has a"],
    [
      "keeps one that was edited to the declaration",
      posted("a", {}, { published: update("a", "B") }),
      { description: "B" },
      "has a",
    ],
    ["reads for another content", posted("a"), { description: "B" }, "reads"],
    ["reads for one that is missing", posted("a", {}, { missing: true }), {}, "reads"],
  ] as const)("%s", (_, recorded, declared, outcome) => expect(created(recorded, declared)).toBe(outcome));
});

describe("what is public", () => {
  const edited = posted("a", {}, { published: update("a", "B") });
  it.each([
    ["the same", posted("a"), {}, true],
    ["another content", posted("a"), { description: "B" }, false],
    ["an edit by hand, declared", edited, { description: "B" }, true],
    ["an edit by hand, not declared", edited, {}, true],
    ["an edit by hand, on another incident", edited, { description: "B", incidentId: "j" }, false],
    ["an edit by hand, as another occurrence", edited, { description: "B", occurrence: 2 }, false],
    ["another occurrence", posted("a"), { occurrence: 2 }, false],
    ["another occurrence in a timeline", posted("a"), { occurrence: 2, followedBy: [] }, true],
    ["another incident in a timeline", posted("a"), { incidentId: "j", followedBy: [] }, false],
    ["a missing one", posted("a", {}, { missing: true }), {}, false],
    ["one that was never read", posted("a", {}, { published: undefined }), {}, false],
  ] as const)("%s", (_, recorded, declared, result) => {
    expect(isPublic(recorded, declaration(declared))).toBe(result);
  });
});

describe("the view of a run", () => {
  const few = [update("a")];
  const full = fullHistory();
  it.each([
    ["nothing read", [], false],
    ["a short history", [few], true],
    ["a full one", [full], false],
    ["a short one, then a full one that overlaps", [full.slice(1), full], true],
    ["a short one, then a full one that doesn't", [few, full], false],
    ["a full one, then a short one", [full, few], true],
    ["a full one twice", [full, full], false],
    [
      "99 updates, and one listed twice",
      [[update("old0", "old", -10), ...full.slice(1), update("old0", "old", -10)].slice(0, 99)],
      true,
    ],
  ] as const)("is complete after %s: %#", (_, reads, complete) => {
    expect(reads.reduce((ledger, shown) => withHistory(ledger, shown), ledgerOf()).view.complete).toBe(
      complete,
    );
  });

  it("keeps what an earlier read showed, with the latest content", () => {
    const first = withHistory(ledgerOf(), [update("a"), update("b")]);
    const second = withHistory(first, [update("b", "edited"), update("c")]);
    const shown = second.view.updates.map(({ id, description }) => `${id} ${description}`);
    expect(shown.sort()).toEqual(["a A", "b edited", "c A"]);
  });
});
