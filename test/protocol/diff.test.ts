/** What becomes of a resource of the stack, and what the run learns from the comparison. */
import {
  begin,
  comparedIncident,
  type Comparison,
  type Declaration,
  diff,
  type Ledger,
  type Posted,
  type Recorded,
} from "../../provider/protocol";
import { after, beginning, decided, declaration, history, ledgerOf, posted, sent, update } from "./steps";

interface Case {
  readonly recorded?: Recorded;
  readonly declared?: Partial<Declaration>;
  readonly unknown?: readonly string[];
  readonly owners?: Readonly<Record<string, Posted>>;
}

function compared({ recorded = posted("a"), declared, unknown = [], owners }: Case) {
  const known = Object.entries(declaration(declared)).filter(([name]) => !unknown.includes(name));
  const comparison: Comparison = {
    resource: "own",
    was: recorded,
    declared: Object.fromEntries(known),
    unknown: new Set(unknown),
  };
  return { ...diff(comparison, ledgerOf(owners)), alone: diff(comparison), on: comparedIncident(comparison) };
}

function planIn(ledger: Ledger | undefined): string | undefined {
  return ledger?.plans.get("own")?.kind;
}

const edited = posted("a", {}, { published: update("a", "B") });
const text = { description: "B" };
const refuse = { onChange: "refuse" } as const;
const both = { status: "RESOLVED", description: "B" } as const;
const moved = { incidentId: "j" };
const replaces = (...fields: string[]) => ({ kind: "replace", fields });
const changed = (...fields: string[]) => ({ kind: "refuse", refusal: { why: "changed", fields } });
const same = { kind: "same" };
const settle = { kind: "settle" };
const refusedText = { ...text, ...refuse };
const otherPlace = (changes: Partial<Declaration>) => ({
  recorded: edited,
  declared: { ...text, ...changes },
});
const inPlace = (field: string) =>
  replaces(...(field === "incidentId" ? [field, "description"] : ["description", field]));
const withoutIt = (fields: Partial<Posted>) => ({ recorded: { ...edited, ...fields }, declared: text });
const noText = (declared: Partial<Declaration>) => ({ declared, unknown: ["description"] });
const keysUnknown = { recorded: edited, declared: text, unknown: ["__timeline"] };

describe("what the engine does with a resource, and what the run learns", () => {
  it.each<[string, Case, difference: object, learned: string | undefined]>([
    ["unchanged", {}, same, "keeps"],
    ["another occurrence", { declared: { occurrence: 2 } }, replaces("occurrence"), "replaces"],
    ["another number in a timeline", { declared: { occurrence: 2, followedBy: [] } }, same, "keeps"],
    [
      "what it was edited to, as the second",
      otherPlace({ occurrence: 2 }),
      inPlace("occurrence"),
      "replaces",
    ],
    ["what it was edited to, in a timeline", otherPlace({ occurrence: 2, followedBy: [] }), same, "keeps"],
    ["what it was edited to, and is gone", withoutIt({ missing: true }), replaces("description"), "replaces"],
    ["another text, refuse", { declared: refusedText }, changed("description"), "replaces"],
    ["unconfirmed", { recorded: sent() }, settle, "unsettled"],
    ["unconfirmed, another incident", { recorded: sent(), declared: moved }, settle, "unsettled"],
    ["text unknown", noText({}), same, undefined],
    ["text unknown, another status, refuse", noText({ ...both, ...refuse }), changed("status"), undefined],
    ["later entries unknown", { unknown: ["__timeline"] }, same, undefined],
    ["edited, later entries unknown, and so all keys", keysUnknown, same, undefined],
  ])("%s", (_, given, difference, learned) => {
    const { difference: decided, ledger, on, alone } = compared(given);
    expect(decided).toEqual(difference);
    expect(planIn(ledger)).toBe(learned);
    expect(on).toBe(learned === "unsettled" ? "i" : (given.declared?.incidentId ?? "i"));
    expect(alone).toEqual({ difference, ledger: undefined });
  });

  it.each([
    ["another occurrence", { occurrence: 2 }, "occurrence"],
    ["another content", { description: "B" }, "content"],
    ["the same", {}, undefined],
  ])("is refused when another resource has its update as %s", (_, declared, differs) => {
    const owners = { other: posted("a", declared) };
    const { difference, ledger, alone } = compared({ owners });
    const twin = { by: "other", id: "a", isPosted: true, differs };
    expect(difference).toEqual({ kind: "refuse", refusal: { why: "twin", ...twin } });
    expect(planIn(ledger)).toBeUndefined();
    expect(alone.difference).toEqual(same);
  });

  it("has what the program declares now", () => {
    const { ledger = ledgerOf() } = compared({ recorded: edited, declared: text });
    const declares = (description: string) => {
      const begun = begin(ledger, { ...beginning(declaration({ description })), resource: "next" });
      return decided(after(begun, [history([update("a", "B")])]));
    };
    expect([declares("A"), declares("B")]).toEqual(["posts", "refuses: twin"]);
  });
});

describe("what the run learns of old inputs, after which the engine may replace without asking", () => {
  const mayBeReplaced = (...fields: string[]) => ({ kind: "mayBeReplaced", changed: fields });
  it.each<[string, declared: Partial<Declaration>, unknown: string[], plan: object | undefined]>([
    ["onChange post", text, [], undefined],
    ["onChange refuse", refusedText, [], mayBeReplaced("description")],
    ["nothing changed, onChange post", {}, [], mayBeReplaced()],
  ])("%s", (_, changes, unknown, plan) => {
    const was = { kind: "inputs", declared: declaration() } as const;
    const comparison = { resource: "own", was, declared: declaration(changes), unknown: new Set(unknown) };
    const { difference, ledger } = diff(comparison, ledgerOf());
    expect(difference).toEqual(same);
    expect(ledger?.plans.get("own")).toEqual(plan);
    expect(diff(comparison).ledger).toBeUndefined();
  });
});
