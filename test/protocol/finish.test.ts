import { begin, type Posted, type Step, type Task } from "../../provider/protocol";
import { done, failed, unchanged, recordOf } from "../../provider/protocol/decide";
import { declaration, ledgerOf, posted, refusalOf, sent, update } from "./steps";

const B = { description: "B" };
const none = { past: [] };
const task = (declared = {}, codes: string[] = []): Task =>
  begin(ledgerOf(), { resource: "own", declared: declaration(declared), nonce: "n", codes }).task;

/** What the run knows of the resource afterwards, and which resource has the update. */
const known = ({ ledger }: Step) => ({ plan: ledger.plans.get("own"), owner: ledger.owners.get("a")?.by });

describe("what the run remembers of a resource", () => {
  const refusal = { why: "failed", text: "503" } as const;
  const ended = (keep: Posted, declared = {}) => known(failed(ledgerOf(), task(declared), refusal, keep));
  const recorded = posted("a");
  const keeps = { plan: { kind: "keeps", recorded }, owner: "own" };

  it("that has its update", () => {
    expect(known(done(ledgerOf(), task(), update("a"), none))).toMatchObject({
      plan: { kind: "keeps", recorded: { id: "a" } },
      owner: "own",
    });
  });

  it("that the engine replaces without a change", () => {
    const after = unchanged(ledgerOf(), task({ notifySubscribers: true }), recorded);
    expect(known(after)).toMatchObject({
      plan: { kind: "keeps", recorded: { id: "a", declared: { notifySubscribers: true } } },
      owner: "own",
    });
  });

  it("that failed while it has the declared update", () => {
    expect(ended(recorded)).toEqual(keeps);
  });

  it("that failed while its update is replaced", () => {
    expect(ended(recorded, B)).toEqual({ plan: { kind: "replaces", recorded }, owner: undefined });
  });

  it("that failed because its update may not be replaced", () => {
    expect(ended(recorded, { ...B, onChange: "refuse" })).toEqual(keeps);
  });

  it("that failed before anything is known", () => {
    const ledger = ledgerOf();
    expect(failed(ledger, task(), refusal).ledger).toBe(ledger);
  });

  it("that is unconfirmed", () => {
    const keep = sent();
    expect(known(failed(ledgerOf(), task(), refusal, keep)).plan).toEqual({
      kind: "unsettled",
      recorded: keep,
    });
  });

  it("that failed while its state has a post without a result", () => {
    const { ledger, command } = failed(ledgerOf(), { ...task(), kept: sent() }, refusal);
    expect(ledger.plans.get("own")).toEqual({ kind: "unsettled", recorded: sent() });
    expect(command).toMatchObject({ result: { keep: sent() } });
  });
});

describe("the posts of which the update is known", () => {
  const before = { nonce: "before", id: "b" };
  it.each([
    ["its own", "n", [before, { nonce: "n", id: "a" }]],
    ["none of its own", undefined, [before]],
  ])("include %s", (_, nonce, applied) => {
    const after = done(ledgerOf(), { ...task(), applied: [before] }, update("a"), none, nonce);
    expect(after.task.applied).toEqual(applied);
  });
});

describe("the codes that a refusal prints", () => {
  const set99 = Array.from({ length: 99 }, (_, index) => `code-${index}`);
  const noted = { why: "noted", posts: [], isLater: false } as const;
  it.each([
    ["the one to set", [], ["x"], ["x"]],
    ["with those that are set", ["a", "b"], ["x"], ["a", "b", "x"]],
    ["each once", ["x", "a"], ["x", "y"], ["a", "x", "y"]],
    ["none when no answer helps", ["a"], [], []],
    ["as many as can be set", ["a"], [...set99, "x"], [...set99, "x"]],
    ["none where more are asked for than can be set", ["a"], [...set99, "x", "y"], []],
    ["without the oldest ones that are set beyond 100", ["oldest", ...set99], ["x"], [...set99, "x"]],
  ])("%s", (_, set, codes, printed) => {
    expect(refusalOf(failed(ledgerOf(), task({}, set), { ...noted, codes }))).toEqual({
      ...noted,
      codes: printed,
    });
  });

  it("are no part of a refusal that asks nothing", () => {
    const refusal = { why: "repeat" } as const;
    expect(refusalOf(failed(ledgerOf(), task({}, ["a"]), refusal))).toStrictEqual(refusal);
  });
});

describe("what the state records of a public update", () => {
  const past = (id: string) => ({ id, key: id, occurrence: 1, incident: "i" });

  it("names each earlier one once, without itself", () => {
    const lineage = { past: [past("a"), past("b"), past("b")], current: past("c") };
    expect(recordOf(lineage, declaration(), update("a"))).toMatchObject({
      kind: "posted",
      id: "a",
      missing: false,
      past: [past("b"), past("c")],
    });
  });
});
