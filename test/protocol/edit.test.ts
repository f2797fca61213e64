/** An edit overwrites content that the resource wrote itself. It requires a resend code to overwrite other content. */
import { type StatusPageIncidentUpdate } from "../../provider/api";
import {
  type Event,
  type PostedUpdate,
  predictWrite,
  normalizeUpdate,
  type UpdateRecord,
} from "../../provider/protocol";
import {
  after,
  begun,
  byId,
  choice,
  type Choice,
  getCodes,
  decided,
  declaration,
  getEnding,
  entry,
  history,
  hour,
  lost,
  note,
  now,
  posted,
  getRefusal,
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
/** The note of a post of A contains the ID of update u. */
const noteOfU = note("x", { id: "u" });

it("a lost post that was edited on the service requires a resend code before it is edited", () => {
  const found = [history([update("u", "edited")], [reported("lost", { id: "u" })])];
  expect(decided(settled({ declared: toB, events: found }))).toBe("refuses: editedSince, keeps u");
});

it.each([["is public already", { shown: [update("u")] }, { kind: "adopted" }]])(
  "a declared update isn't edited if it %s",
  (_, given, ending) => {
    expect(getEnding(choice({ declared: edit, ...given }))).toMatchObject(ending);
  },
);

it("an update that isn't public is posted, even with onChange edit", () => {
  expect(decided(choice({ declared: edit }))).toBe("posts");
});

it("an update that a note identifies is adopted without an edit if onChange is post", () => {
  expect(decided(choice({ shown: [update("u", "edited")], noted: [noteOfU] }))).toBe("has u");
});

/** The resource owns update u with text A, which it wrote itself, and declares B. */
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
  ["the update isn't shown", { shown: [] }, "asks for u"],
  ["the update is shown below a different one", { shown: [update("v", "C"), a] }, "edits u"],
  ["the update has no date, and none is declared", { shown: [undated] }, "refuses: undated"],
  ["the first occurrence is missing, and the second is declared", secondOfA, "refuses: miscounted"],
  ["the declared content is public once, as a later entry", { ...copies("v"), ...before("B") }, "edits u"],
  [
    "the declared content is public twice, and there is one later entry",
    { ...copies("v", "w"), ...before("B") },
    "refuses: miscounted",
  ],
  ["a later entry declares the old content and isn't public", before("A"), "refuses: miscounted"],
  [
    "a later entry declares the old content, and a different update is public",
    { ...others("C"), ...before("A") },
    "refuses: miscounted",
  ],
  ["a later entry declares the old content and is public", { ...others("A"), ...before("A") }, "edits u"],
])("before an edit: %s", (_, given, outcome) => expect(decided(changed(given))).toBe(outcome));

/** An edit to B, long before the last one, of which no read is stale any more. */
const wasB = { ...state, maySay: [{ said: getAdoptedVersion(b) ?? "", until: now - hour }] };
it.each<[string, Event[], outcome: string, was?: PostedUpdate]>([
  ["contains a different update, and the edit isn't shown yet", [edits("v"), history([a])], "looks again"],
  ["is lost", [lost], "reads"],
  ["is lost, and a read fails", [lost, unread], "looks again"],
  ["is lost, and a read shows the declared content", [lost, history([b])], "has u", wasB],
])("after an edit: the response %s", (_, events, outcome, was = state) =>
  expect(decided(changed({ events, state: was }))).toBe(outcome),
);

const failed = { kind: "failed" };
const otherId = "The service responded to the edit of update u with v.";
it.each<[string, Event[], object]>([
  ["was rejected", [history([a]), rejected], { ...failed, text: "403" }],
  ["can't start within the time limit", [timeUp], { ...failed, text: "" }],
  ["can't start because it is canceled", [{ ...timeUp, text: "SIGINT" }], { ...failed, text: "SIGINT" }],
  ["has an unknown result", [history([a]), edits("v"), timeUp], { kind: "editLost", text: otherId }],
])("an edit that %s fails with the reason", (_, events, refusal) =>
  expect(getRefusal(after(begun({ declared: toB, state }), events))).toEqual(refusal),
);

const own = { text: "X", id: "u", isOwn: true };
const atNoon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };
const renaming = { ...toB, name: "New" };
const halfEdited = { ...update("u", "B"), name: "Old" };
const renamed = { declared: renaming, state: posted("u", { ...edit, name: "Old" }), shown: [halfEdited] };
const noteOfRenaming = note("x", { isOwn: true, edits: "u", words: declaration(renaming).contentKey });
const withSign = posted("u", { ...edit, description: "X \u2713" }, { published: update("u", "X \u2713") });
it.each<Row>([
  ["a killed run of the resource", { noted: [note("x", own)] }, "edits u"],
  [
    "a killed run, with an edit that a later one replaced",
    { noted: [note("x", { ...own, isReworded: true })] },
    "refuses: editedSince",
  ],
  [
    "a killed run, with a date that someone changed",
    { noted: [note("x", { ...own, date: "2026-01-01T11:00:00Z" })] },
    "refuses: editedSince",
  ],
  [
    "a resource of a different stack",
    { noted: [note("x", { ...own, isOwn: undefined })] },
    "refuses: editedSince",
  ],
  [
    "a run of the resource that was killed between both requests of an edit",
    { ...renamed, noted: [noteOfRenaming] },
    "edits u",
  ],
  [
    "a run of a different stack that was killed between both requests of an edit",
    { ...renamed, noted: [{ ...noteOfRenaming, isOwn: undefined }] },
    "refuses: editedSince",
  ],
  [
    "the resource, with a character that reads lose and a date that someone changed",
    { state: withSign },
    "refuses: editedSince",
  ],
])("before an edit: the shown content was written by %s", (_, given, outcome) =>
  expect(decided(changed({ shown: [{ ...update("u", "X"), ...atNoon }], ...given }))).toBe(outcome),
);

it("a run searches for an edit whose response contains the old text, and the next run edits again", () => {
  const ignored = changed({ events: [edits("u", a.description)] });
  expect(decided(ignored)).toBe("reads");
  const lost = after(ignored, [history([a]), timeUp]);
  expect(decided(lost)).toBe("refuses: editLost, keeps u");
  const again = begun({ declared: toB, state: getEnding(lost).recorded });
  expect(decided(after(again, [history([a])]))).toBe("edits u");
});

it("an edit is distinguished from drift that has disappeared, and never leads to a post", () => {
  const drifted = { ...state, published: normalizeUpdate(update("u", "X")) };
  expect(getEnding(changed({ declared: edit, state: drifted })).kind).toBe("kept");
  for (const events of [[edits("u")], [lost, history([b])]])
    expect(getEnding(changed({ events })).kind).toBe("edited");
  expect(() => changed({ events: [responds(b)] })).toThrow("An edit led to a post.");
  const { command, task } = changed({ declared: { ...toB, publicIncidentUpdateDate: "2026-01-01" } });
  expect(command).toEqual({ kind: "edit", id: "u", date: "2026-01-01" });
  expect(task).toMatchObject({ notices: [] });
});

it("a text that an edit replaced isn't posted by another resource for a day", () => {
  const withEvents = (at: number, text: string, before: string, previous: UpdateRecord | undefined) => {
    const beginning = begun({ declared: { ...edit, description: text }, state: previous });
    return getEnding(after(beginning, [history([update("u", before)], [], at), edits("u", text)])).recorded;
  };
  const recorded = withEvents(now + hour, "C", "B", withEvents(now, "B", "A", state));
  const declared = { onChange: "refuse" } as const;
  const shown = [update("u", "D")];
  const decideWith = (own: UpdateRecord | undefined) =>
    decided(choice({ declared, shown, at: now + 26 * hour, owners: own ? { other: own } : {} }));
  expect(decideWith(recorded)).toBe("refuses: taken");
  expect(decideWith(withEvents(now + 26 * hour, "D", "C", recorded))).toBe("posts");
});

it("a code permits overwriting only the change that it was printed for", () => {
  const shown = [update("u", "C")];
  const codes = getCodes(changed({ shown }));
  const { command, task } = changed({ shown, codes: ["0000aaaa", ...codes] });
  expect(command).toEqual({ kind: "edit", id: "u", date: a.created_at });
  expect(task).toMatchObject({ notices: [{ kind: "overwrites", id: "u" }] });
  expect(getCodes(changed({ shown: [update("u", "D")], codes }))).not.toEqual(codes);
});

it("a stale read of content that a code permitted to overwrite isn't the result of a later edit", () => {
  const shown = [update("u", "C")];
  const overwritten = after(changed({ shown, codes: getCodes(changed({ shown })) }), [edits("u")]);
  const toC = begun({ declared: { ...edit, description: "C" }, state: getEnding(overwritten).recorded });
  expect(decided(after(toC, [history([b]), lost, history(shown)]))).toBe("looks again");
});

describe("an update that is no longer shown", () => {
  const createState = (ms: number) => ({ ...state, createdAt: new Date(now - ms).toISOString() });
  const gone = { shown: [], events: [byId()] };

  it.each<[string, Choice, outcome: string]>([
    ["is recorded as missing if the edit was lost", { declared: edit }, "has u"],
    ["is rejected while it may appear", { declared: edit, state: createState(0) }, "refuses: gone"],
    ["is rejected if its age is unknown", { declared: edit, state }, "refuses: gone"],
  ])("an update that is no longer shown %s", (_, given, outcome) => {
    const { state: of = createState(hour), ...others } = given;
    const lostEdits = of.kind === "posted" ? { ...of, maySay: [{ said: "x" }] } : of;
    const step = changed({ ...gone, ...others, state: lostEdits });
    expect(decided(step)).toBe(outcome);
    if (outcome !== "has u") return;
    const kept = { ...createState(hour), missing: true };
    expect(getEnding(step)).toEqual({ kind: "kept", recorded: kept, notices: [] });
  });
});

describe("an edit without a response", () => {
  const sentB = changed({ events: [lost] });
  const failed = after(sentB, [history([update("u")]), timeUp]);
  const recorded = getEnding(failed).recorded;
  const shownB = { ...update("u", "B"), publicIncidentUpdateDate: update("u").created_at };

  it("the content of an edit without a response belongs to the resource until a run has found the result", () => {
    const toC = begun({ declared: { ...edit, description: "C" }, state: recorded });
    expect(decided(after(toC, [history([shownB])]))).toBe("edits u");
    const made = after(begun({ declared: toB, state: recorded }), [history([shownB]), edits("u")]);
    expect(getEnding(made)).not.toMatchObject({ recorded: { maySay: [{ until: undefined }] } });
  });
});

it("the state records an edit as the service stored it", () => {
  const done = changed({ events: [edits("u", "B!")] });
  const remarks = [{ kind: "altered", id: "u" }];
  expect(getEnding(done)).toMatchObject({ recorded: { missing: false }, notices: remarks });
  const again = begun({ declared: { ...edit, description: "C" }, state: getEnding(done).recorded });
  expect(decided(after(again, [history([update("u", "B!")])]))).toBe("edits u");
});

it("a text whose reads lose a character that the response contained is edited without a code", () => {
  const sign = changed({ declared: { ...edit, description: "B \u2713" }, events: [edits("u", "B \u2713")] });
  const again = begun({ declared: { ...edit, description: "C" }, state: getEnding(sign).recorded });
  expect(decided(after(again, [history([update("u", "B")])]))).toBe("edits u");
  expect(decided(after(again, [history([update("u", "B.")])]))).toBe("refuses: editedSince");
});

it("a preview keeps its predicted edits, whatever a later read returns", () => {
  const [dated, v] = [{ ...a, publicIncidentUpdateDate: "2026-01-02" }, update("v")];
  const edits = changed({ shown: [v, dated], state: { ...state, made: getAdoptedVersion(dated) } });
  const earlier = [normalizeUpdate(update("u", "before")), normalizeUpdate(update("v", "X"))];
  const { ledger, foreseen } = predictWrite({ ...edits.ledger, edited: earlier }, edits.task);
  expect(foreseen).toMatchObject({ kind: "edited", was: dated });
  const read = after({ ...edits, ledger }, [history([dated, v])]);
  expect(read.ledger.view.updates).toMatchObject([{ ...dated, description: "B" }, update("v", "X")]);
});

/** Returns the version that the state records for an update that the resource posted. */
function madeOfA(): string | undefined {
  return getAdoptedVersion(update("u"));
}

function getAdoptedVersion(shown: StatusPageIncidentUpdate): string | undefined {
  const adopted = getEnding(
    choice({ shown: [shown], declared: declaration({ description: shown.description }) }),
  );
  return adopted.recorded?.kind === "posted" ? adopted.recorded.made : undefined;
}
