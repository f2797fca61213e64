/** What the incident doesn't show: the guards after those of decide.test.ts, in their order, and the codes that answer them. */
import { codesIn, type Event, maxCodes } from "../../provider/protocol";
import {
  byId,
  choice,
  type Choice,
  code,
  codesOf,
  decided,
  decides,
  declaration,
  entry,
  fullHistory,
  hour,
  idOfA,
  note,
  now,
  posted,
  refusalOf,
  rejected,
  reported,
  type Row,
  update,
} from "./steps";

const a = update("a");
const edited = update(idOfA, "edited");
const declared = { occurrence: 2 };
const date = "2026-01-01T00:00:00Z";
const dated = { declared: { publicIncidentUpdateDate: date } };

const owned = (...[id, changes]: Parameters<typeof posted>) => ({ owners: { other: posted(id, changes) } });
const was = (id: string) => ({ state: posted(id, { description: "B" }) });
const inputs = (changes = {}) => ({ kind: "inputs" as const, declared: declaration(changes) });
const [unchanged, changedStatus] = [{ state: inputs() }, { state: inputs({ status: "RESOLVED" }) }];
const ordered = { declared: { followedBy: [entry("B")] } };
const live = { noted: [note("x")] };
const doubted = { noted: [reported("x")] };
const codes = (...nonces: string[]) => nonces.map(code);
const full = { shown: fullHistory() };

describe("an unread id: a note knows the update", () => {
  const ofU = { noted: [note("x", { id: "u" })] };
  const ofLater = { noted: [note("x", { id: "u", text: "B" })] };
  it.each<Row>([
    ["after one that doesn't", { noted: [note("x"), note("y", { id: "u" })] }, "asks for u"],
    ["of a later entry", { ...ordered, ...ofLater }, "asks for u"],
    ["that the resource had", { ...was("u"), ...ofU }, "posts"],
  ])("%s", decides);

  it("is the declared one, although it was edited", () => {
    expect(decided(choice({ ...ofU, events: [byId(update("u", "edited"), ofU.noted)] }))).toBe("has u");
  });
});

describe("a live note: one was sent a moment ago", () => {
  const ofB = { noted: [note("x", { text: "B" })] };
  const two = { noted: [note("x"), note("y", { mayAppearUntil: now + 90_000 })] };
  it.each<Row>([
    ["two: until the later", two, "waits for 90 s"],
    ["with other content", ofB, "posts"],
    ["and this run has settled it", { ...live, settledPosts: ["x"] }, "posts"],
  ])("%s", decides);
});

describe("noted: only the user knows whether one is public", () => {
  const ofU = [reported("x", { id: "u", isReported: false })];
  const unfound = { noted: ofU, events: [byId(undefined, ofU)] };
  it.each<Row>([
    ["and somebody published it, for the second", { ...doubted, shown: [a], declared }, "posts"],
    ["which a response proved, not found by its id", unfound, "refuses: noted"],
    ["not found by its id, for the next occurrence", { ...unfound, declared }, "posts"],
  ])("%s", decides);

  const later = { followedBy: [entry("B"), entry("C")] };
  const three = ["A", "B", "C"].map((text, index) => reported(text.toLowerCase(), { text, at: index + 1 }));
  const ofA = three.slice(0, 1);
  const shownLate = reported("v", { id: "v" });
  const absent = (...noted: typeof three) => ({ noted, events: [byId(undefined, noted)] });
  const xAndA = (changes: Parameters<typeof reported>[1]) => [
    reported("x", changes),
    reported("a", { date }),
  ];

  it.each<[string, Choice, nonces: string[], isLater: boolean]>([
    ["later entries before it", { noted: three }, ["b", "c", "a"], true],
    ["not one with another date", { ...dated, noted: xAndA({}) }, ["a"], false],
    ["what is shown late before what was reported", absent(shownLate, reported("a")), ["v", "a"], false],
  ])("asks about all posts at once: %s", (_, given, nonces, isLater) => {
    const asked = refusalOf(choice({ declared: later, ...given }));
    expect(asked).toMatchObject({ why: "noted", isLater });
    expect(asked.why === "noted" && asked.posts.map(({ nonce }) => nonce)).toEqual(nonces);
  });

  const resent = [{ tell: "resent", at: 1 }];
  it.each<[string, Choice, answered: string[], remarks: object[]]>([
    ["nothing", { noted: [reported("x", { isReported: false })] }, [], []],
    ["that it isn't public", { noted: ofA, codes: codes("a", "x") }, ["a"], resent],
    ["that both aren't", { noted: three.slice(0, 2), codes: codes("b", "a") }, ["a", "b"], resent],
  ])("an answer permits one post: %s", (_, given, answered, remarks) => {
    const { command, task } = choice({ declared: later, ...given });
    expect(command).toMatchObject({ do: "post", denied: answered });
    expect(task).toMatchObject({ usedCodes: codes(...answered), remarks });
  });
});

it("an id of another: another resource has the update with its id, edited since", () => {
  expect(decided(choice(owned(idOfA, { description: "B" })))).toBe("refuses: idOfAnother");
});

describe("undecided: the engine replaces it without diff", () => {
  it.each<Row>([
    ["and nothing changed", unchanged, "refuses: undecided"],
    ["and a field changed that may not", changedStatus, "refuses: changed"],
  ])("%s", decides);
});

describe("a full history doesn't show it", () => {
  const absent = [byId()];
  const again: Event = { on: "history", ...full, noted: [], now };
  it.each<Row>([
    ["the service has its id", { events: [byId(edited)] }, `has ${idOfA}`],
    ["its id is looked up after each read", { events: [...absent, again] }, "asks for its id"],
    ["99 updates are not full", { shown: full.shown.slice(1) }, "posts"],
  ])("%s", (what, given, outcome) => decides(what, { ...full, ...given }, outcome));

  it("but the run had read all of it before", () => {
    const afterWait: Event = { on: "history", ...full, noted: [], now: now + 60_000 };
    expect(decided(choice({ shown: full.shown.slice(1), ...live, events: [afterWait] }))).toBe("posts");
  });
});

describe("an answer beyond a full history", () => {
  const day = 24 * hour;
  const midnight = (Math.floor(now / day) + 1) * day;
  const others = fullHistory(update("b", "B", -2), update("c", "C", -3));
  const newer = update("newer", "X", -1);
  const withNewer = { shown: [newer, ...others] };
  const question: Choice = { ids: "ignored", shown: others };
  const answer = codesOf(choice(question));
  const mine = { owners: { other: posted("newer", { description: "X" }) } };

  it.each<[when: string, given: Choice, outcome: string]>([
    ["the next day", { at: midnight }, "posts"],
    ["at the end of the next day", { at: midnight + day - 1 }, "posts"],
    ["the day after", { at: midnight + day }, "refuses: full"],
    ["with a newer update of others", withNewer, "posts"],
    ["when the newest of then isn't shown any more", { shown: [newer, ...others.slice(1)] }, "refuses: full"],
    ["with a newer update of the program", { ...withNewer, ...mine }, "posts"],
    ["with an update that turns out to be the program's", owned("b", { description: "B" }), "posts"],
    ["about other content", { declared: { description: "Y" } }, "refuses: full"],
  ])("counts %s, or not", (_, given, outcome) => {
    expect(decided(choice({ ...question, codes: answer, ...given }))).toBe(outcome);
  });

  it("is asked for with the newest update of others", () => {
    const asked = (given: Choice) => codesOf(choice({ ...question, ...given }));
    expect(asked({ ...withNewer, ...mine })).toEqual(answer);
    expect(asked(withNewer)).not.toEqual(answer);
    expect(asked({ at: midnight })).not.toEqual(answer);
  });

  it("is used by the post that it permits, also with the one of the day before, and by nothing else", () => {
    const { task } = choice({ ...question, codes: [...answer, "0000aaaa"] });
    expect(task).toMatchObject({ usedCodes: answer, remarks: [] });
    expect(choice({ codes: answer }).task.usedCodes).toEqual([]);
    expect(choice({ ...question, codes: answer, events: [rejected] }).task.usedCodes).toEqual(answer);
    const both = [...codesOf(choice({ ...question, at: midnight })), ...answer];
    expect(choice({ ...question, at: midnight, codes: both }).task.usedCodes).toEqual(both);
  });
});

describe("codes", () => {
  it("are the same in each release, also as earlier ones printed them: a user may answer after an upgrade", () => {
    expect(codesIn("70e266c4 eff1fa0d a7e266c4")).toEqual(["c0e266c4", "fff1fa0d", "a7e266c4"]);
    expect(codes("x")).toEqual(["c0e266c4"]);
    const shown = fullHistory(update("b", "B", -2), update("c", "C", -3));
    expect(codesOf(choice({ ids: "ignored", shown }))).toEqual(["fff1fa0d"]);
  });

  const nonces = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  const ask = (...asked: string[]) => ({ noted: asked.map((nonce) => reported(nonce)) });
  const [all, most] = [nonces(maxCodes), nonces(maxCodes - 1)];
  it.each<[string, set: string[], asked: string[], printed: string[]]>([
    ["with those that are set", ["0a", "0b"], ["x"], ["0a", "0b", ...codes("x")]],
    ["none where more are asked for than can be set", ["0a"], ["x", ...all], []],
    ["without the oldest that are set beyond 100", ["0a", ...codes(...most)], ["x"], codes(...most, "x")],
  ])("a refusal prints %s", (_, set, asked, printed) => {
    expect(codesOf(choice({ ...ask(...asked), codes: set }))).toEqual(printed);
  });
});
