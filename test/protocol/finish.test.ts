import { begin, type Ledger, type Posted, type Step, type Task, withPlan } from "../../provider/protocol";
import { done, failed, kept, recordOf } from "../../provider/protocol/finish";
import { declaration, ledgerOf, posted, unconfirmed, update } from "./steps";

const B = { description: "B" };
const task = (declared = {}): Task =>
  begin(ledgerOf(), { resource: "own", declared: declaration(declared), nonce: "n" }).task;

/** What the run knows of the resource afterwards, and which resource has the update. */
const known = ({ ledger }: Step) => ({ plan: ledger.plans.get("own"), owner: ledger.owners.get("a")?.by });

describe("what the run remembers of a resource", () => {
  const refusal = { why: "failed", text: "503" } as const;
  const ended = (keep: Posted, declared = {}) => known(failed(ledgerOf(), task(declared), refusal, keep));
  const recorded = posted("a");
  const keeps = { plan: { kind: "keeps", recorded }, owner: "own" };

  it("that has its update", () => {
    expect(known(done(ledgerOf(), task(), update("a")))).toMatchObject({
      plan: { kind: "keeps", recorded: { id: "a" } },
      owner: "own",
    });
  });

  it("that the engine replaces without a change", () => {
    const after = kept(ledgerOf(), task({ notifySubscribers: true }), recorded);
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

  describe("that is unconfirmed", () => {
    const keep = unconfirmed();
    const plan = { kind: "unsettled", recorded: keep } as const;
    const after = (ledger: Ledger) => known(failed(ledger, task(), refusal, keep)).plan;

    it("since this declaration", () => expect(after(ledgerOf())).toEqual(plan));

    it("and consented to", () => {
      const consented = { ...plan, isConsented: true };
      expect(after(withPlan(ledgerOf(), "own", consented))).toBe(consented);
    });

    it("about another post than before", () => {
      const before = { ...plan, recorded: unconfirmed({}, { nonce: "before" }), isConsented: true };
      expect(after(withPlan(ledgerOf(), "own", before))).toEqual(plan);
    });
  });
});

describe("what the state records of a public update", () => {
  const past = (id: string) => ({ id, key: id, occurrence: 1, incident: "i" });

  it("names each earlier one once, without itself", () => {
    const lineage = { past: [past("a"), past("b"), past("b")], current: past("c") };
    expect(recordOf({ ...task(), lineage }, declaration(), update("a"))).toMatchObject({
      kind: "posted",
      id: "a",
      missing: false,
      past: [past("b"), past("c")],
    });
  });
});
