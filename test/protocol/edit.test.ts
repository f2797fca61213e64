/** Edits overwrite what the resource made public itself, and nobody else's words unasked. */
import { type StatusPageIncidentUpdate } from "../../provider/api";
import { type Event, predictWrite, normalizeUpdate } from "../../provider/protocol";
import {
  after,
  begun,
  byId,
  choice,
  type Choice,
  codesOf,
  decided,
  declaration,
  endingOf,
  entry,
  history,
  hour,
  lost,
  note,
  now,
  posted,
  refusalOf,
  rejected,
  reported,
  responds,
  type Row,
  settled,
  timeUp,
  unread,
  update,
} from "./steps";

const edit = { onChange: "edit" } as const;
const toB = { ...edit, description: "B" };
/** The note of a post of A says that it is update u. */
const noteOfU = note("x", { id: "u" });

it("a run asks before it edits a lost post that somebody has edited", () => {
  const found = [history([update("u", "edited")], [reported("lost", { id: "u" })])];
  expect(decided(settled({ declared: toB, events: found }))).toBe("refuses: editedSince, keeps u");
});

it.each([["is public already", { shown: [update("u")] }, { kind: "adopted" }]])(
  "a run edits nothing of a declaration that %s",
  (_, given, ending) => {
    expect(endingOf(choice({ declared: edit, ...given }))).toMatchObject(ending);
  },
);

it("a run posts what isn't public, although it edits updates", () => {
  expect(decided(choice({ declared: edit }))).toBe("posts");
});

it("a run adopts what a note identifies without an edit where updates are replaced", () => {
  expect(decided(choice({ shown: [update("u", "edited")], noted: [noteOfU] }))).toBe("has u");
});

/** The resource has A as update u, which it made so itself, and declares B. */
const state = posted("u", edit, { made: madeOfA() });
const a = update("u");
const b = update("u", "B");
const changed = (given: Choice) => choice({ declared: toB, state, shown: [a], ...given });
const undated = { id: "u", status: a.status, description: "A" };
const second = { declared: { ...toB, occurrence: 2 }, state: posted("u", { ...edit, occurrence: 2 }) };
const secondOfA = { ...second, state: { ...second.state, made: madeOfA() } };
const copies = (...ids: string[]) => ({ shown: [a, ...ids.map((id) => update(id, "B"))] });
const before = (...texts: string[]) => ({
  declared: { ...toB, followedBy: texts.map((text) => entry(text)) },
});
const others = (text: string) => ({ shown: [a, update("v", text)] });
const edits = (id: string, text = "B"): Event => responds(update(id, text), "edited");

it.each<Row>([
  ["isn't shown", { shown: [] }, "asks for u"],
  ["is its own, below another", { shown: [update("v", "C"), a] }, "edits u"],
  ["has no date, and none is declared", { shown: [undated] }, "refuses: undated"],
  ["doesn't exist, for the second", secondOfA, "refuses: miscounted"],
  ["exists as the later entry", { ...copies("v"), ...before("B") }, "edits u"],
  ["exists before the later entry", { ...copies("v", "w"), ...before("B") }, "refuses: miscounted"],
  ["is that of a later entry, which isn't public", before("A"), "refuses: miscounted"],
  [
    "is that of a later entry, and another is public",
    { ...others("C"), ...before("A") },
    "refuses: miscounted",
  ],
  ["is that of a later entry, which is public", { ...others("A"), ...before("A") }, "edits u"],
])("before an edit: what is public %s", (_, given, outcome) => expect(decided(changed(given))).toBe(outcome));

it.each<[string, Event[], outcome: string]>([
  ["is that of another update, and it isn't yet", [edits("v"), history([a])], "looks again"],
  ["is lost", [lost], "reads"],
  ["is lost, and reads fail, too", [lost, unread], "looks again"],
])("after an edit: the response %s", (_, events, outcome) =>
  expect(decided(changed({ events }))).toBe(outcome),
);

const failed = { kind: "failed" };
const otherId = "The service responded to the edit of update u with v.";
it.each<[string, Event[], object]>([
  ["was rejected", [history([a]), rejected], { ...failed, text: "403" }],
  ["can't begin: no time", [timeUp], { ...failed, text: "" }],
  ["can't begin: cancelled", [{ ...timeUp, text: "SIGINT" }], { ...failed, text: "SIGINT" }],
  ["is unknown", [history([a]), edits("v"), timeUp], { kind: "editLost", text: otherId }],
])("an edit that %s is refused with the reason", (_, events, refusal) =>
  expect(refusalOf(after(begun({ declared: toB, state }), events))).toEqual(refusal),
);

it("a run asks before it overwrites words that an edit took away, and somebody restored", () => {
  const restored = { shown: [update("u", "X")] };
  const own = { text: "X", id: "u", isOwn: true };
  expect(decided(changed({ ...restored, noted: [note("x", own)] }))).toBe("edits u");
  expect(decided(changed({ ...restored, noted: [note("x", { ...own, isReworded: true })] }))).toBe(
    "refuses: editedSince",
  );
});

it("an edit to which the service responds with the old words is looked for, and makes sure the next time", () => {
  const ignored = changed({ events: [edits("u", a.description)] });
  expect(decided(ignored)).toBe("reads");
  const lost = after(ignored, [history([a]), timeUp]);
  expect(decided(lost)).toBe("refuses: editLost, keeps u");
  const again = begun({ declared: toB, state: endingOf(lost).recorded });
  expect(decided(after(again, [history([a])]))).toBe("edits u");
});

it("an edit is told apart from drift that is gone, and never from a post", () => {
  const drifted = { ...state, published: normalizeUpdate(update("u", "X")) };
  expect(endingOf(changed({ declared: edit, state: drifted })).kind).toBe("kept");
  for (const events of [[edits("u")], [lost, history([b])]])
    expect(endingOf(changed({ events })).kind).toBe("edited");
  expect(() => changed({ events: [responds(b)] })).toThrow("An edit led to a post.");
  const { command, task } = changed({ declared: { ...toB, publicIncidentUpdateDate: "2026-01-01" } });
  expect(command).toEqual({ kind: "edit", id: "u", date: "2026-01-01" });
  expect(task).toMatchObject({ notices: [] });
});

it("overwrites what somebody made of it by the code of that alone", () => {
  const shown = [update("u", "C")];
  const codes = codesOf(changed({ shown }));
  const { command, task } = changed({ shown, codes: ["0000aaaa", ...codes] });
  expect(command).toEqual({ kind: "edit", id: "u", date: a.created_at });
  expect(task).toMatchObject({ notices: [{ kind: "overwrites", id: "u" }] });
  expect(codesOf(changed({ shown: [update("u", "D")], codes }))).not.toEqual(codes);
});

describe("an update that isn't there any more", () => {
  const postedAt = (ms: number) => ({ ...state, createdAt: new Date(now - ms).toISOString() });
  const gone = { shown: [], events: [byId()] };

  it.each<[string, Choice, outcome: string]>([
    ["is missing, where the edit was lost", { declared: edit }, "has u"],
    ["is refused while it may appear", { declared: edit, state: postedAt(0) }, "refuses: gone"],
    ["is refused where its age isn't known", { declared: edit, state }, "refuses: gone"],
  ])("an update that isn't there any more %s", (_, given, outcome) => {
    const { state: of = postedAt(hour), ...others } = given;
    const lostEdits = of.kind === "posted" ? { ...of, maySay: [{ said: "x" }] } : of;
    const step = changed({ ...gone, ...others, state: lostEdits });
    expect(decided(step)).toBe(outcome);
    if (outcome !== "has u") return;
    const kept = { ...postedAt(hour), missing: true };
    expect(endingOf(step)).toEqual({ kind: "kept", recorded: kept, notices: [] });
  });
});

describe("an edit without a response", () => {
  const sentB = changed({ events: [lost] });
  const failed = after(sentB, [history([update("u")]), timeUp]);
  const recorded = endingOf(failed).recorded;
  const shownB = { ...update("u", "B"), publicIncidentUpdateDate: update("u").created_at };

  it("an edit without a response is known as the resource's words, until a run has seen what became of it", () => {
    const toC = begun({ declared: { ...edit, description: "C" }, state: recorded });
    expect(decided(after(toC, [history([shownB])]))).toBe("edits u");
    const made = after(begun({ declared: toB, state: recorded }), [history([shownB]), edits("u")]);
    expect(endingOf(made)).not.toMatchObject({ recorded: { maySay: [{ until: undefined }] } });
  });
});

it("a state has of an edit what the service made of it", () => {
  const done = changed({ events: [edits("u", "B!")] });
  const remarks = [{ kind: "altered", id: "u" }];
  expect(endingOf(done)).toMatchObject({ recorded: { missing: false }, notices: remarks });
  const again = begun({ declared: { ...edit, description: "C" }, state: endingOf(done).recorded });
  expect(decided(after(again, [history([update("u", "B!")])]))).toBe("edits u");
});

it("a run remembers in a preview what it edits, whatever is read", () => {
  const [dated, v] = [{ ...a, publicIncidentUpdateDate: "2026-01-02" }, update("v")];
  const edits = changed({ shown: [v, dated], state: { ...state, made: madeOf(dated) } });
  const earlier = [normalizeUpdate(update("u", "before")), normalizeUpdate(update("v", "X"))];
  const { ledger, foreseen } = predictWrite({ ...edits.ledger, edited: earlier }, edits.task);
  expect(foreseen).toMatchObject({ kind: "edited", was: dated });
  const read = after({ ...edits, ledger }, [history([dated, v])]);
  expect(read.ledger.view.updates).toMatchObject([{ ...dated, description: "B" }, update("v", "X")]);
});

/** What the state has of an update that the resource posted. */
function madeOfA(): string | undefined {
  return madeOf(update("u"));
}

function madeOf(shown: StatusPageIncidentUpdate): string | undefined {
  const adopted = endingOf(choice({ shown: [shown], declared: declaration() }));
  return adopted.recorded?.kind === "posted" ? adopted.recorded.made : undefined;
}
