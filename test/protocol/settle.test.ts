import { contentKey, type Event } from "../../provider/protocol";
import {
  decided,
  fullHistory,
  history,
  idOfA,
  note,
  now,
  posted,
  settled,
  type Settling,
  update,
} from "./steps";

const timeUp: Event = { on: "timeUp" };
const unread: Event = { on: "readFailed", incidentMissing: false, text: "503", now };
const rejected: Event = { on: "notApplied", text: "403", isInvalid: false };
const missing: Event = { on: "readFailed", incidentMissing: true, text: "404", now };
const byId = (shown?: ReturnType<typeof update>): Event => ({
  on: "update",
  id: idOfA,
  update: shown,
  sent: [],
  now,
});

const a = update("a");
const [b, x, old] = [update("b", "B"), update("x", "X"), update("old", "A", -1)];
const found = [history([a])];
const gone = [history([]), timeUp];
const publicIncidentUpdateDate = "2026-01-31T09:30:00Z";
const dated = { ...a, publicIncidentUpdateDate };

const B = { description: "B" };
const J = { incidentId: "j" };
const resend = { onUnconfirmed: "resend" } as const;
const refuse = { ...B, onChange: "refuse" } as const;
const second = { occurrence: 2 };
const ordered = { ...resend, followedBy: [contentKey({ status: "INVESTIGATING", description: "C" })] };
const seen = (id: string) => ({ unsettled: { seen: { ids: [id] } } });
const past = { past: [{ id: "old", key: "", occurrence: 1, incident: "i" }] };
const ofAnother = { owners: { other: posted("a") } };
const [there, nothingSent] = [seen("a"), { nothingSent: true }];
const repeated = { ...nothingSent, isRepeat: true };

type Row = [
  what: string,
  declared: Settling["declared"],
  events: readonly Event[],
  outcome: string,
  more?: Omit<Settling, "events">,
];
const decides = (_: string, declared: Row[1], events: Row[2], outcome: string, more: Row[4] = {}) =>
  expect(decided(settled({ declared, events, ...more }))).toBe(outcome);
const unfound = "refuses: unconfirmed, keeps it";
const elsewhere = "continues on the other incident";

describe("an unconfirmed update", () => {
  it.each<Row>([
    ["is searched for", {}, [], "reads"],
    ["is found", {}, found, "has a"],
    ["is found, and another is declared", B, found, "posts"],
    ["is found, and another is public", B, [history([update("b", "B", 1), a])], "has b"],
    ["is found, and may not change", refuse, found, "refuses: changed, keeps a"],
    ["is found, and the declared one is rejected", B, [...found, rejected], "refuses: failed, keeps a"],
    [
      "is found, its date no longer declared",
      {},
      [history([dated])],
      "has a",
      { sent: { publicIncidentUpdateDate } },
    ],
    ["is found, and only the flag changes", { notifySubscribers: true }, found, "has a"],
    ["is found, and another incident is declared", J, found, elsewhere],
    ["was there before", {}, found, "asks for its id", there],
    ["isn't shown: by its id", {}, [history([])], "asks for its id"],
    ["isn't shown, neither by its id", {}, [history([]), byId()], "looks again"],
    ["is found by its id", {}, [history([]), byId(update(idOfA, "edited"))], `has ${idOfA}`],
    ["can't be read", {}, [unread], "looks again"],
    ["is not found", {}, gone, unfound],
    ["is not found, and another is declared", B, gone, unfound],
    ["stands there, as another was edited to it, and read", {}, [...found, timeUp, ...found], "has a", there],
    ["stands there, as another occurrence", second, [...found, timeUp], unfound, { sent: second, ...there }],
    [
      "stands there, for another",
      {},
      [...found, timeUp],
      unfound,
      { ...there, owners: { other: posted("a", B) } },
    ],
    ["is another resource's, and still declared", {}, found, "refuses: twin, keeps it", ofAnother],
    ["is another resource's, and another is declared", B, found, "reads", ofAnother],
    ["is another resource's, and may not change", refuse, found, "refuses: changed, keeps it", ofAnother],
    ["is another's, whose own is left", {}, [history([a, old])], "has old", { ...seen("old"), ...ofAnother }],
    [
      "is another's, and what is left was this resource's",
      ...([{}, [history([a, old])], "refuses: twin, keeps it"] as const),
      { unsettled: { ...seen("old").unsettled, ...past }, ...ofAnother },
    ],
    ["has a lookalike that is declared now", B, [history([b]), timeUp], "reads"],
    ["has two, of which one is declared now", B, [history([update("x", "X", 1), b]), timeUp], "reads"],
    ["has a lookalike that is declared now, and read", B, [history([b]), timeUp, history([b])], "has b"],
  ])("%s", decides);

  it.each<Row>([
    ["is not found", resend, gone, "reads"],
    ["is not found, and read", resend, [...gone, history([])], "posts"],
    ["is not found, and rejected", resend, [...gone, history([]), rejected], "refuses: failed, keeps it"],
    ["has the note of its post", resend, [...gone, history([], [note("lost")])], "posts"],
    ["is not found, and another incident is declared", { ...resend, ...J }, gone, elsewhere],
    ["has a younger post", resend, [...gone, history([], [note("lost"), note("younger")])], "waits for 60 s"],
    ["is not found, and it was used", resend, gone, unfound, { unsettled: { consumed: true } }],
    ["can't be read", resend, [unread, timeUp], unfound],
    ["was read once", resend, [history([]), unread, timeUp], "reads"],
    ["has no incident", resend, [missing, timeUp], unfound],
    ["has no incident, and another is declared", { ...resend, ...J }, [missing, timeUp], elsewhere],
    ["can't be read, and another incident is declared", { ...resend, ...J }, [unread, timeUp], unfound],
    ["has a lookalike", resend, [history([x]), timeUp], unfound],
    ["has an older lookalike", resend, [history([x]), timeUp], "reads", seen("x")],
    [
      "has one of another",
      resend,
      [history([x]), timeUp],
      "reads",
      { owners: { other: posted("x", { description: "X" }) } },
    ],
    [
      "would follow a later entry",
      ordered,
      [history([update("c", "C")]), timeUp],
      "refuses: later, keeps it",
    ],
  ])("with consent %s", decides);

  const full = [history(fullHistory())];
  it.each<Row>([
    ["is declared again", {}, full, "refuses: full, keeps it", { unsettled: nothingSent }],
    ["has a consent", resend, full, "posts", { unsettled: nothingSent }],
    [
      "has a used consent",
      resend,
      full,
      "refuses: full, keeps it",
      { unsettled: { ...nothingSent, consumed: true } },
    ],
    [
      "has one for other content",
      { ...resend, ...B },
      full,
      "refuses: full, keeps it",
      { unsettled: nothingSent },
    ],
    ["is declared on another incident", J, [], elsewhere, { unsettled: nothingSent }],
    [
      "is the second",
      ...([second, full, "refuses: full, keeps it"] as const),
      { sent: second, unsettled: nothingSent },
    ],
    [
      "is the second, and has a consent",
      ...([{ ...second, ...resend }, full, "refuses: occurrence, keeps it"] as const),
      { sent: second, unsettled: nothingSent },
    ],
    ["is repeated", {}, [history([])], "refuses: repeat, keeps it", { unsettled: repeated }],
    ["is repeated, with other content", B, [history([])], "posts", { unsettled: repeated }],
    ["is repeated, and has a consent", resend, [history([])], "posts", { unsettled: repeated }],
  ])("of which nothing was sent %s", decides);
});
