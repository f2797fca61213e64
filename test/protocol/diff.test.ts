import {
  begin,
  comparedIncident,
  type Comparison,
  type Declaration,
  diff,
  type Ledger,
  type Posted,
  type Recorded,
  type Step,
  step,
} from "../../provider/protocol";
import { decided, declaration, history, ledgerOf, posted, sent, update } from "./steps";

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
const others = { other: posted("a") };
const replaces = (...fields: string[]) => ({ kind: "replace", fields });
const uncertain = (...fields: string[]) => ({ kind: "uncertain", fields });
const changed = (...fields: string[]) => ({ kind: "refuse", refusal: { why: "changed", fields } });
const same = { kind: "same" };
const settle = { kind: "settle" };

describe("what the engine does with a resource, and what the run learns", () => {
  it.each<[string, Case, difference: object, learned: string | undefined]>([
    ["unchanged", {}, same, "keeps"],
    ["another flag", { declared: { notifySubscribers: true } }, same, "keeps"],
    ["unchanged, refuse", { declared: refuse }, same, "keeps"],
    ["another text", { declared: text }, replaces("description"), "replaces"],
    ["more fields", { declared: both }, replaces("status", "description"), "replaces"],
    ["another occurrence", { declared: { occurrence: 2 } }, replaces("occurrence"), "replaces"],
    ["another incident", { declared: moved }, replaces("incidentId"), "replaces"],
    ["another number in a timeline", { declared: { occurrence: 2, followedBy: [] } }, same, "keeps"],
    ["what it was edited to", { recorded: edited, declared: text }, same, "keeps"],
    ["another text, refuse", { declared: { ...text, ...refuse } }, changed("description"), "replaces"],
    ["unconfirmed", { recorded: sent() }, settle, "unsettled"],
    ["unconfirmed, changed", { recorded: sent(), declared: text }, settle, "unsettled"],
    [
      "unconfirmed, changed, refuse",
      { recorded: sent(), declared: { ...text, ...refuse } },
      settle,
      "unsettled",
    ],
    ["unconfirmed, another incident", { recorded: sent(), declared: moved }, settle, "unsettled"],
    ["text unknown", { unknown: ["description"] }, uncertain("description"), undefined],
    [
      "text unknown, refuse",
      { declared: refuse, unknown: ["description"] },
      uncertain("description"),
      undefined,
    ],
    [
      "text unknown, another status",
      { declared: both, unknown: ["description"] },
      replaces("status", "description"),
      undefined,
    ],
    [
      "text unknown, another status, refuse",
      { declared: { ...both, ...refuse }, unknown: ["description"] },
      changed("status"),
      undefined,
    ],
    ["flag unknown", { unknown: ["notifySubscribers"] }, same, undefined],
    ["account unknown", { unknown: ["account"] }, same, undefined],
    ["later entries unknown", { unknown: ["followedBy"] }, same, undefined],
    [
      "later entries unknown, another number",
      { declared: { occurrence: 2 }, unknown: ["followedBy"] },
      same,
      undefined,
    ],
    [
      "edited, flag unknown",
      { recorded: edited, declared: text, unknown: ["notifySubscribers"] },
      replaces("description"),
      undefined,
    ],
    [
      "edited, account unknown",
      { recorded: edited, declared: text, unknown: ["account"] },
      replaces("description"),
      undefined,
    ],
    ["unconfirmed, text unknown", { recorded: sent(), unknown: ["description"] }, settle, undefined],
    [
      "another text than an update that another has",
      { declared: text, owners: others },
      replaces("description"),
      "replaces",
    ],
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

  it("learns nothing from a part of a declaration", () => {
    const comparison = {
      resource: "own",
      was: posted("a"),
      declared: { incidentId: "i" },
      unknown: new Set<string>(),
    };
    expect(diff(comparison, ledgerOf()).ledger).toBeUndefined();
  });

  it("doesn't give up what another resource has", () => {
    const { ledger } = compared({ declared: text, owners: others });
    expect(ledger?.owners.get("a")?.by).toBe("other");
  });

  it("has what the program declares now", () => {
    const { ledger } = compared({ recorded: edited, declared: text });
    const declares = (description: string): Step => {
      const beginning = { resource: "next", declared: declaration({ description }), nonce: "n", codes: [] };
      const begun = begin(ledger ?? ledgerOf(), beginning);
      return step(begun.ledger, begun.task, history([update("a", "B")]));
    };
    expect(decided(declares("A"))).toBe("posts");
    expect(decided(declares("B"))).toBe("refuses: twin");
  });
});

describe("what the run learns of old inputs, after which the engine may replace without asking", () => {
  it.each<[string, declared: Partial<Declaration>, unknown: string[], plan: object | undefined]>([
    ["onChange post", text, [], undefined],
    ["onChange refuse", { ...text, ...refuse }, [], { kind: "mayBeReplaced", changed: ["description"] }],
    ["nothing changed", refuse, [], { kind: "mayBeReplaced", changed: [] }],
    ["nothing changed, onChange post", {}, [], { kind: "mayBeReplaced", changed: [] }],
    [
      "a value that isn't known",
      { ...both, ...refuse },
      ["description"],
      { kind: "mayBeReplaced", changed: ["status"] },
    ],
    ["another incident", { ...moved, ...refuse }, [], { kind: "mayBeReplaced", changed: ["incidentId"] }],
  ])("%s", (_, changes, unknown, plan) => {
    const was = { kind: "inputs", declared: declaration() } as const;
    const comparison = { resource: "own", was, declared: declaration(changes), unknown: new Set(unknown) };
    const { difference, ledger } = diff(comparison, ledgerOf());
    expect(difference).toEqual(same);
    expect(ledger?.plans.get("own")).toEqual(plan);
    expect(diff(comparison).ledger).toBeUndefined();
  });
});
