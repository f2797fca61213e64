/** What the incident doesn't show: the guards after those of decide.test.ts, in their order. */
import { type Event, ownId, type Plan, type Posted } from "../../provider/protocol";
import { codeOfPost } from "../../provider/protocol/question";
import {
  byId,
  choice,
  type Choice,
  decided,
  declaration,
  entry,
  fullHistory,
  idOfA,
  note,
  now,
  posted,
  reported,
  update,
} from "./steps";

type Row = [what: string, given: Choice, outcome: string];
const decides = (_: string, given: Choice, outcome: string) => expect(decided(choice(given))).toBe(outcome);

const a = update("a");
const b = update("b", "B", 1);
const edited = update(idOfA, "edited");
const occurrence2 = { occurrence: 2 };
const [declared, third] = [occurrence2, { declared: { occurrence: 3 } }];

const owned = (other: Posted) => ({ owners: { other } });

const replaces = (recorded: Posted): { own: Plan } => ({ own: { kind: "replaces", recorded } });
const undecided = (...changed: ("status" | "description")[]) => ({
  plans: { own: { kind: "mayBeReplaced" as const, changed } },
});
const followedBy = [entry("B")];
const live = { noted: [note("x")] };
const doubted = { noted: [reported("x")] };
const codes = [codeOfPost({ nonce: "x" })];
const full = { shown: fullHistory() };

describe("an unread id: a note knows the update", () => {
  const ofU = { noted: [note("x", { id: "u" })] };
  const wasU = replaces(posted("u", { description: "B" }));
  it.each<Row>([
    ["and may show it late", ofU, "asks for u"],
    ["and is an hour old", { noted: [reported("x", { id: "u" })] }, "asks for u"],
    ["after one that doesn't", { noted: [note("x"), note("y", { id: "u" })] }, "asks for u"],
    ["where another is shown", { shown: [update("x", "X")], ...ofU }, "asks for u"],
    [
      "where the resource had another",
      { plans: replaces(posted("z", { description: "B" })), ...ofU },
      "asks for u",
    ],
    [
      "two, for the third",
      { noted: [note("x", { id: "u" }), note("y", { id: "v" })], ...third },
      "asks for u",
    ],
    [
      "of a later entry",
      { declared: { followedBy }, noted: [note("x", { id: "u", text: "B" })] },
      "asks for u",
    ],
    ["before a change that was not decided", { ...ofU, ...undecided("status") }, "asks for u"],
    ["that the resource had", { plans: wasU, ...ofU }, "posts"],
    ["of another resource", { ...owned(posted("u")), declared, ...ofU }, "posts"],
    ["which the user says isn't public", { ...ofU, codes }, "posts"],
    [
      "which is shown, with another date",
      {
        shown: [update("u")],
        noted: [note("x", { id: "u", date: "2026-02-01" })],
        declared: { publicIncidentUpdateDate: "2026-01-01" },
      },
      "posts",
    ],
  ])("%s", decides);
});

describe("a live note: one was sent a moment ago", () => {
  const ofB = { noted: [note("x", { text: "B" })] };
  it.each<Row>([
    ["identical", live, "waits for 60 s"],
    [
      "two: until the later",
      { noted: [note("x"), note("y", { mayAppearUntil: now + 90_000 })] },
      "waits for 90 s",
    ],
    ["a later entry", { declared: { followedBy }, ...ofB }, "waits for 60 s"],
    [
      "and its result was reported as unknown",
      { noted: [note("x", { isReported: true })] },
      "waits for 60 s",
    ],
    ["before a change that was not decided", { ...live, ...undecided("status") }, "waits for 60 s"],
    ["before a full history", { ...full, ...live }, "waits for 60 s"],
    ["with other content", ofB, "posts"],
    [
      "as another occurrence of a later entry",
      { declared: { followedBy: [entry("B", 2)] }, ...ofB },
      "posts",
    ],
    ["too long ago", { noted: [note("x", { mayAppearUntil: now })] }, "posts"],
    ["and this run has settled it", { ...live, known: ["x"] }, "posts"],
    ["and the user says that it isn't public", { ...live, codes }, "posts"],
  ])("%s", decides);
});

describe("noted: only the user knows whether one is public", () => {
  it.each<Row>([
    ["identical", doubted, "refuses: noted"],
    ["and somebody published it, for the second", { ...doubted, shown: [a], declared }, "posts"],
    [
      "the second, for the second",
      { noted: [reported("x", declared)], shown: [a], declared },
      "refuses: noted",
    ],
    [
      "and another resource has one as the second",
      { ...doubted, shown: [a], ...owned(posted("a", occurrence2)) },
      "refuses: noted",
    ],
    ["a later entry", { noted: [reported("x", { text: "B" })], declared: { followedBy } }, "refuses: noted"],
    ["before a change that was not decided", { ...doubted, ...undecided("status") }, "refuses: noted"],
    ["before a full history", { ...full, ...doubted }, "refuses: noted"],
    [
      "a later entry that wasn't reported",
      { noted: [reported("x", { text: "B", isReported: false })], declared: { followedBy } },
      "posts",
    ],
  ])("%s", decides);
});

describe("undecided: the engine replaces it without diff", () => {
  it.each<Row>([
    ["and nothing changed", undecided(), "refuses: repeat"],
    ["and a field changed that may not", undecided("status"), "refuses: changed"],
    [
      "and another resource has its id",
      { ...undecided(), ...owned(posted(idOfA, { description: "B" })) },
      "refuses: repeat",
    ],
    ["and the user answers another question", { ...undecided(), ...doubted, codes }, "refuses: repeat"],
    ["and another resource is", { plans: { other: undecided().plans.own } }, "posts"],
  ])("%s", decides);
});

describe("an id of another: another resource has the update with its id, edited since", () => {
  const edit = owned(posted(idOfA, { description: "B" }));
  it.each<Row>([
    ["", edit, "refuses: twin"],
    ["in a full history", { ...full, ...edit }, "refuses: twin"],
    ["where ids are off", { ids: "off", ...edit }, "posts without id"],
    ["as its own", { owners: { own: posted(idOfA, { description: "B" }) } }, "posts"],
  ])("%s", decides);
});

describe("a full history doesn't show it", () => {
  const absent = [byId(idOfA)];
  const first = [reported("x", { id: "u" })];
  const row = (what: string, outcome: string, given: Choice): Row => [what, { ...full, ...given }, outcome];
  it.each<Row>([
    row("its id is looked up", "asks for its id", {}),
    row("neither has the service its id", "refuses: full", { events: absent }),
    row("the service has its id", `has ${idOfA}`, { events: [byId(idOfA, edited)] }),
    row("its id is looked up after each read", "asks for its id", {
      events: [...absent, { on: "history", ...full, noted: [], now }],
    }),
    row("its id is looked up after that of a note", `asks for ${ownId(declaration(occurrence2), 0)}`, {
      declared,
      noted: first,
      events: [byId("u", undefined, first)],
    }),
    row("the service ignores ids", "refuses: full", { ids: "ignored" }),
    row("ids are off", "refuses: full", { ids: "off" }),
    row("the second, and no first", "refuses: full", { ids: "ignored", declared }),
    ["99 updates are not full", { shown: full.shown.slice(1) }, "posts"],
  ])("%s", decides);

  const afterWait = (shown: Choice["shown"] = []): Event => ({
    on: "history",
    shown,
    noted: [],
    now: now + 60_000,
  });
  it.each<Row>([
    [
      "but the run had read it before, and both overlap",
      { shown: full.shown.slice(1), ...live, events: [afterWait(full.shown)] },
      "posts",
    ],
    [
      "but the run had read another part",
      { shown: [b], ...live, ids: "ignored", events: [afterWait(full.shown)] },
      "refuses: full",
    ],
  ])("%s", decides);
});
