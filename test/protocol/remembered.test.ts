import { type Event, type Result, type Step, step } from "../../provider/protocol";
import { decided, history, idOfA, now, posted, settled, update } from "./steps";

function resultOf({ command }: Step): Result {
  if (command.do !== "finish") throw new Error(`Not finished: ${command.do}`);
  return command.result;
}

const timeUp: Event = { on: "timeUp" };
const a = update("a");
const B = { description: "B" };

describe("what is remembered", () => {
  it("names the post that was found, for its note", () => {
    expect(settled({ events: [history([a])] }).task.applied).toEqual([{ nonce: "lost", id: "a" }]);
  });

  it("keeps the content that was found when the change is refused", () => {
    const result = resultOf(settled({ declared: { ...B, onChange: "refuse" }, events: [history([a])] }));
    expect(result).toMatchObject({ keep: { kind: "posted", declared: { description: "A" } } });
  });

  it.each([
    ["the same", {}, undefined],
    ["what it was edited to", B, "content"],
  ])("says that another resource declares %s", (_, declared, differs) => {
    const given = { owners: { other: posted(idOfA, declared) }, events: [history([update(idOfA, "B")])] };
    expect(resultOf(settled(given))).toMatchObject({ refusal: { why: "twin", by: "other", differs } });
  });

  it("remembers the predecessor of what is published next", () => {
    const posts = settled({ declared: B, events: [history([a])] });
    const after = step(posts.ledger, posts.task, { on: "posted", update: update("b", "B", 1) });
    expect(resultOf(after)).toMatchObject({ posted: { id: "b", past: [{ id: "a" }] } });
  });

  it.each([
    ["fail", false],
    ["resend", true],
  ] as const)("renews a consent in a run with onUnconfirmed %j: used %j", (onUnconfirmed, consumed) => {
    const after = settled({
      declared: { onUnconfirmed },
      unsettled: { consumed: true },
      events: [history([]), timeUp],
    });
    expect(resultOf(after)).toMatchObject({ keep: { consumed } });
  });

  it("asks for every id that may have been sent", () => {
    const absent = (before: Step): Step => {
      if (before.command.do !== "readUpdate") throw new Error(`No look by id: ${before.command.do}`);
      const { id } = before.command;
      return step(before.ledger, before.task, { on: "update", id, update: undefined, sent: [], now });
    };
    const asked = settled({ unsettled: { attempt: 1 }, events: [history([])] });
    expect(decided(asked)).toBe("asks for its id");
    expect(decided(absent(asked))).toMatch(/^asks for [0-9a-f-]{36}$/);
    expect(decided(absent(absent(asked)))).toBe("looks again");
  });
});
