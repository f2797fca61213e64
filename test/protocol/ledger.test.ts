import {
  begin,
  declaresPast,
  isShownAsDeclared,
  otherOwner,
  pastOf,
  type Posted,
  withHistory,
  withPlan,
  withUpdate,
} from "../../provider/protocol";
import { decided, declaration, fullHistory, keyOf, ledgerOf, posted, update } from "./steps";

describe("a replacement by the engine alone", () => {
  const created = (recorded: Posted, declared = {}): string => {
    const ledger = withPlan(ledgerOf(), "own", { kind: "keeps", recorded });
    return decided(
      begin(ledger, { resource: "own", declared: declaration(declared), nonce: "n", codes: [] }),
    );
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
    expect(isShownAsDeclared(recorded, declaration(declared))).toBe(result);
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
    ["a short one, then a full one that overlaps in part", [[update("gone"), ...full.slice(50)], full], true],
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

  it("has an update that was read by its id once, with its latest content", () => {
    const after = withUpdate(withHistory(ledgerOf(), [update("a"), update("b")]), update("b", "edited"));
    const shown = after.view.updates.map(({ id, description }) => `${id} ${description}`);
    expect(shown.sort()).toEqual(["a A", "b edited"]);
  });
});

describe("what a resource had", () => {
  const past = { id: "a", key: keyOf("A"), occurrence: 1, incident: "i" };

  it("has a date only where one was declared or shown", () => {
    expect(pastOf(posted("a", {}, { published: undefined }))).toStrictEqual(past);
    expect(pastOf(posted("a"))).toStrictEqual(past);
  });

  it("is not what is declared on another incident", () => {
    expect(declaresPast(declaration(), past)).toBe(true);
    expect(declaresPast(declaration({ incidentId: "j" }), past)).toBe(false);
  });

  it("is another resource's for every other one", () => {
    const ledger = ledgerOf({ own: posted("a") });
    expect(otherOwner(ledger, "own", "a")).toBeUndefined();
    expect(otherOwner(ledger, "other", "a")?.by).toBe("own");
  });
});
