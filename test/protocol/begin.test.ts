/** How a declaration begins, and what becomes of it before anything is posted. */
import { begin, type Event, incidentOf, ownId, step } from "../../provider/protocol";
import { isForUpToSettle } from "../../provider/protocol/task";
import { decided, declaration, history, idOfA, ledgerOf, note, now, unconfirmed, update } from "./steps";

const fresh = { resource: "own", declared: declaration(), nonce: "n" };
const lost = unconfirmed({ incidentId: "j" }, { attempt: 2 });
const asked = unconfirmed({}, { nothingSent: true, attempt: 2 });

describe("a declaration begins", () => {
  it("with a read, and nothing that was asked or found before", () => {
    const begun = begin(ledgerOf(), fresh);
    expect(decided(begun)).toBe("reads");
    expect(begun.task).toMatchObject({ phase: "observe", attempt: 0, asked: [], ours: [], applied: [] });
  });

  it("with a search for an unconfirmed update, on the incident of that", () => {
    const { task } = begin(ledgerOf(), { ...fresh, unsettled: lost });
    expect(task).toMatchObject({ phase: "settle", attempt: 0 });
    expect(incidentOf(task)).toBe("j");
  });

  it.each([
    ["the declared one", { ...fresh, unsettled: asked }, "reads", 2],
    [
      "one of another incident",
      { ...fresh, unsettled: { ...asked, declared: lost.declared } },
      "continues on the other incident",
      0,
    ],
  ])("without a search where nothing was sent: %s", (_, beginning, outcome, attempt) => {
    const begun = begin(ledgerOf(), beginning);
    expect(decided(begun)).toBe(outcome);
    expect(begun.task).toMatchObject({ phase: "observe", attempt });
    expect(incidentOf(begun.task)).toBe("i");
  });

  it("with the id that the next attempt has", () => {
    const { ledger, task } = begin(ledgerOf(), { ...fresh, unsettled: asked });
    expect(step(ledger, task, history([])).command).toEqual({ do: "post", id: ownId(fresh.declared, 2) });
  });

  it("with the updates that an unconfirmed one replaced", () => {
    const past = [{ id: "b", key: "k", occurrence: 1, incident: "i" }];
    expect(begin(ledgerOf(), { ...fresh, unsettled: { ...asked, past } }).task.lineage).toEqual({ past });
  });
});

describe("an update that was asked for by its id", () => {
  const edited = update("u", "edited");
  const sent = [note("other", { id: "v" }), note("x", { id: "u" })];
  const outcome = (event: Partial<Extract<Event, { on: "update" }>>) => {
    const read = { on: "update" as const, id: "u", update: edited, sent: [], now, ...event };
    const { ledger, task } = begin(ledgerOf(), fresh);
    const before = step(ledger, task, history([], read.sent));
    return decided(step(before.ledger, { ...before.task, asked: ["u", "v"] }, read));
  };

  it.each([
    ["is the declared one by a note, although it was edited", { sent }, "has u"],
    ["is the declared one by its own id", { id: idOfA, update: { ...edited, id: idOfA } }, `has ${idOfA}`],
    ["is another one without a note", {}, "posts"],
    ["is another one by the note of another text", { sent: [note("x", { id: "u", text: "B" })] }, "posts"],
    [
      "isn't the declared one when it isn't shown",
      { sent: sent.slice(1), update: undefined },
      "waits for 60 s",
    ],
  ])("%s", (_, event, expected) => {
    expect(outcome(event)).toBe(expected);
  });
});

describe("a declaration whose incident can't be read", () => {
  const failure = { on: "readFailed" as const, incidentMissing: false, text: "503", now };
  const { ledger, task } = begin(ledgerOf(), fresh);
  const waiting = { ...task, waitsUntil: now + 1 };
  const failed = { do: "finish", result: { kind: "failed", refusal: { why: "failed", text: "503" } } };

  it("is read again while it waits for a post", () => {
    const { command } = step(ledger, waiting, failure);
    expect(command).toEqual({ do: "read", again: true, until: now + 1 });
  });

  it.each([
    ["when it doesn't wait", task, failure],
    ["when the wait has ended", waiting, { ...failure, now: now + 1 }],
    ["when the incident is gone", waiting, { ...failure, incidentMissing: true }],
    ["when the run was cancelled", waiting, { on: "timeUp" as const, text: "503" }],
  ])("fails %s", (_, given, event) => {
    expect(step(ledger, given, event).command).toMatchObject(failed);
  });

  it("fails without a text when the time is up", () => {
    const { command } = step(ledger, task, { on: "timeUp" });
    expect(command).toMatchObject({ result: { refusal: { why: "failed", text: "" } } });
  });
});

it.each([
  ["twin", false],
  ["changed", false],
  ["failed", false],
  ["lost", false],
  ["unconfirmed", true],
  ["unsettledTwin", true],
  ["noted", true],
  ["full", true],
  ["repeat", true],
] as const)("a preview leaves a refusal to `up`: %s: %j", (why, isLeft) => {
  expect(isForUpToSettle(why)).toBe(isLeft);
});
