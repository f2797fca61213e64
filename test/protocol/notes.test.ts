/** Decisions from the notes and records of earlier runs: posts of killed runs, adopted posts and repeated posts. */
import { type Event, findDeniedPost } from "../../provider/protocol";
import { computeUpdateId } from "../../provider/protocol/identity";
import {
  begun,
  choice,
  type Choice,
  code,
  decides,
  declaration,
  getResult,
  getRejection,
  history,
  hour,
  keyed,
  missing,
  note,
  now,
  posted,
  reported,
  type Row,
  settled,
  timeUp,
  update,
} from "./steps";

const a = update("a");
const b = update("b", "B", 1);
const textB = { description: "B" };

const killed = (changes = {}) => ({
  declared: keyed,
  notes: [note("x", { text: "B", isOwn: true, ...changes })],
});
const ended = { at: now - hour, mayAppearUntil: now };
const undatedB = { ...b, created_at: null };
it.each<Row>([
  ["and is edited", { ...killed(), shown: [b] }, "edits b"],
  [
    "without a creation time, which is shown only at the end of the wait",
    { ...killed(), events: [history([undatedB], killed().notes, now + 60_000)] },
    "rejects: undated",
  ],
  ["without a creation time, long after the post", { ...killed(ended), shown: [undatedB] }, "posts"],
  ["and an edit with an unknown result wrote it", { ...killed({ edits: "b" }), shown: [b] }, "posts"],
  ["but another update is shown", { ...killed(), shown: [update("q", "Q", 1)] }, "waits for 60 s"],
  [
    "but an update with another ID is shown",
    { ...killed({ id: "b" }), shown: [update("q", "B", 1)] },
    "waits for 60 s",
  ],
  [
    "which another resource owns",
    { ...killed({ id: "b" }), shown: [b], owners: { other: posted("b", textB) } },
    "posts",
  ],
  ["and an applied edit wrote it", { ...killed({ edits: "b", id: "b" }), shown: [b] }, "edits b"],
  [
    "which another post created",
    { ...killed(), notes: [...killed().notes, note("y", { text: "B", id: "b" })], shown: [b] },
    "waits for 60 s",
  ],
  [
    "which someone else changed",
    { ...killed({ id: "b" }), shown: [update("b", "E")] },
    "rejects: editedSince",
  ],
])("killedPost: a killed run posted an update with a different text %s", decides);

const noteOf = (nonce: string, name: string) =>
  note(nonce, { ...ended, contentKey: declaration({ name }).contentKey, isOwn: true });
const opened = (text = "A", minute = -60) => ({ ...update("m", text, minute), name: "M", isResolved: false });
it.each<Row>([
  ["and its name has changed", { shown: [opened()] }, "rejects: alike"],
  ["and it is resolved", { shown: [{ ...opened(), isResolved: true }] }, "posts"],
  ["and the open incident has a different text", { shown: [opened("B")] }, "posts"],
  ["and the open incident has a different status", { shown: [{ ...opened(), status: "RESOLVED" }] }, "posts"],
  [
    "and the note of another declaration precedes its note",
    { shown: [opened()], notes: [noteOf("y", "Q"), noteOf("x", "N")] },
    "rejects: alike",
  ],
  [
    "and the open incident belongs to another declaration",
    { shown: [opened()], notes: [noteOf("x", "Q")] },
    "posts",
  ],
  ["and the open incident is an hour newer", { shown: [opened("A", 0)] }, "posts"],
  [
    "and the open incident has a note",
    { shown: [opened()], notes: [noteOf("x", "N"), { ...noteOf("y", "M"), isOwn: false }] },
    "posts",
  ],
])("alike: a killed run opened an incident %s", (_, given, outcome) => {
  decides(_, { declared: { name: "N" }, notes: [noteOf("x", "N")], ...given }, outcome);
});

it("a killed run's update without a key is recorded, so that restoring its text changes nothing on the page", () => {
  const refused = choice({ ...killed(), declared: {}, shown: [b] });
  expect(getRejection(refused)).toMatchObject({ kind: "changed", shown: textB });
  const { recorded } = getResult(refused);
  expect(recorded).toMatchObject({ id: "b", declared: textB });
  const restored = begun({ declared: textB, state: recorded });
  expect(getResult(restored)).toMatchObject({ kind: "kept", recorded: { id: "b" } });
});

it.each<[string, Choice, nonces: string[]]>([
  ["at its time, without an ID", { notes: [note("x")] }, ["x"]],
  ["with its ID", { notes: [note("x", { id: "a" })] }, ["x"]],
  ["with a different ID", { notes: [note("x", { id: "z" })] }, []],
  ["that edited the update", { notes: [note("x", { edits: "a" })] }, []],
  ["with a different text", { notes: [note("x", { text: "B" })] }, []],
  ["an hour before it", { notes: [reported("x")] }, []],
  ["two minutes before it", { notes: [reported("x", { at: now - 120_000 })] }, ["x"]],
  ["an hour before it, of this resource", { notes: [reported("x", { isOwn: true })] }, []],
  [
    "of this resource, whose text an edit can change",
    { declared: keyed, notes: [note("x", { isOwn: true })] },
    ["x"],
  ],
  ["of a killed run with a different text", { ...killed(), shown: [b] }, ["x"]],
])("an adopted update completes the note of a post %s", (_, given, nonces) => {
  const { applied } = choice({ shown: [a], ...given }).task;
  expect(applied.map(({ nonce }) => nonce)).toEqual(nonces);
});

it.each([
  ["until all reads show it", { isOwn: true, id: "a" }, [{ version: "", until: now + 60_000 }]],
  ["unless another resource sent it", { id: "a" }, undefined],
])("reads may show other content after a killed run's edit, %s", (_, changes, mayShow) => {
  const adopted = choice({ declared: keyed, shown: [a], notes: [note("x", { edits: "a", ...changes })] });
  const { notices, recorded } = getResult(adopted);
  expect(notices).toMatchObject([{ kind: "adopted" }]);
  expect(recorded).toEqual({ ...recorded, mayShow });
});

const repeated = (events: readonly Event[], others = {}) =>
  settled({ codes: [code("lost")], sent: others, events: [history([]), timeUp, ...events] });

it.each([
  ["first", {}, 0, 1],
  ["second", { repeats: 1 }, 1, 2],
])("the %s repetition of a post is counted, and sends the ID of its attempt", (_, of, attempt, repeats) => {
  const { command, task } = repeated([history([])], of);
  expect(command).toMatchObject({ kind: "post", id: computeUpdateId(declaration(), attempt) });
  expect(task).toMatchObject({ phase: { sent: { repeats } } });
});

it.each([
  ["after an identical update is adopted", repeated([history([a])]), "lost"],
  ["but not if the incident is missing", repeated([missing]), undefined],
])("the note of a post that a code confirms as not public is dropped: %s", (_, done, nonce) => {
  expect(findDeniedPost(done.task, getResult(done))?.nonce).toBe(nonce);
});

it("an update that is kept isn't reported again as changed by the service", () => {
  const kept = begun({ state: posted("a", {}, { published: { ...a, description: "altered" } }) });
  expect(getResult(kept)).toMatchObject({ kind: "kept", notices: [] });
});
