/** Decisions about a declaration: the guards in their order, the contents of rejections and notices, and resend codes. */
import { type Event } from "../../provider/protocol";
import { maxCodes, parseCodes } from "../../provider/resendCodes";
import { computeDeclarationKey, normalizeUpdate } from "../../provider/protocol/identity";
import { computeSimilarUpdateCode } from "../../provider/protocol/codes";
import {
  byId,
  choice,
  type Choice,
  code,
  fullHistory,
  getCodes,
  decided,
  decides,
  declaration,
  entry,
  keyed,
  note,
  now,
  posted,
  getRejection,
  rejected,
  reported,
  type Row,
  sent,
  update,
} from "./steps";

const a = update("a");
const b = update("b", "B", 1);
const x = update("x", "X");
const second = update("second", "A", 1);
const secondA = { entry: entry("A", 2) };
const declared = secondA;
const date = { publicIncidentUpdateDate: "2026-01-01T00:00:00Z" };
const dated = { ...a, publicIncidentUpdateDate: "2026-01-01T00:00:00.400Z" };
const otherDate = { ...a, publicIncidentUpdateDate: "2026-02-01T00:00:00Z" };

const owned = (...of: Parameters<typeof posted>) => ({ owners: { other: posted(...of) } });
const unsettled = (changes = {}) => ({ owners: { other: sent(changes) } });
const named = { ...a, name: "N" };
const resolved = { ...named, isResolved: true };
const edits = (changes: object) => ({ shown: [a], notes: [note("x", { id: "a", edits: "a", ...changes })] });
const ofLaterA = { shown: [a], notes: [note("x", { id: "a", text: "B" })] };
const inputs = (changes = {}) => ({ state: { kind: "inputs" as const, declared: declaration(changes) } });
const followedBy = [entry("B")];
const doubted = { notes: [reported("x")] };
const live = { notes: [note("x")] };
const codes = (...nonces: string[]) => nonces.map(code);

const byOther = (changes = {}) => ({
  notes: [note("x", { id: "u", isFromOtherProvider: true, ...changes })],
});
const noteOfDated = (changes = {}) => note("x", { id: "a", date: date.publicIncidentUpdateDate, ...changes });
const changedDate = (changes = {}) => ({
  ...{ declared: date, shown: [a], ...owned("a"), notes: [note("y", { text: "B" }), noteOfDated(changes)] },
});
it.each<Row>([
  ["as an update", owned("a"), "rejects: twin"],
  ["as the second of two identical entries", { shown: [a], ...owned("a", secondA) }, "posts"],
  [
    "with the declared date, as the service shows it",
    { declared: date, ...owned("a", {}, { published: dated }) },
    "rejects: twin",
  ],
  ["and its post has an unknown result", unsettled(), "rejects: twin"],
  ["and its post was sent to a different incident", unsettled({ containerId: "j" }), "posts"],
  ["in a different process, without a result so far", byOther({ id: undefined }), "waits for 60 s"],
  ["in a different process, as a public update", { ...byOther(), shown: [update("u")] }, "rejects: twin"],
  [
    "in a different process, with a different date",
    { declared: date, ...byOther({ date: "2026-02-01T00:00:00Z" }) },
    "posts",
  ],
  [
    "in a different process, as a public update with this date",
    { declared: date, ...byOther({ date: dated.publicIncidentUpdateDate }), shown: [{ ...dated, id: "u" }] },
    "rejects: twin",
  ],
  [
    "with the declared date in the note of its post, but the service changed the date",
    changedDate(),
    "rejects: twin",
  ],
  ["without the declared date, which only an edit of the update wrote", changedDate({ edits: "a" }), "posts"],
  [
    "with a different text, which an edit wrote",
    { shown: [update("a", "B")], ...owned("a", { description: "B" }), notes: [note("x", { id: "a" })] },
    "posts",
  ],
  [
    "identically, and the update of this resource is missing",
    { shown: [a], owners: { own: posted("a", {}, { missing: true }) } },
    "owns a",
  ],
])("twin: another resource declares the update %s", decides);

it.each<Row>([
  ["twice, and the second update is declared", { shown: [second, a], declared }, "owns second"],
  ["and an edit that was just sent removes it", edits({ text: "B" }), "posts"],
  ["and an edit that was sent long ago removed it", edits({ text: "B", mayAppearUntil: now }), "owns a"],
  ["and a note of its post contains a different text", ofLaterA, "owns a"],
  [
    "but a note contains another ID for this resource's post",
    { shown: [second], notes: [note("x", { id: "a", isOwn: true })] },
    "reads a",
  ],
  [
    "and a note contains the ID of another resource's post",
    { shown: [second], notes: [note("x", { id: "a" })] },
    "owns second",
  ],
  [
    "as the second, and another resource owns the first",
    { ...owned("a"), shown: [second], declared },
    "owns second",
  ],
  [
    "only once, and the second is declared",
    { ...owned("b", { description: "B" }), shown: [a], declared },
    "posts",
  ],
  [
    "and an edit of this resource, which has a key, was just sent",
    { ...edits({ text: "B", isOwn: true }), declared: keyed },
    "edits a",
  ],
])("adopt: the update is public %s", decides);

const timeline = { followedBy: [entry("B"), entry("C", 2)] };
const createNotes = (text: string) => ({ notes: [reported("x", { id: "u", text })] });
const reportedB = (changes: object) => ({ notes: [reported("x", { text: "B", ...changes })] });
const beforeDated = { declared: { followedBy: [entry("A", 1, dated.publicIncidentUpdateDate)] } };
const ofOtherTimeline = {
  ...owned("b", { description: "B", entry: `${entry("B")}#@1` }),
  notes: [note("y", { text: "B", id: "b" })],
};
it.each<Row>([
  ["which belongs to another timeline and has a note, isn't shown", ofOtherTimeline, "posts"],
  ["declared once, is public twice", { shown: [update("again", "B", 2), b] }, "rejects: laterEntry"],
  [
    "whose post has a date, was reported",
    reportedB({ date: otherDate.publicIncidentUpdateDate }),
    "rejects: doubtedPost",
  ],
  ["with the same content and a date, is public", { ...beforeDated, shown: [dated] }, "rejects: laterEntry"],
  ["whose ID is in a note, isn't shown", { shown: [x], ...createNotes("B") }, "reads u"],
  [
    "whose text an edit changed, is public",
    { shown: [x, update("u", "E")], ...createNotes("B") },
    "rejects: laterEntry",
  ],
  [
    "whose text an edit changed, belongs to another resource",
    { shown: [update("u", "E")], ...createNotes("B"), ...owned("u", { description: "E" }) },
    "posts",
  ],
])("order: a later entry, %s", (_, given, outcome) =>
  expect(decided(choice({ ...given, declared: { ...timeline, ...given.declared } }))).toBe(outcome),
);

const keyedEntry = { key: "k", follows: entry("X"), followedBy: [entry("C")] };
const afterX = {
  declared: keyedEntry,
  shown: [b, x],
  owners: { other: posted("x", { description: "X", entry: entry("X") }, { createdAt: x.created_at }) },
};
it.each<Row>([
  ["and before a later entry", afterX, "rejects: laterEntry"],
  [
    "and another resource owns it",
    { ...afterX, owners: { ...afterX.owners, third: posted("b", { description: "B" }) } },
    "posts",
  ],
  ["and the entry has no key", { ...afterX, declared: { ...keyedEntry, key: undefined } }, "posts"],
  ["and there is no later entry", { ...afterX, declared: { ...keyedEntry, followedBy: [] } }, "posts"],
  ["but no resource owns the previous entry", { declared: keyedEntry, shown: [b, x] }, "posts"],
  ["which isn't shown yet, but it is older", { ...afterX, shown: [update("o", "O", -1)] }, "posts"],
  ["but it is older within the same second", { ...afterX, shown: [x, update("o", "O")] }, "posts"],
])("order: an update is public after the previous entry, %s", decides);

it("order: the previous entry isn't public", () => {
  const given = { declared: { followedBy: [], follows: entry("X") } };
  expect(decided(choice(given))).toBe("rejects: earlierEntry");
});

it("unreadId: a note contains the ID of the update, after a note that doesn't", () => {
  expect(decided(choice({ notes: [note("x"), note("y", { id: "u" })] }))).toBe("reads u");
});

const words = "We found the reason why some of the requests failed";
const similar = update("r", `${words} today`);
const similarly = { declared: { description: `${words} again`, followedBy }, shown: [similar] };
const incident = { declared: { name: "N" } };
const named2 = (changes: object) => ({
  ...incident,
  shown: [{ ...update("z", "Z"), name: "N", ...changes }],
});
it.each<Row>([
  ["nearly the same text, and an entry is declared", similarly, "rejects: alike"],
  [
    "the declared name without its emoji",
    { ...named2({}), declared: { name: "N\u{1F600}" } },
    "rejects: alike",
  ],
  ["the declared name, but is resolved", named2({ isResolved: true }), "posts"],
  [
    "the declared name, but is resolved and has no text",
    named2({ isResolved: true, description: "" }),
    "rejects: alike",
  ],
  [
    "the declared name, and a note of a different incident contains its ID",
    { ...named2({}), notes: [note("x", { id: "z", text: "B" })] },
    "rejects: alike",
  ],
])("alike: a public update or incident has %s", decides);

it("alike: a code permits a post that is nearly the same as a public update", () => {
  expect(decided(choice({ ...similarly, codes: getCodes(choice(similarly)) }))).toBe("posts");
});

const noon = { publicIncidentUpdateDate: "2026-01-05T12:00:00Z" };
const noteOfA = (changes: Parameters<typeof note>[1]) => ({ notes: [note("x", { id: "a", ...changes })] });
const notA = computeSimilarUpdateCode(computeDeclarationKey(declaration(noon)), "a");
it.each<Row>([
  [
    "a note records it with the declared date, as the second of two",
    { shown: [a], declared, ...noteOfA({ occurrence: 2, date: noon.publicIncidentUpdateDate }) },
    "rejects: alike",
  ],
  ["it has a different status", { shown: [{ ...a, status: "RESOLVED" }] }, "posts"],
  ["a note records that its post had a different text", { shown: [a], ...noteOfA({ text: "B" }) }, "posts"],
  ["another resource owns it", { shown: [a], ...owned("a") }, "posts"],
])("alike: an update with the same content and a different date is public: %s", (what, given, outcome) =>
  decides(what, { ...given, declared: { ...noon, ...given.declared } }, outcome),
);

it("a rejection lists an update with the same content and a different date, in the format of a declared date", () => {
  const shown = { ...a, publicIncidentUpdateDate: "2026-01-05" };
  const alike = [{ id: "a", date: "2026-01-05T00:00:00.000Z", code: notA }];
  const given = { shown: [shown], declared: noon };
  expect(getRejection(choice(given))).toEqual({ kind: "alike", updates: alike, codes: [notA] });
  const beforeB = { shown: [shown, b], declared: { ...noon, followedBy } };
  expect(getRejection(choice(beforeB))).toEqual({ kind: "laterEntry", id: "b", alike });
});

function answeredEarly(ms: number): Choice {
  return { notes: [reported("x", { codeStart: now + ms })], codes: [code("x")] };
}
it.each<Row>([
  ["settled by this run", { ...live, settledPosts: ["x"] }, "posts"],
  ["its code was set too early", answeredEarly(60_001), "waits for 60.001 s"],
  [
    "another post can appear for a shorter time",
    { notes: [note("x"), note("y", { mayAppearUntil: now + 1 })] },
    "waits for 60 s",
  ],
])("liveNote: a post was sent shortly before: %s", decides);

describe("doubtedPost: it is unknown whether a post is public", () => {
  const later = { followedBy: [entry("B"), entry("C")] };
  const absent = (...notes: ReturnType<typeof note>[]) => ({ notes, events: [byId(undefined, notes)] });
  const known = (...ids: string[]) => {
    const notes = ids.map((id) => reported(id, { id }));
    return [notes, ids.map(() => byId(undefined, notes))] as const;
  };
  const [ofTwo, twice] = known("v", "w");
  const withX = [...ofTwo, reported("x")];
  it.each<[string, Choice, nonces: string[]]>([
    [
      "all posts at once, except a post with a different date",
      {
        declared: { ...later, ...date },
        notes: [reported("x"), reported("a", { date: date.publicIncidentUpdateDate })],
      },
      ["a"],
    ],
    [
      "a post with an ID before a reported post",
      { declared: later, ...absent(reported("v", { id: "v" }), reported("a")) },
      ["v", "a"],
    ],
    [
      "no post of an earlier identical entry",
      { notes: withX, events: twice.map((event) => ({ ...event, notes: withX })), declared },
      ["w"],
    ],
  ])("doubtedPost: a rejection requires codes for %s", (_, given, nonces) => {
    const asked = getRejection(choice(given));
    expect(asked).toMatchObject({ kind: "doubtedPost", isLater: false });
    expect(asked.kind === "doubtedPost" && asked.posts.map(({ nonce }) => nonce)).toEqual(nonces);
  });

  it("doubtedPost: a rejection contains the time when the codes for all posts take effect", () => {
    const notes = [1, 3, 2].map((ms) => reported(`n${ms}`, { codeStart: now + ms }));
    expect(getRejection(choice({ notes }))).toMatchObject({ kind: "doubtedPost", from: now + 3 });
  });

  it("doubtedPost: a code permits one post", () => {
    const notes = [reported("a", { at: 1 })];
    const { command, task } = choice({ declared: later, notes, codes: codes("a", "x") });
    expect(command).toMatchObject({ kind: "post", denied: ["a"] });
    expect(task).toMatchObject({ notices: [{ kind: "resent", at: 1 }] });
  });
});

const began = Date.UTC(2026, 0, 1, 12);
it.each<Row>([
  ["undecided: the engine replaces the resource without diff", inputs(), "rejects: undecided"],
  ["full: the history may be cut", { shown: fullHistory() }, "rejects: full"],
  ["tooEarly: the date is before the start of the incident", { began, declared: date }, "rejects: tooEarly"],
  [
    "tooEarly: the date is the start of the incident",
    { began: Date.parse(date.publicIncidentUpdateDate), declared: date },
    "posts",
  ],
])("the last guards before a post: %s", decides);

it("a post that the service rejects fails", () => {
  expect(decided(choice({ events: [rejected] }))).toBe("rejects: failed");
});

describe("codes", () => {
  it("codes are the same in each release, because a user may set one after an upgrade", () => {
    expect(parseCodes("70e266c4 eff1fa0d a7e266c4")).toEqual(["c0e266c4", "fff1fa0d", "a7e266c4"]);
    expect(computeSimilarUpdateCode("own", "a")).toBe("aa6582b9");
    expect(codes("x")).toEqual(["c0e266c4"]);
  });

  const nonces = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  const ask = (...asked: string[]) => ({ notes: asked.map((nonce) => reported(nonce)) });
  const [all, most] = [nonces(maxCodes), nonces(maxCodes - 1)];
  it.each<[string, set: string[], asked: string[], printed: string[]]>([
    ["no codes, if more are required than can be set", ["0a"], ["x", ...all], []],
    ["all 100 required codes and no configured code", ["0a"], all, codes(...all)],
    [
      "at most 100 codes, without the first configured ones",
      ["0a", ...codes(...most)],
      ["x"],
      codes(...most, "x"),
    ],
  ])("a rejection contains %s", (_, set, asked, printed) => {
    expect(getCodes(choice({ ...ask(...asked), codes: set }))).toEqual(printed);
  });

  const malformed = expect.stringMatching("^must be codes of 8 hexadecimal digits");
  const tooMany = expect.stringMatching("^must be at most 100 codes");
  it.each<[string, text: string, read: readonly string[] | object]>([
    ["nothing", " ", []],
    ["100 codes", codes(...all).join(" "), codes(...all)],
    ["101 codes", codes(...all, "x").join(" "), { problem: tooMany }],
    ["a code with one digit too many", "cf3a1c201", { problem: malformed }],
  ])("the setting of codes is parsed: %s", (_, text, read) => expect(parseCodes(text)).toEqual(read));
});

describe("rejections and notices", () => {
  const anyCode: unknown = expect.stringMatching(/^[0-9a-f]{8}$/);
  const resolvedB = { ...b, status: "RESOLVED" } as const;
  it.each<[string, Choice, object]>([
    [
      "the public content of a killed run's post, and the fields that differ",
      { shown: [resolvedB], notes: [note("x", { text: "B", id: "b", isOwn: true })] },
      { kind: "changed", fields: ["status", "description"], shown: normalizeUpdate(resolvedB) },
    ],
    [
      "an update with nearly the same text",
      similarly,
      { kind: "alike", updates: [{ id: "r", isRenamed: true, code: anyCode }], codes: [anyCode] },
    ],
    [
      "a resolved incident with the same content",
      { ...incident, shown: [update("c", "C", 2), resolved] },
      { kind: "alike", updates: [{ id: "a", isResolved: true, code: anyCode }], codes: [anyCode] },
    ],
    [
      "the fields that must not change",
      inputs({ status: "RESOLVED" }),
      { kind: "changed", fields: ["status"] },
    ],
    [
      "the required code and the configured code",
      { ...doubted, codes: ["0000aaaa"] },
      {
        kind: "doubtedPost",
        posts: doubted.notes,
        isLater: false,
        codes: ["0000aaaa", code("x")],
        set: ["0000aaaa"],
      },
    ],
    [
      "the identical updates that were posted earlier, and the required code",
      { declared, shown: [x, { ...a, created_at: null }], notes: [reported("x", { occurrence: 2 })] },
      {
        kind: "doubtedPost",
        posts: [reported("x", { occurrence: 2 })],
        isLater: false,
        codes: codes("x"),
        others: [{ id: "a" }],
      },
    ],
  ])("a rejection names %s", (_, given, rejection) => {
    expect(getRejection(choice(given))).toEqual(rejection);
  });

  it.each([
    ["a later entry", { followedBy }, [note("x"), note("y", { text: "B" })], true],
    ["a killed run's post with a different text", keyed, [note("x", { text: "B", isOwn: true })], false],
  ])("one notice states the reason for a wait: %s", (_, changes, notes, isLater) => {
    const again: Event = { kind: "history", shown: [], notes, now: now + 1000 };
    const { task, command } = choice({ declared: changes, notes, events: [again] });
    expect(task).toMatchObject({
      notices: [{ kind: "waits", ms: 60_000, isLater }],
      phase: { lookedUp: [], waitsUntil: now + 60_000 },
    });
    expect(command).toEqual({ kind: "read", again: true, until: now + 60_000 });
  });
});
