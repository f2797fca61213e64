/** Tests the decision about an incident's impacts in each situation. incident.test.ts tests the resulting requests and messages. */
import { decideImpacts, type ImpactWrites } from "../../provider/lifecycles/impacts";

const states = { A: "UNDER_MAINTENANCE", B: "DEGRADED_PERFORMANCE", C: "MAJOR_OUTAGE" } as const;
const letters = Object.values({ A: "A", B: "B", C: "C" } as const);
const toImpacts = (letter: keyof typeof states) => [{ componentId: "checkout", status: states[letter] }];
const toKey = (letter: keyof typeof states) => `checkout=${states[letter]}`;

const now = Date.parse("2026-11-30T12:00:00Z");
const [recent, old] = [now - 119_000, now - 121_000];
const replaced = { written: toKey("B"), replaced: toKey("A") };
const unknownResult = { written: toKey("A"), pending: toKey("B") };

const decisions = new Map(Object.entries({ s: "settled", w: "write", c: "conflict" }));

// Each string lists the decisions for one set of impacts on the page: A, B or C. Its letters are for the declared impacts A, B and C.
it.each<[string, ImpactWrites | undefined, string]>([
  ["an incident that was adopted", undefined, "scc csc ccs"],
  ["impacts A that were written when the incident was opened", { written: toKey("A"), at: 0 }, "sww csc ccs"],
  // A read may still show A, and a read that shows the declared impacts may be older than the request.
  ["impacts B that replaced A less than two minutes ago", { ...replaced, at: recent }, "www wsw ccw"],
  ["impacts B that replaced A earlier", { ...replaced, at: old }, "scc wsw ccs"],
  [
    "impacts A, and a recent request with B whose result is unknown",
    { ...unknownResult, at: recent },
    "www wsw ccw",
  ],
  [
    "impacts A, and an earlier request with B whose result is unknown",
    { ...unknownResult, at: old },
    "sww wsw ccs",
  ],
])("the decision for %s", (_, writes, expected) => {
  const decide = (shown: keyof typeof states, isResolved: boolean) =>
    letters.map((declared) =>
      decideImpacts(toImpacts(declared), { isResolved, componentImpacts: toImpacts(shown) }, writes, now),
    );
  const table = expected.split(" ").map((word) => Array.from(word, (letter) => decisions.get(letter)));
  expect(letters.map((shown) => decide(shown, false))).toEqual(table);
  expect(letters.flatMap((shown) => decide(shown, true))).toEqual(Array.from({ length: 9 }, () => "over"));
});

it.each<[string, Parameters<typeof decideImpacts>[0], Parameters<typeof decideImpacts>[0] | undefined]>([
  ["an operational component", [{ componentId: "cart", status: "OPERATIONAL" }], undefined],
  ["an operational component on the page", [], [{ componentId: "cart", status: "OPERATIONAL" }]],
  [
    "the same components in a different order",
    [...toImpacts("A"), { componentId: "cart", status: "MAJOR_OUTAGE" }],
    [{ componentId: "cart", status: "MAJOR_OUTAGE" }, ...toImpacts("A")],
  ],
])("%s isn't a difference", (_, declared, componentImpacts) => {
  expect(decideImpacts(declared, { isResolved: false, componentImpacts }, undefined, now)).toBe("settled");
});

it("a component whose state is newer than this version is a conflict, even if the other components are as declared", () => {
  const shown = { isResolved: false, componentImpacts: toImpacts("A"), unknownImpacts: ["search"] };
  const written = { written: toKey("A"), at: 0 };
  expect(decideImpacts(toImpacts("A"), shown, written, now)).toBe("conflict");
  expect(decideImpacts(toImpacts("A"), { ...shown, isResolved: true }, written, now)).toBe("over");
});
