/** What a run learns from the notes and records of earlier runs: of edits, of killed runs, and of posts that are repeated. */
import { type Event, findDeniedPost } from "../../provider/protocol";
import { computeUpdateId } from "../../provider/protocol/identity";
import {
  after,
  begun,
  choice,
  type Choice,
  code,
  decided,
  decides,
  declaration,
  entry,
  getEnding,
  history,
  hour,
  missing,
  note,
  now,
  posted,
  reported,
  responds,
  type Row,
  settled,
  timeUp,
  update,
} from "./steps";

const a = update("a");
const b = update("b", "B", 1);
const c = update("c", "C");
const textB = { description: "B" };
const toEdit = { onChange: "edit" } as const;
const followedBy = [entry("B")];

const reworded = (changes = {}) => ({ noted: [note("x", { isReworded: true, ...changes })] });
const ownReported = { isOwn: true, isReported: true, mayAppearUntil: now };
it.each<Row>([
  ["of another resource", { ...reworded(), declared: toEdit }, "posts"],
  ["of this resource", { ...reworded(ownReported), declared: toEdit }, "refuses: noted"],
  ["of this resource, which rejects changes", reworded(ownReported), "posts"],
  [
    "which was a later entry and is public",
    { ...reworded({ id: "c", text: "B" }), shown: [update("c", "C")], declared: { followedBy } },
    "posts",
  ],
])("an earlier run edited away the text of a post %s", decides);

const killed = (changes = {}) => ({
  declared: toEdit,
  noted: [note("x", { text: "B", isOwn: true, ...changes })],
});
const ended = { at: now - hour, mayAppearUntil: now };
const undatedB = { ...b, created_at: null };
it.each<Row>([
  ["which has no creation time", { ...killed(), shown: [undatedB] }, "refuses: undated"],
  [
    "which has no creation time, and is shown at the end of the wait",
    { ...killed(), events: [history([undatedB], killed().noted, now + 60_000)] },
    "refuses: undated",
  ],
  ["which has no creation time, long after the post", { ...killed(ended), shown: [undatedB] }, "posts"],
  ["of another resource", { ...killed({ id: "b", isOwn: false }), shown: [b] }, "posts"],
  ["which an edit wrote", { ...killed({ edits: "b" }), shown: [b] }, "posts"],
  ["whose post this run has settled", { ...killed({ id: "b" }), shown: [b], settledPosts: ["x"] }, "posts"],
  [
    "which is a later entry",
    { ...killed({ id: "b" }), shown: [b], declared: { ...toEdit, followedBy } },
    "refuses: laterEntry",
  ],
  ["which isn't shown, but a different one is", { ...killed(), shown: [c] }, "waits for 60 s"],
  [
    "which isn't shown, but a different one is, and its ID is known",
    { ...killed({ id: "b" }), shown: [c] },
    "waits for 60 s",
  ],
  ["which can't appear any more", killed({ ...ended, id: "b" }), "posts"],
  [
    "which another post created",
    { ...killed(), noted: [...killed().noted, note("y", { text: "B", id: "b" })], shown: [b] },
    "waits for 60 s",
  ],
  [
    "which another resource owns",
    { ...killed({ id: "b" }), shown: [b], owners: { other: posted("b", textB) } },
    "posts",
  ],
])("killedPost: a killed run posted an update with a different text %s", decides);

it.each<[string, Choice, nonces: string[]]>([
  ["at its time, without an ID", { noted: [note("x")] }, ["x"]],
  ["with its ID", { noted: [note("x", { id: "a" })] }, ["x"]],
  ["with its ID, of this resource", { noted: [note("x", { id: "a", isOwn: true })] }, []],
  ["with a different ID", { noted: [note("x", { id: "z" })] }, []],
  ["that edited it", { noted: [note("x", { edits: "a" })] }, []],
  ["of a different text", { noted: [note("x", { text: "B" })] }, []],
  ["an hour before it", { noted: [reported("x")] }, []],
  ["two minutes before it", { noted: [reported("x", { at: now - 120_000 })] }, ["x"]],
  [
    "an hour before it, of this resource, which edits",
    { noted: [reported("x", { isOwn: true })], declared: toEdit },
    ["x"],
  ],
  ["an hour before it, of this resource", { noted: [reported("x", { isOwn: true })] }, []],
])("an adopted update completes the note of a post %s", (_, given, nonces) => {
  const { applied } = choice({ shown: [a], ...given }).task;
  expect(applied.map(({ nonce }) => nonce)).toEqual(nonces);
});

describe("a killed run", () => {
  it("a killed run's post with a different text is edited, even if a read shows it only at the end of the wait", () => {
    const noted = [note("x", { text: "B", id: "b", isOwn: true })];
    const last = history([update("b", "B")], noted, now + 60_000);
    const { command } = choice({ declared: { onChange: "edit" }, noted, events: [last] });
    expect(command).toMatchObject({ kind: "edit", id: "b" });
  });

  it.each([
    ["a killed run's post that is corrected hours later is edited", 0, "edits b"],
    ["an update that is older than a killed run's post isn't taken for it", -30, "posts"],
    ["an update that somebody posted later isn't taken for a killed run's post", 10, "posts"],
  ])("%s", (_, minute, outcome) => {
    const killedPost = note("x", { text: "B", isOwn: true, at: now - hour, mayAppearUntil: now - hour / 2 });
    const shown = [update("b", "B", minute - 60)];
    expect(decided(choice({ declared: { onChange: "edit" }, shown, noted: [killedPost] }))).toBe(outcome);
  });

  it.each([
    ["its own text is edited", "B", [], "edits b"],
    [
      "a text that a killed correction sent is edited",
      "C",
      [note("y", { text: "C", edits: "b" })],
      "edits b",
    ],
    ["a text that somebody else wrote requires a code", "E", [], "refuses: editedSince"],
  ])("a noted update of a killed run: %s", (_, text, edits, outcome) => {
    const killedPost = note("x", { text: "B", id: "b", at: now - hour, mayAppearUntil: now - hour / 2 });
    const noted = [killedPost, ...edits].map((each) => ({ ...each, isOwn: true }));
    const shown = [update("b", text, -60)];
    expect(decided(choice({ declared: { onChange: "edit" }, shown, noted }))).toBe(outcome);
  });
});

const repeated = (events: readonly Event[], others = {}) =>
  settled({ codes: [code("lost")], sent: others, events: [history([]), timeUp, ...events] });

it.each([
  ["first", {}, 0, 1],
  ["second", { repeats: 1 }, 1, 2],
  ["third", { repeats: 2 }, 2, 3],
])("the %s repetition of a post is counted, and sends the ID of its attempt", (_, of, attempt, repeats) => {
  const { command, task } = repeated([history([])], of);
  expect(command).toMatchObject({ kind: "post", id: computeUpdateId(declaration(), attempt) });
  expect(task).toMatchObject({ phase: { sent: { repeats } } });
});

it.each([
  ["once an identical update is adopted", repeated([history([a])]), "lost"],
  ["not if the incident is missing", repeated([missing]), undefined],
  ["not without one", choice({ shown: [a] }), undefined],
  ["not after a new post", choice({ events: [responds(a)] }), undefined],
])("the note of a post that a code confirms as not public is dropped: %s", (_, done, nonce) => {
  expect(findDeniedPost(done.task, getEnding(done))?.nonce).toBe(nonce);
});

it("an update that is kept isn't reported again as changed by the service", () => {
  const kept = begun({ state: posted("a", {}, { published: { ...a, description: "altered" } }) });
  expect(getEnding(kept)).toMatchObject({ kind: "kept", notices: [] });
});

it("the notice about a killed run's update contains its ID", () => {
  const { notices } = choice({ ...killed({ id: "b" }), shown: [b] }).task;
  expect(notices).toEqual([{ kind: "found", id: "b" }]);
});
