/** What the result of a post means, and what the state records of one without. */
import { type Event, type IdSupport, ownId } from "../../provider/protocol";
import { codeOfPost } from "../../provider/protocol/question";
import {
  choice,
  codesOf,
  type Choice,
  decided,
  declaration,
  fullHistory,
  history,
  idOfA,
  lost,
  missing,
  now,
  posted,
  refusalOf,
  rejected,
  resultOf,
  timeUp,
  unread,
  update,
} from "./steps";

const a = update("a");
const x = update("x", "X", 5);
const invalid: Event = { on: "notApplied", text: "400", isInvalid: true };
const responds = (shown: typeof a): Event => ({ on: "posted", update: shown });
const secondOfA = { shown: [a], declared: { occurrence: 2 } };
const ownedB = { owners: { other: posted("a", { description: "B" }) } };
/** Beyond a full history, of which a run has seen all. */
const full: Omit<Choice, "events"> = { shown: fullHistory().slice(1) };
const beyond = { shown: fullHistory(), ids: "ignored" } as const;
const permitted = { ...beyond, codes: codesOf(choice(beyond)) };

describe("a post", () => {
  it.each<[what: string, events: Event[], outcome: string, more?: Omit<Choice, "events">]>([
    ["receives a response", [responds(a)], "has a"],
    ["is rejected", [rejected], "refuses: failed"],
    ["is invalid, or its id is", [invalid], "refuses: idRejected"],
    ["is invalid where ids are ignored, or its id is", [invalid], "refuses: idRejected", { ids: "ignored" }],
    ["is invalid without an id", [invalid], "refuses: failed", { ids: "off" }],
    ["receives no response", [lost], "reads"],
    ["receives the incident", [responds(update("i"))], "reads"],
    ["receives an update that was there", [responds(a)], "reads", secondOfA],
    ["receives what another resource has", [responds(a)], "reads", ownedB],
    [
      "receives one that a full history no longer showed",
      [responds(update("b", "B", -500))],
      "reads",
      permitted,
    ],
    ["receives a new one after a full history", [responds(update("b", "A", -10))], "has b", permitted],
    ["receives one as old as the clocks may differ", [responds(update("b", "A", -11))], "has b", permitted],
    ["receives one that is older", [responds(update("b", "A", -11.1))], "reads", permitted],
    ["receives an old one after 99 updates", [responds(update("b", "A", -500))], "has b", full],
  ])("%s", (_, events, outcome, more = {}) => expect(decided(choice({ events, ...more }))).toBe(outcome));

  it("has the next update when it found its own", () => {
    const { ledger, task } = choice({ events: [responds(a)] });
    expect(task.applied).toEqual([{ nonce: "n", id: "a" }]);
    expect(ledger.view.updates).toEqual([a]);
    expect(ledger.owners.get("a")?.by).toBe("own");
  });

  it.each<[string, Event, before: IdSupport, after: IdSupport]>([
    ["returns the id", responds(update(idOfA)), "used", "used"],
    ["returns the id in capitals", responds(update(idOfA.toUpperCase())), "used", "used"],
    ["returns another", responds(a), "used", "ignored"],
    ["returns the id after it ignored one", responds(update(idOfA)), "ignored", "ignored"],
    ["returns another, where ids are off", responds(a), "off", "off"],
    ["returns the incident", responds(update("i")), "used", "used"],
    ["rejects it", invalid, "used", "used"],
  ])("learns about ids from a service that %s", (_, event, ids, learned) => {
    expect(choice({ ids, events: [event] }).ledger.ids).toBe(learned);
  });

  it("fails with what the service says, and the state keeps nothing", () => {
    expect(resultOf(choice({ events: [invalid] }))).toEqual({
      kind: "failed",
      refusal: { why: "idRejected", text: "400" },
      keep: undefined,
    });
  });
});

describe("a lost post", () => {
  const resultAfter = (given: Choice) => {
    const result = resultOf(choice({ ...given, events: [...(given.events ?? [lost]), history([]), timeUp] }));
    return result.kind === "failed" ? result.keep : undefined;
  };

  it("is recorded whole", () => {
    expect(resultAfter({ shown: [x, update("w", "W", 1)] })).toEqual({
      kind: "sent",
      declared: declaration(),
      seen: { ids: ["x", "w"], newest: x.created_at },
      nonce: "n",
      at: now,
      ownIds: [idOfA],
      past: [],
    });
  });

  const [past] = [[{ id: "z", key: "Z", occurrence: 1, incident: "i" }]];
  const recorded = posted("b", { description: "B" }, { past });
  it.each<[string, Choice, object]>([
    ["without an id, where ids are off", { ids: "off" }, { ownIds: [] }],
    ["with the id of its occurrence", secondOfA, { ownIds: [ownId(declaration({ occurrence: 2 }), 0)] }],
    ["with the time of the read before it", { at: now + 5 }, { at: now + 5 }],
    [
      "with what another resource has",
      { owners: { other: posted("b", { description: "B" }) } },
      { seen: { ids: ["b"] } },
    ],
    [
      "without what it keeps itself",
      { owners: { own: posted("b", { description: "B" }) } },
      { seen: { ids: [] } },
    ],
    [
      "with what it had",
      { plans: { own: { kind: "replaces", recorded } } },
      { seen: { ids: ["z", "b"] }, past: [{ id: "z" }, { id: "b" }] },
    ],
    [
      "with each of them once",
      { shown: [update("b", "B")], plans: { own: { kind: "replaces", recorded } } },
      { seen: { ids: ["b", "z"] } },
    ],
    ["with the other object of the response", { events: [responds(update("i"))] }, { answered: "i" }],
    ["with the old update of the response", { ...secondOfA, events: [responds(a)] }, { answered: "a" }],
  ])("is recorded %s", (_, given, kept) => expect(resultAfter(given)).toMatchObject(kept));

  it("is recorded without a time, where none is shown", () => {
    const keep = resultAfter({ shown: [{ ...x, created_at: null }] });
    expect(keep).toHaveProperty("seen", { ids: ["x"] });
    expect(keep).not.toHaveProperty("seen.newest");
  });

  it.each([1, 3])("is recorded with the newest time of %i updates", (count) => {
    const shown = Array.from({ length: count }, (_, index) => update(`${index}`, "X", -index));
    expect(resultAfter({ shown })).toMatchObject({ seen: { newest: shown[0]?.created_at } });
  });

  const codes = [codeOfPost({ nonce: "n" })];
  it.each<[string, Event[], object]>([
    ["its code", [lost, history([]), timeUp], { problem: "reset", codes }],
    ["that the service responded", [responds(update("i")), timeUp], { problem: undefined, codes }],
    [
      "that it can't be read",
      [lost, unread, timeUp],
      { readProblem: { incidentMissing: false, text: "503" }, codes },
    ],
    [
      "the last read that failed",
      [lost, { ...unread, text: "500" }, unread, timeUp],
      { readProblem: { text: "503" } },
    ],
    [
      "that the incident is gone",
      [lost, unread, missing, timeUp],
      { readProblem: { incidentMissing: true, text: "404" } },
    ],
    [
      "that the incident was gone",
      [lost, missing, unread, timeUp],
      { readProblem: { incidentMissing: true, text: "404" } },
    ],
    [
      "nothing of a read that failed after another",
      [lost, history([]), unread, timeUp],
      { readProblem: undefined },
    ],
    [
      "nothing of a read that failed before another",
      [lost, unread, history([]), timeUp],
      { readProblem: undefined },
    ],
  ])("says %s", (_, events, said) => {
    const refusal = refusalOf(choice({ events }));
    expect({ readProblem: undefined, ...refusal }).toMatchObject({ why: "lost", ...said });
  });
});
