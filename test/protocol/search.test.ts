import {
  begin,
  type Declaration,
  type Event,
  type IdSupport,
  ownId,
  type Posted,
  recheck,
  type Result,
  type Step,
  step,
  withHistory,
  withOwner,
  withPlan,
} from "../../provider/protocol";
import { type StatusPageIncidentUpdate } from "../../provider/api";
import {
  decided,
  declaration,
  fullHistory,
  history,
  idOfA,
  ledgerOf,
  now,
  posted,
  unconfirmed,
  update,
} from "./steps";

const timeUp: Event = { on: "timeUp" };
const lost: Event = { on: "unknown", text: "reset", isTaken: false };
const taken: Event = { on: "unknown", text: "409", isTaken: true };
const invalid: Event = { on: "notApplied", text: "400", isInvalid: true };
const refused: Event = { on: "notApplied", text: "403", isInvalid: false };
const byId: Event = { on: "update", id: idOfA, update: update(idOfA, "x"), sent: [], now };
const failedRead: Event = { on: "readFailed", incidentMissing: false, text: "503", now };

interface Case {
  readonly declared?: Partial<Declaration>;
  readonly before?: readonly StatusPageIncidentUpdate[];
  readonly ids?: IdSupport;
  readonly owners?: Readonly<Record<string, Posted>>;
  readonly events: readonly Event[];
}

/** A post, and what becomes of it. */
function sent({ declared, before = [], ids, owners = {}, events }: Case): Step {
  const beginning = { resource: "own", declared: declaration(declared), nonce: "n" };
  return [history(before), ...events].reduce(
    (at, event) => step(at.ledger, at.task, event),
    begin(ledgerOf(owners, ids), beginning),
  );
}

function resultOf({ command }: Step): Result {
  if (command.do !== "finish") throw new Error(`Not finished: ${command.do}`);
  return command.result;
}

const a = update("a");
const second = update("second", "A", 1);
const x = update("x", "X", 5);
const secondOfA = { before: [a], declared: { occurrence: 2 } };
const ownedB = { owners: { other: posted("a", { description: "B" }) } };
const full = { before: fullHistory(), ids: "honoured" } as const;
const absent: Event = { on: "update", id: idOfA, update: undefined, sent: [], now };
const older: Event = { on: "posted", update: update("b", "B", -500) };
const newer: Event = { on: "posted", update: update("b", "A", -10) };
const resend = { onUnconfirmed: "resend" } as const;

describe("a post", () => {
  it.each<[what: string, events: Event[], outcome: string, more?: Omit<Case, "events">]>([
    ["receives a response", [{ on: "posted", update: a }], "has a"],
    ["is refused", [refused], "refuses: failed"],
    ["is rejected with its id", [invalid], "posts without id"],
    ["is rejected with and without its id", [invalid, invalid], "refuses: failed"],
    ["is rejected where ids are honoured", [invalid], "refuses: idRejected", { ids: "honoured" }],
    ["is rejected where ids are ignored", [invalid], "refuses: failed", { ids: "ignored" }],
    ["is rejected without an id", [invalid], "refuses: failed", { ids: "off" }],
    ["has an id that is taken", [taken], "reads"],
    ["has an id that is taken where ids are ignored", [taken], "reads", { ids: "ignored" }],
    ["receives no response", [lost], "reads"],
    ["is found", [lost, history([a])], "has a"],
    ["is found late", [lost, history([]), history([a])], "has a"],
    ["is found by its id", [lost, history([]), byId], `has ${idOfA}`],
    ["isn't shown", [lost, history([])], "asks for its id"],
    ["isn't shown where ids are honoured", [lost, history([])], "asks for its id", { ids: "honoured" }],
    ["isn't shown where ids are ignored", [lost, history([])], "looks again", { ids: "ignored" }],
    [
      "is found, although clocks differ",
      [lost, history([update("b", "A", -10), x])],
      "has b",
      { before: [x] },
    ],
    ["can't be read", [lost, failedRead], "looks again"],
    ["is not found", [lost, history([]), timeUp], "refuses: lost, keeps it"],
    ["is answered with the incident", [{ on: "posted", update: update("i") }], "reads"],
    ["is answered with an old update", [{ on: "posted", update: a }], "reads", secondOfA],
    ["is answered with one that a full history no longer showed", [absent, older], "reads", full],
    ["is answered with a new one after a full history", [absent, newer], "has b", full],
    ["is answered with what another one has", [{ on: "posted", update: a }], "reads", ownedB],
    ["is then found", [{ on: "posted", update: a }, history([second, a])], "has second", secondOfA],
    ["isn't", [{ on: "posted", update: a }, history([a]), timeUp], "refuses: lost, keeps it", secondOfA],
  ])("%s", (_, events, outcome, more = {}) => expect(decided(sent({ events, ...more }))).toBe(outcome));

  it.each([
    ["honoured", "refuses: twin"],
    ["ignored", "looks again"],
  ] as const)("has a taken id, and another resource has its update, where ids are %s", (ids, outcome) => {
    const { ledger, task } = sent({ ids, events: [taken] });
    expect(decided(step(withOwner(ledger, "other", posted("a")), task, history([a])))).toBe(outcome);
  });

  it("is told which resource has its update, and that it has none of its own", () => {
    const { ledger, task } = sent({ ids: "honoured", events: [taken] });
    const after = step(withOwner(ledger, "other", posted("a")), task, history([a]));
    const refusal = { why: "twin", by: "other", id: "a", hasOwn: false, differs: undefined };
    expect(resultOf(after)).toMatchObject({ refusal });
  });

  it.each([
    ["as another occurrence", { occurrence: 2 }, false],
    ["by a refresh", {}, true],
  ])("goes on searching when another resource has its update %s", (_, declared, refreshed) => {
    const { ledger, task } = sent({ ids: "honoured", events: [taken] });
    const after = step(withOwner(ledger, "other", posted("a", declared), refreshed), task, history([a]));
    expect(decided(after)).toBe("asks for its id");
  });

  it("fails with the read that found no incident, whatever the next one says", () => {
    const missing: Event = { ...failedRead, incidentMissing: true, text: "404" };
    for (const events of [
      [missing, failedRead],
      [failedRead, missing],
    ])
      expect(resultOf(sent({ events: [lost, ...events, timeUp] }))).toMatchObject({
        refusal: { miss: { readProblem: { incidentMissing: true, text: "404" } } },
      });
  });

  it("is no search without a post", () => {
    const { ledger, task } = sent({ events: [lost] });
    expect(() => step(ledger, { ...task, post: undefined }, timeUp)).toThrow("A search without a post.");
    const observing = sent({ events: [] });
    expect(() => step(observing.ledger, { ...observing.task, post: undefined }, refused)).toThrow(
      "The result of a post that was not sent.",
    );
  });

  it("says nothing about several when it is the only one", () => {
    expect(sent({ events: [lost, history([a])] }).task.notices).toEqual([]);
  });

  it("takes the oldest of several", () => {
    const after = sent({ events: [lost, history([second, a])] });
    expect(decided(after)).toBe("has a");
    expect(after.task.notices).toContainEqual({ tell: "several", count: 2, id: "a" });
  });

  it("names its update, for its note", () => {
    expect(sent({ events: [{ on: "posted", update: a }] }).task.applied).toEqual([{ nonce: "n", id: "a" }]);
    expect(sent({ events: [lost, history([a])] }).task.applied).toEqual([{ nonce: "n", id: "a" }]);
  });

  it.each<[string, Event, IdSupport]>([
    ["a service that returns the id", { on: "posted", update: update(idOfA) }, "honoured"],
    [
      "a service that returns the id in capitals",
      { on: "posted", update: update(idOfA.toUpperCase()) },
      "honoured",
    ],
    ["a service that returns another", { on: "posted", update: a }, "ignored"],
    ["a service that answers with the incident", { on: "posted", update: update("i") }, "unknown"],
    ["a service that rejects it", invalid, "rejected"],
    ["a service that received nothing", refused, "unknown"],
  ])("learns about ids from %s", (_, event, ids) => {
    expect(sent({ events: [event] }).ledger.ids).toBe(ids);
  });

  it("learns nothing about ids that are off, or from a service that rejects everything", () => {
    expect(sent({ ids: "off", events: [{ on: "posted", update: a }] }).ledger.ids).toBe("off");
    const { ledger } = sent({ before: [update("x", "X")], events: [invalid, invalid] });
    expect(ledger).toMatchObject({ ids: "unknown", view: { complete: true, updates: [{ id: "x" }] } });
  });

  it("learns about ids from an update under another id of ours", () => {
    const id = ownId(declaration({ description: "X" }), 0);
    expect(sent({ before: [update(id, "X")], events: [] }).ledger.ids).toBe("honoured");
  });
});

describe("what a lost post records", () => {
  const keepOf = (given: Case) => {
    const result = resultOf(sent(given));
    return result.kind === "failed" ? result.keep : undefined;
  };
  const search = [history([]), timeUp];

  it("is the history before it", () => {
    const keep = keepOf({ before: [x, update("w", "W", 1)], events: [lost, ...search] });
    expect(keep).toMatchObject({
      kind: "unconfirmed",
      seen: { ids: ["x", "w"], newest: x.created_at },
      nonce: "n",
    });
  });

  it.each([1, 3])("has the newest of %i updates", (count) => {
    const before = Array.from({ length: count }, (_, index) => update(`${index}`, "X", -index));
    const keep = keepOf({ before, events: [lost, ...search] });
    expect(keep).toMatchObject({ seen: { newest: before[0]?.created_at } });
  });

  it("is the same when the post was repeated without its id", () => {
    const keep = keepOf({ before: [update("x", "X")], events: [invalid, lost, ...search] });
    expect(keep).toMatchObject({ seen: { ids: ["x"] } });
  });

  it("includes what another resource has, although the history didn't show it", () => {
    const owners = { other: posted("b", { description: "B" }) };
    expect(keepOf({ owners, events: [lost, ...search] })).toMatchObject({ seen: { ids: ["b"] } });
  });

  it.each<[string, Case, object]>([
    ["a lost response", { events: [lost, ...search] }, { attempt: 0, consumed: false }],
    ["an id that is taken", { events: [taken, ...search] }, { attempt: 1, consumed: false }],
    ["a consent", { declared: resend, events: [lost, ...search] }, { attempt: 0, consumed: true }],
  ])("after %s", (_, given, kept) => expect(keepOf(given)).toMatchObject(kept));
});

describe("a replacement of an update that the service doesn't show", () => {
  const past = [{ id: "b", key: "B", occurrence: 1, incident: "i" }];
  const recorded = posted("a", {}, { missing: true, past });
  const chosen = (): Step => {
    const ledger = withPlan(ledgerOf({ own: recorded }), "own", { kind: "keeps", recorded });
    const begun = begin(ledger, { resource: "own", declared: declaration(), nonce: "n" });
    return step(begun.ledger, begun.task, history([]));
  };

  it("still knows what the resource published before", () => {
    const { ledger, task } = chosen();
    const after = step(ledger, task, { on: "posted", update: update("new") });
    expect(resultOf(after)).toMatchObject({ posted: { id: "new", past: [{ id: "b" }] } });
  });

  it("finds the update when the service has its id", () => {
    const { ledger, task } = chosen();
    const searching = step(ledger, task, taken);
    expect(decided(step(searching.ledger, searching.task, history([update("a")])))).toBe("has a");
  });
});

describe("a refresh", () => {
  const long = Array.from({ length: 100 }, (_, index) => `old${index}`);
  const full = { seen: { ids: long, newest: a.created_at ?? "" } };
  it.each([
    ["finds the update", [a], {}, "a"],
    ["finds the oldest", [update("b", "A", 1), a], {}, "a"],
    ["ignores what was there before", [a], { seen: { ids: ["a"] } }, undefined],
    ["ignores other words", [update("x", "X")], {}, undefined],
    ["ignores an old one after a full history", [update("b", "A", -10)], full, undefined],
    ["takes one of the same minute after a full history", [update("b", "A", -1)], full, "b"],
  ] as const)("%s", (_, shown, others, id) => {
    const ledger = withHistory(ledgerOf(), shown);
    expect(recheck(ledger, "reader", unconfirmed({}, others)).found?.id).toBe(id);
  });

  it("has found a public update, of which the resource isn't known", () => {
    const { ledger, found } = recheck(withHistory(ledgerOf(), [a]), "reader", unconfirmed());
    expect(found).toMatchObject({ kind: "posted", id: "a", missing: false });
    expect(ledger.owners.get("a")).toMatchObject({ by: "reader", refreshed: true });
  });

  it("finds the one that is left when another resource has the new one", () => {
    const shown = withHistory(ledgerOf({ other: posted("b") }), [update("b", "A", 1), a]);
    const past = [{ id: "z", key: "Z", occurrence: 1, incident: "i" }];
    expect(recheck(shown, "reader", unconfirmed({}, { seen: { ids: ["a"] }, past })).found?.id).toBe("a");
  });

  it("doesn't find what another one has found", () => {
    const first = recheck(withHistory(ledgerOf(), [update("b", "A", 1), a]), "reader 1", unconfirmed());
    expect(recheck(first.ledger, "reader 2", unconfirmed()).found?.id).toBe("b");
  });

  it("names an unseen update with other words", () => {
    const ledger = withHistory(ledgerOf(), [update("x", "X")]);
    expect(recheck(ledger, "reader", unconfirmed()).miss.lookalike?.id).toBe("x");
    expect(recheck({ ...ledger, ids: "honoured" }, "reader", unconfirmed()).miss.lookalike).toBeUndefined();
    const resolved = withHistory(ledgerOf(), [{ ...update("x", "X"), status: "RESOLVED" }]);
    expect(recheck(resolved, "reader", unconfirmed()).miss.lookalike).toBeUndefined();
  });
});
