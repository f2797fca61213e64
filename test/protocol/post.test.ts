/** What the result of a post means, how a post without a response is searched for, and what the state and the run record. */
import { parse } from "yaml";
import { type Event, type Ledger } from "../../provider/protocol";
import { codeOfPost } from "../../provider/protocol/codes";
import {
  byId,
  choice,
  type Choice,
  code,
  codesOf,
  decided,
  declaration,
  fullHistory,
  history,
  idOfA,
  learned,
  lost,
  missing,
  now,
  pastOne,
  posted,
  refusalOf,
  rejected,
  responds,
  endingOf,
  timeUp,
  unread,
  update,
} from "./steps";

type Row = [what: string, events: Event[], outcome: string, more?: Omit<Choice, "events">];

const a = update("a");
const second = update("second", "A", 1);
const x = update("x", "X", 5);
const B = { description: "B" };
const invalid: Event = { on: "notApplied", text: "400", isInvalid: true };
const secondOfA = { shown: [a], declared: { occurrence: 2 } };
/** Beyond a full history, of which a run has seen all. */
const full: Omit<Choice, "events"> = { shown: fullHistory().slice(1) };
const beyond = { shown: fullHistory(), ids: "ignored" } as const;
const permitted = { ...beyond, codes: codesOf(choice(beyond)) };

describe("a post", () => {
  const old = update("b", "B", -500);
  it.each<Row>([
    ["is rejected", [rejected], "refuses: failed"],
    ["is invalid, or its id is", [invalid], "refuses: idRejected"],
    ["is invalid without an id", [invalid], "refuses: failed", { ids: "off" }],
    ["receives the incident", [responds(update("i"))], "reads"],
    ["receives one as old as the clocks may differ", [responds(update("b", "A", -11))], "has b", permitted],
    ["receives one that is older", [responds(update("b", "A", -11.1))], "reads", permitted],
    ["receives an old one after 99 updates", [responds(old)], "has b", full],
  ])("%s", (_, events, outcome, more = {}) => expect(decided(choice({ events, ...more }))).toBe(outcome));

  it("has the next update when it found its own, and the run remembers it", () => {
    const done = choice({ events: [responds(a)] });
    expect(done.task.applied).toEqual([{ nonce: "n", id: "a" }]);
    expect(done.ledger.view.updates).toEqual([a]);
    expect(learned(done)).toMatchObject({ plan: { kind: "keeps", recorded: { id: "a" } }, owns: ["a"] });
  });

  it.each([
    ["another text", { ...a, description: "?" }, [{ tell: "altered", id: "a" }]],
    ["the text with other white space", { ...a, description: " A\n" }, []],
  ])("tells of a response with %s", (_, response, remarks) => {
    expect(endingOf(choice({ events: [responds(response)] })).remarks).toEqual(remarks);
  });

  it.each<[string, Event, before: Ledger["ids"], after: Ledger["ids"]]>([
    ["returns the id in capitals", responds(update(idOfA.toUpperCase())), "used", "used"],
    ["returns another", responds(a), "used", "ignored"],
    ["returns another, where ids are off", responds(a), "off", "off"],
  ])("learns about ids from a service that %s", (_, event, ids, after) => {
    expect(choice({ ids, events: [event] }).ledger.ids).toBe(after);
  });

  it("fails with what the service says, and neither the state nor the run keeps anything", () => {
    const refused = choice({ events: [invalid] });
    const refusal = { why: "idRejected", text: "400" };
    expect(endingOf(refused)).toEqual({ kind: "refused", refusal, recorded: undefined, remarks: [] });
    expect(learned(refused)).toEqual({ plan: undefined, owns: [] });
  });

  it("has as predecessors what the state has, each once, and without dates that the service doesn't show", () => {
    const published = { ...update("b", "B"), publicIncidentUpdateDate: null };
    const past = [pastOne("y", "Y"), pastOne("z", "Z"), pastOne("z", "Z")];
    const state = posted("b", B, { published, past });
    const done = endingOf(choice({ state, events: [responds(a)] }));
    expect(done.kind === "posted" && done.recorded.past).toStrictEqual([
      ...[pastOne("y", "Y"), pastOne("z", "Z"), pastOne("b", "B")],
    ]);
  });
});

describe("a lost post", () => {
  const resultAfter = (given: Choice) => {
    const result = endingOf(choice({ ...given, events: [...(given.events ?? [lost]), history([]), timeUp] }));
    return result.kind === "unconfirmed" ? result.recorded : undefined;
  };

  it("is recorded whole", () => {
    expect(resultAfter({ shown: [x, update("w", "W", 1)] })).toEqual({
      ...{ kind: "sent", declared: declaration(), seen: { ids: ["x", "w"], newest: x.created_at } },
      ...{ nonce: "n", at: now, ownIds: [idOfA], isTextSecret: true, past: [] },
    });
  });

  it.each<[string, Choice, object]>([
    ["without an id, where ids are off", { ids: "off" }, { ownIds: [] }],
    ["with the other object of the response", { events: [responds(update("i"))] }, { answered: "i" }],
    ["with the old update of the response", { ...secondOfA, events: [responds(a)] }, { answered: "a" }],
  ])("is recorded %s", (_, given, kept) => expect(resultAfter(given)).toMatchObject(kept));

  const problemOf = (incidentMissing: boolean, text: string) => ({ readProblem: { incidentMissing, text } });
  const none = { readProblem: undefined };
  const codes = [code("n")];
  it.each<[string, Event[], object]>([
    ["its code", [lost, history([]), timeUp], { problem: "reset", codes }],
    ["that the service responded", [responds(update("i")), timeUp], { problem: undefined, codes }],
    ["that it can't be read", [lost, unread, timeUp], { ...problemOf(false, "503"), codes }],
    ["that the incident is gone", [lost, unread, missing, timeUp], { ...problemOf(true, "404"), codes: [] }],
    ["that the incident was gone", [lost, missing, unread, timeUp], problemOf(true, "404")],
    ["nothing of a read that failed after another", [lost, history([]), unread, timeUp], none],
  ])("says %s", (_, events, said) => {
    const refusal = refusalOf(choice({ events }));
    expect({ readProblem: undefined, ...refusal }).toMatchObject({ why: "lost", ...said });
  });

  it("prints codes that no version of YAML reads as a number", () => {
    const printed = Array.from({ length: 1_000 }, (_, index) => codeOfPost({ nonce: `nonce ${index}` }));
    const list = printed.map((each) => `- ${each}\n`).join("");
    for (const version of ["1.1", "1.2"] as const) expect(parse(list, { version })).toEqual(printed);
  });
});

describe("a search for a post", () => {
  it.each<Row>([
    ["finds it", [history([a])], "has a"],
    ["finds it, although clocks differ", [history([update("b", "A", -10), x])], "has b", { shown: [x] }],
    ["asks for no id that is ignored", [history([])], "looks again", { ids: "ignored" }],
    ["looks again", [history([]), byId()], "looks again"],
  ])("%s", (_, events, outcome, more = {}) => {
    expect(decided(choice({ events: [lost, ...events], ...more }))).toBe(outcome);
  });

  it.each<[string, Event[], object[]]>([
    ["one", [history([a])], []],
    ["two", [history([second, a])], [{ tell: "several", count: 2, id: "a" }]],
  ])("that finds %s says so, and names the post, for its note", (_, events, remarks) => {
    const { task } = choice({ events: [lost, ...events] });
    expect(task).toMatchObject({ remarks, applied: [{ nonce: "n", id: "a" }] });
  });
});

describe("a replacement of an update that the service doesn't show", () => {
  const own = posted("a", {}, { missing: true, past: [pastOne("b", "B")] });

  it("still knows what the resource published before", () => {
    const done = endingOf(choice({ owners: { own }, events: [responds(update("new"))] }));
    expect(done).toMatchObject({ recorded: { id: "new", past: [{ id: "b" }] } });
  });
});
