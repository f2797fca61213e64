/** An edit overwrites content that the resource wrote itself. It requires a resend code to overwrite other content. */
import { type StatusPageIncidentUpdate } from "../../provider/api";
import {
  type Event,
  type PostedUpdate,
  type Ledger,
  predictWrite,
  normalizeUpdate,
  type UpdateRecord,
  withWanted,
} from "../../provider/protocol";
import { computeContentVersion } from "../../provider/protocol/identity";
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
const x = update("u", "X");
/** The state after a refresh that found text X instead of the text that the resource wrote. */
function driftOf(made: string): PostedUpdate {
  return { ...state, made: versionOf(update("u", made)), published: normalizeUpdate(x) };
}

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
  [
    "only white space changes, and a later entry declares the same content and isn't public",
    { declared: { ...edit, description: "A ", followedBy: [entry("A", 2)] } },
    "edits u",
  ],
  [
    "the declared content is public, and an earlier edit has an unknown result",
    { declared: edit, state: { ...state, maySay: [{ said: "x" }] } },
    "edits u",
  ],
  [
    "a change on the service has disappeared, and the service had changed the text that was posted",
    { declared: edit, state: driftOf("A!"), shown: [update("u", "A!")] },
    "has u",
  ],
])("before an edit: %s", (_, given, outcome) => expect(decided(changed(given))).toBe(outcome));

/** An edit to this text whose content reads return until this time. */
const wasUntil = (text: string, until?: number) => ({
  state: {
    ...state,
    maySay: [{ said: versionOf(update("u", text)), ...(until !== undefined && { until }) }],
  },
});
const anyUntil = (until: number) => ({ state: { ...state, maySay: [{ said: "", until }] } });
const respelled = { declared: { ...edit, description: "A " }, state: posted("u", edit) };
const permitted = (given: Choice) => ({ ...given, codes: getCodes(changed(given)) });
const overX = permitted({ shown: [x] });
const drifted = permitted({ declared: edit, state: driftOf("A!"), shown: [x] });
const backToB = permitted({ state: { ...driftOf("B"), declared: declaration(toB) }, shown: [x] });
it.each<[string, Event[], outcome: string, given?: Choice]>([
  ["contains a different update, and the edit isn't shown yet", [edits("v"), history([a])], "looks again"],
  ["contains the content that a code permitted to overwrite", [edits("u", "X")], "reads", overX],
  [
    "contains a text of before that reads may still return",
    [edits("u", "C")],
    "reads",
    wasUntil("C", now + 1),
  ],
  ["contains a text of before that no read returns any more", [edits("u", "C")], "has u", wasUntil("C", now)],
  ["contains the text of an edit with an unknown result", [edits("u", "C")], "reads", wasUntil("C")],
  ["contains the text as the service changed it before", [edits("u", "A!")], "has u", drifted],
  ["contains neither the declared text nor the posted one", [edits("u", "A?")], "reads", drifted],
  ["is lost", [lost], "reads"],
  ["is lost, and a read fails", [lost, unread], "looks again"],
  [
    "is lost, and a read shows the declared content",
    [lost, history([b])],
    "has u",
    wasUntil("B", now - hour),
  ],
  ["is lost, and a read shows the text of before", [lost, history([a])], "looks again", respelled],
  ["is lost, and a read shows the new white space", [lost, history([update("u", "A ")])], "has u", respelled],
  ["is lost, and a read shows what the resource wrote before", [lost, history([b])], "looks again", backToB],
  [
    "is lost, and reads may return any text of before",
    [lost, history([b])],
    "looks again",
    anyUntil(now + 1),
  ],
  ["is lost, and reads return no text of before any more", [lost, history([b])], "has u", anyUntil(now)],
])("after an edit: the response %s", (_, events, outcome, given = {}) =>
  expect(decided(changed({ ...given, events }))).toBe(outcome),
);

const named = { name: "N" };
const over = { ...a, ...named, isOver: true };
const overB = { ...over, description: "B" };
const ofN = (changes: Partial<PostedUpdate> = {}, made = over) => ({
  ...posted("u", { ...edit, ...named }),
  ...{ made: versionOf(made), ...changes },
});
const impactsOfN = { ...named, impacts: "c" };
const toBOfN = { declared: { ...toB, ...named }, shown: [overB] };
it.each<Row>([
  ["only the impacts change", { declared: { ...edit, ...impactsOfN }, state: ofN(), shown: [over] }, "has u"],
  ["the text changes", { ...toBOfN, state: ofN(), shown: [over] }, "edits u"],
  [
    "only the impacts change, and the text was edited on the service, onChange post",
    { declared: impactsOfN, state: posted("u", named), shown: [overB] },
    "has u",
  ],
  [
    "an edit with an unknown result has changed the text",
    { ...toBOfN, state: ofN({ maySay: [{ said: "x" }, { said: versionOf(overB) }] }) },
    "has u",
  ],
  [
    "an edit with another text has an unknown result",
    { ...toBOfN, state: ofN({ maySay: [{ said: "x" }] }) },
    "edits u",
  ],
  [
    "an earlier edit to the declared text was replaced",
    { ...toBOfN, state: ofN({ maySay: [{ said: versionOf(overB), until: now + hour }] }) },
    "edits u",
  ],
])("before an edit of a resolved incident: %s", (_, given, outcome) =>
  expect(decided(changed(given))).toBe(outcome),
);

const resolved = { status: "RESOLVED" } as const;
const resolvedA = { ...a, ...resolved };
const news = { ...edit, key: "k", status: "IDENTIFIED" } as const;
it.each<Row>([
  [
    "a new entry under the key of another one",
    { declared: { ...news, description: "B" } },
    "refuses: keyReused",
  ],
  ["the resolution of an open incident", { declared: { ...edit, ...resolved } }, "refuses: keyReused"],
  [
    "the status RESOLVED, after a newer update resolved the incident",
    {
      declared: { ...edit, ...resolved },
      shown: [{ ...update("v", "V", 2), ...resolved }, update("w", "W", 1), a],
    },
    "edits u",
  ],
  [
    "a different text of a resolution, after a newer update reopened the incident",
    {
      declared: { ...toB, ...resolved },
      state: { ...posted("u", { ...edit, ...resolved }), made: versionOf(resolvedA) },
      shown: [update("v", "V", 1), resolvedA],
    },
    "edits u",
  ],
  [
    "the status RESOLVED for the first update of a resolved incident",
    { declared: { ...edit, ...named, ...resolved }, state: ofN(), shown: [over] },
    "edits u",
  ],
])("before an edit: the program declares %s", (_, given, outcome) =>
  expect(
    decided(changed({ state: { ...state, declared: declaration({ ...edit, key: "k" }) }, ...given })),
  ).toBe(outcome),
);

const ofOther = (as: object) => ({ kind: "taken", by: "other", ...as });
const takenBy = (by: string) => (ledger: Ledger) => ({
  ...ledger,
  taken: new Map([[declaration(toB).contentKey, by]]),
});
const editedOf = (date: object) => ({ maySay: [{ said: versionOf({ ...b, ...date }), until: now + hour }] });
const edited = editedOf({});
const atNoon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };
const atEleven = { publicIncidentUpdateDate: "2026-01-01T11:00:00Z" };
it.each<[string, (ledger: Ledger) => Ledger, refusal: object | undefined, given?: Choice]>([
  [
    "another resource is about to publish the old content",
    (ledger) => withWanted(ledger, "other", declaration()),
    ofOther({ isEdit: true }),
  ],
  [
    "the resource itself is about to publish the old content",
    (ledger) => withWanted(ledger, "own", declaration()),
    undefined,
  ],
  ["an edit of another resource removes the new content", takenBy("other"), ofOther({ isShift: true })],
  [
    "an edit of another entry with a key removes the new content",
    takenBy("other"),
    undefined,
    { declared: { ...toB, key: "k" } },
  ],
  ["an edit of the resource itself removes the new content", takenBy("own"), undefined],
  [
    "an earlier edit of another resource removed the new content",
    (ledger) => ledger,
    ofOther({ isShift: true }),
    { owners: { other: posted("v", { ...edit, description: "V" }, edited) } },
  ],
  [
    "an earlier edit of another resource changed only the date",
    (ledger) => ledger,
    ofOther({ isShift: true }),
    {
      declared: { ...toB, ...atNoon },
      owners: { other: posted("v", { ...toB, ...atEleven }, editedOf(atNoon)) },
    },
  ],
  [
    "an earlier edit of another resource changed another date",
    (ledger) => ledger,
    undefined,
    {
      declared: { ...toB, ...atNoon },
      owners: { other: posted("v", { ...toB, ...atEleven }, editedOf({})) },
    },
  ],
  [
    "an earlier edit of another resource is on a different incident",
    (ledger) => ledger,
    undefined,
    { owners: { other: posted("v", { ...edit, containerId: "j", description: "V" }, edited) } },
  ],
])("before an edit: %s", (_, learn, refusal, given = {}) => {
  const { ledger, ...beginning } = begun({ declared: toB, state, ...given });
  const step = after({ ...beginning, ledger: learn(ledger) }, [history([a])]);
  expect(step.command).toMatchObject(refusal ? { ending: { refusal } } : { kind: "edit" });
});

it("a task listens before an edit that removes content, and only before such an edit", () => {
  const unheard = ({ ledger, ...step }: ReturnType<typeof begun>) => ({
    ...{ ...step, ledger: { ...ledger, hasListened: false } },
  });
  expect(decided(after(unheard(begun({ declared: toB, state })), [history([a])]))).toBe("listens");
  expect(decided(after(unheard(begun(respelled)), [history([a])]))).toBe("edits u");
});

it("an edit whose date the page rejects is rejected", () => {
  const declared = { ...toB, publicIncidentUpdateDate: "2025-12-31" };
  const read = { ...history([a]), began: now };
  expect(getRefusal(after(begun({ declared, state }), [read]))).toEqual({ kind: "tooEarly", began: now });
});

it("an edit that leaves hardly a word of a text is announced if the program declares an email", () => {
  const { task } = changed({ declared: { ...toB, notifySubscribers: true } });
  expect(task.notices).toEqual([{ kind: "rewrites", id: "u" }]);
});

const failed = { kind: "failed" };
const ignored = "The service responded to the edit of update u with its words from before.";
const otherId = "The service responded to the edit of update u with v.";
it.each<[string, Event[], object]>([
  ["was rejected", [history([a]), rejected], { ...failed, text: "403" }],
  ["can't start within the time limit", [timeUp], { ...failed, text: "" }],
  ["can't start because it is canceled", [{ ...timeUp, text: "SIGINT" }], { ...failed, text: "SIGINT" }],
  ["has an unknown result", [history([a]), edits("v"), timeUp], { kind: "editLost", text: otherId }],
  ["is ignored", [history([a]), edits("u", "A"), timeUp], { kind: "editLost", text: ignored }],
])("an edit that %s fails with the reason", (_, events, refusal) =>
  expect(getRefusal(after(begun({ declared: toB, state }), events))).toEqual(refusal),
);

const own = { text: "X", id: "u", isOwn: true };
const renaming = { ...toB, name: "New" };
const halfEdited = { ...update("u", "B"), name: "Old" };
const renamed = { declared: renaming, state: posted("u", { ...edit, name: "Old" }), shown: [halfEdited] };
const noteOfRenaming = note("x", { isOwn: true, edits: "u", words: declaration(renaming).contentKey });
const impact = (status: "MAJOR_OUTAGE" | "PARTIAL_OUTAGE") => ({
  componentImpacts: [{ componentId: "c", status }],
});
const [major, partial] = [impact("MAJOR_OUTAGE"), impact("PARTIAL_OUTAGE")];
const wroteX = (as: { readonly until: number; readonly isOverwritten?: true }) => ({
  state: { ...state, maySay: [{ said: versionOf({ ...x, ...atNoon }), ...as }] },
});
const withSign = posted("u", { ...edit, description: "X \u2713" }, { published: update("u", "X \u2713") });
it.each<Row>([
  ["a killed run of the resource", { noted: [note("x", own)] }, "edits u"],
  [
    "a killed run, with an edit that a later one replaced",
    { noted: [note("x", { ...own, edits: "u", isReworded: true })] },
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
  [
    "a run of the resource that was killed between both requests of an edit of another update",
    { ...renamed, noted: [{ ...noteOfRenaming, edits: "v" }] },
    "refuses: editedSince",
  ],
  [
    "a run of the resource that was killed between both requests of an edit to another text",
    { ...renamed, noted: [{ ...noteOfRenaming, words: "other" }] },
    "refuses: editedSince",
  ],
  [
    "a killed run, with the declared impacts",
    {
      declared: { ...toB, ...named, ...major },
      state: ofN({}, { ...over, ...partial }),
      shown: [{ ...x, ...named, ...major }],
      noted: [note("x", { ...own, words: declaration({ description: "X", ...named }).contentKey })],
    },
    "edits u",
  ],
  ["the resource, in an edit that reads may still return", wroteX({ until: now + hour }), "edits u"],
  ["the resource, in an edit that no read returns any more", wroteX({ until: now }), "refuses: editedSince"],
  [
    "someone, before a code permitted to overwrite it",
    wroteX({ until: now + hour, isOverwritten: true }),
    "refuses: editedSince",
  ],
  [
    "the resource, with a character that reads lose and a status that someone changed",
    { state: withSign, shown: [{ ...x, status: "IDENTIFIED" }] },
    "refuses: editedSince",
  ],
  [
    "the resource, with a character that reads lose, in an incident",
    {
      declared: { ...toB, ...named },
      state: posted("u", { ...edit, ...named, description: "X \u2713" }),
      shown: [{ ...x, ...named }],
    },
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
  expect(getEnding(changed({ declared: edit, state: drifted }))).toMatchObject({
    kind: "kept",
    recorded: { missing: false },
  });
  for (const events of [[edits("u")], [lost, history([b])]])
    expect(getEnding(changed({ events })).kind).toBe("edited");
  expect(() => changed({ events: [responds(b)] })).toThrow("An edit led to a post.");
  const { command, task } = changed({ declared: { ...toB, publicIncidentUpdateDate: "2026-01-01" } });
  expect(command).toEqual({ kind: "edit", id: "u", date: "2026-01-01" });
  expect(task).toMatchObject({ notices: [] });
  expect(changed(renamed)).toMatchObject({ command: { ending: { refusal: { kind: "editedSince" } } } });
  expect(changed({ ...renamed, noted: [noteOfRenaming] }).command).toEqual({
    kind: "edit",
    id: "u",
    date: "",
  });
});

it.each<[string, Choice, object]>([
  [
    "the entries that aren't public yet",
    { declared: { ...toB, followedBy: [entry("D"), entry("E"), entry("F")] }, shown: [x, update("v", "D")] },
    { waiting: 2, isOfImpacts: undefined },
  ],
  ["no entries of an update outside a timeline", { shown: [x] }, { waiting: 0 }],
  [
    "a change of only the impacts",
    {
      declared: { ...edit, ...named, ...major },
      state: ofN({}, { ...over, ...major }),
      shown: [{ ...a, ...named, ...partial }],
    },
    { isOfImpacts: true },
  ],
])("a rejected edit of content that someone wrote mentions %s", (_, given, refusal) =>
  expect(getRefusal(changed(given))).toMatchObject({ kind: "editedSince", ...refusal }),
);

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
  // A user may set a code after an upgrade.
  expect(codes).toEqual(["cdd03325"]);
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
  expect(getEnding(done)).toMatchObject({
    recorded: { missing: false, maySay: [{ said: state.made, until: expect.any(Number) }] },
    notices: remarks,
  });
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

function versionOf(shown: StatusPageIncidentUpdate): string {
  return computeContentVersion(normalizeUpdate(shown));
}

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
