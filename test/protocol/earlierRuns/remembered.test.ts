/** What the run and the state know after a post of an earlier run was settled. */
import { step, withHistory } from "../../../provider/protocol";
import { codeOfPost } from "../../../provider/protocol/question";
import { decided, history, posted, reported, resultOf, sent, settled, timeUp, update } from "../steps";

const a = update("a");
const B = { description: "B" };
const found = [history([a])];

describe("what was found", () => {
  it("is said, with its post, for its note", () => {
    const { ledger, task } = settled({ declared: B, events: found });
    expect(task).toMatchObject({
      notices: [{ tell: "found", id: "a" }],
      applied: [{ nonce: "lost", id: "a" }],
    });
    expect(ledger.settled).toEqual(["lost"]);
  });

  it("is said to be one of several", () => {
    const { task } = settled({ events: [history([update("second", "A", 1), a])] });
    expect(task.notices).toEqual([
      { tell: "several", count: 2, id: "a" },
      { tell: "found", id: "a" },
    ]);
  });

  it("is recorded as it was sent when the change is refused", () => {
    const result = resultOf(settled({ declared: { ...B, onChange: "refuse" }, events: found }));
    expect(result).toMatchObject({ keep: { kind: "posted", id: "a", declared: { description: "A" } } });
  });

  it("counts no more as a note", () => {
    const noted = [reported("lost", { text: "B" })];
    expect(decided(settled({ declared: B, events: [history([a], noted)] }))).toBe("posts");
  });

  it("is public, so that the next occurrence is none for the resource", () => {
    const given = { declared: B, owners: { other: posted("b", B) }, events: found };
    expect(resultOf(settled(given))).toMatchObject({ refusal: { why: "twin", by: "other", isPosted: true } });
  });

  it("is the predecessor of what is published next", () => {
    const posts = settled({ declared: B, events: found });
    const after = step(posts.ledger, posts.task, { on: "posted", update: update("b", "B", 1) });
    expect(resultOf(after)).toMatchObject({ posted: { id: "b", past: [{ id: "a" }] } });
  });

  it("has the predecessors of its post", () => {
    const past = [{ id: "z", key: "Z", occurrence: 1, incident: "i" }];
    const result = resultOf(settled({ sent: { past }, events: found }));
    expect(result).toMatchObject({ posted: { id: "a", past } });
  });
});

describe("what wasn't found", () => {
  it("is unsettled for the other resources of the run", () => {
    const { ledger } = settled({ events: [history([]), timeUp] });
    expect(ledger.plans.get("own")).toEqual({ kind: "unsettled", recorded: sent() });
    expect(ledger.settled).toEqual([]);
  });

  it("is settled by the user's answer", () => {
    const codes = [codeOfPost({ nonce: "lost" })];
    expect(settled({ codes, events: [history([]), timeUp] }).ledger.settled).toEqual(["lost"]);
  });

  it("has predecessors that count for a change back", () => {
    const past = [{ id: "a", key: "k", occurrence: 1, incident: "i" }];
    const codes = [codeOfPost({ nonce: "lost" })];
    const after = settled({ sent: { past }, codes, events: [history([]), timeUp] });
    expect(after.task.phase).toMatchObject({ at: "decide", lineage: { past } });
  });
});

it("an update is taken from a read alone", () => {
  const { ledger, task } = settled({ events: [] });
  const after = step(withHistory(ledger, [a]), task, timeUp);
  expect(decided(after)).toBe("reads");
});
