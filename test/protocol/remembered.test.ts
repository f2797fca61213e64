import { type Event, type Result, type Step, step, withHistory } from "../../provider/protocol";
import { decided, history, idOfA, note, now, posted, settled, unconfirmed, update } from "./steps";

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
    expect(resultOf(settled(given))).toMatchObject({
      refusal: { why: "twin", by: "other", hasOwn: false, differs },
    });
  });

  it("says that another resource has the next update, and that this one has its own", () => {
    const given = { declared: B, owners: { other: posted("b", B) }, events: [history([a])] };
    expect(resultOf(settled(given))).toMatchObject({ refusal: { why: "twin", by: "other", hasOwn: true } });
  });

  it("says which update was found", () => {
    const { notices, phase } = settled({ declared: B, events: [history([a])] }).task;
    expect([notices, phase]).toEqual([[{ tell: "found", incidentId: "i", id: "a" }], "observe"]);
  });

  it("says which fields may not change, also when another resource has the update", () => {
    const given = { declared: { ...B, onChange: "refuse" as const }, owners: { other: posted("a") } };
    const after = settled({ ...given, events: [history([a])] });
    expect(resultOf(after)).toMatchObject({ refusal: { why: "changed", fields: ["description"] } });
  });

  it("says that a consent is used, and gives up the post that it is about", () => {
    const gone = settled({ declared: { onUnconfirmed: "resend" }, events: [history([]), timeUp] });
    expect(gone.ledger.plans.get("own")).toEqual({
      kind: "unsettled",
      recorded: unconfirmed(),
      isConsented: true,
    });
    const { task } = step(gone.ledger, gone.task, history([]));
    expect([task.notices, task.phase]).toEqual([[{ tell: "resent", incidentId: "i" }], "observe"]);
  });

  it.each<[string, Event[]]>([
    ["the history", [history([a], [note("x", { text: "B" })])]],
    [
      "a look by its id",
      [
        history([]),
        { on: "update", id: idOfA, update: update(idOfA), sent: [note("x", { text: "B" })], now },
      ],
    ],
  ])("waits for what was sent since, when the update is found in %s", (_, events) => {
    expect(decided(settled({ declared: B, events }))).toBe("waits for 60 s");
  });

  it("takes an update from a read alone", () => {
    const { ledger, task } = settled({ events: [] });
    expect(decided(step(withHistory(ledger, [a]), task, timeUp))).toBe("reads");
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
