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

const a = update("a");
const resend = { onUnconfirmed: "resend" } as const;
const publicIncidentUpdateDate = "2026-01-31T09:30:00Z";
const B = { description: "B" };
const second = { occurrence: 2 };
const followedBy = [contentKey({ status: "INVESTIGATING", description: "C" })];

describe("an unconfirmed update", () => {
  const cases: readonly (readonly [what: string, given: Settling, outcome: string])[] = [
    ["is searched for", { events: [] }, "reads"],
    ["is found", { events: [history([a])] }, "has a"],
    ["is found, and another is declared", { declared: B, events: [history([a])] }, "posts"],
    [
      "is found, and another is public",
      { declared: B, events: [history([update("b", "B", 1), a])] },
      "has b",
    ],
    [
      "is found, and may not change",
      { declared: { ...B, onChange: "refuse" }, events: [history([a])] },
      "refuses: changed, keeps a",
    ],
    [
      "is found, and another is declared, which is rejected",
      { declared: B, events: [history([a]), rejected] },
      "refuses: failed, keeps a",
    ],
    [
      "is found, and its date is no longer declared",
      { sent: { publicIncidentUpdateDate }, events: [history([{ ...a, publicIncidentUpdateDate }])] },
      "has a",
    ],
    [
      "is found, and only the flag changes",
      { declared: { notifySubscribers: true }, events: [history([a])] },
      "has a",
    ],
    [
      "is found, and another incident is declared",
      { declared: { incidentId: "j" }, events: [history([a])] },
      "continues on the other incident",
    ],
    ["was there before", { unsettled: { seen: { ids: ["a"] } }, events: [history([a])] }, "asks for its id"],
    ["isn't shown: by its id", { events: [history([])] }, "asks for its id"],
    [
      "isn't shown, neither by its id",
      { events: [history([]), { on: "update", id: idOfA, update: undefined, sent: [], now }] },
      "looks again",
    ],
    [
      "is found by its id",
      { events: [history([]), { on: "update", id: idOfA, update: update(idOfA, "edited"), sent: [], now }] },
      `has ${idOfA}`,
    ],
    ["can't be read", { events: [unread] }, "looks again"],
    ["is not found", { events: [history([]), timeUp] }, "refuses: unconfirmed, keeps what it sent"],
    ["is not found, with consent", { declared: resend, events: [history([]), timeUp] }, "reads"],
    [
      "is not found, with consent, and read",
      { declared: resend, events: [history([]), timeUp, history([])] },
      "posts",
    ],
    [
      "is not found, with consent, and rejected",
      { declared: resend, events: [history([]), timeUp, history([]), rejected] },
      "refuses: failed, keeps what it sent",
    ],
    [
      "is not found, with consent, and another post is younger",
      { declared: resend, events: [history([]), timeUp, history([], [note("lost"), note("younger")])] },
      "waits for 60 s",
    ],
    [
      "is not found, with a consent that was used",
      { declared: resend, unsettled: { consumed: true }, events: [history([]), timeUp] },
      "refuses: unconfirmed, keeps what it sent",
    ],
    [
      "can't be read, with consent",
      { declared: resend, events: [unread, timeUp] },
      "refuses: unconfirmed, keeps what it sent",
    ],
    ["was read once, with consent", { declared: resend, events: [history([]), unread, timeUp] }, "reads"],
    [
      "has no incident",
      { declared: resend, events: [missing, timeUp] },
      "refuses: unconfirmed, keeps what it sent",
    ],
    [
      "has no incident, and another is declared",
      { declared: { ...resend, incidentId: "j" }, events: [missing, timeUp] },
      "continues on the other incident",
    ],
    [
      "can't be read, and another incident is declared",
      { declared: { ...resend, incidentId: "j" }, events: [unread, timeUp] },
      "refuses: unconfirmed, keeps what it sent",
    ],
    [
      "has a lookalike, with consent",
      { declared: resend, events: [history([update("x", "changed")]), timeUp] },
      "refuses: unconfirmed, keeps what it sent",
    ],
    [
      "has a lookalike that is declared now",
      { declared: B, events: [history([update("b", "B")]), timeUp] },
      "reads",
    ],
    [
      "has two, of which one is declared now",
      { declared: B, events: [history([update("x", "X", 1), update("b", "B")]), timeUp] },
      "reads",
    ],
    [
      "has a lookalike that is declared now, and read",
      { declared: B, events: [history([update("b", "B")]), timeUp, history([update("b", "B")])] },
      "has b",
    ],
    [
      "has an older update with other words, with consent",
      {
        declared: resend,
        unsettled: { seen: { ids: ["x"] } },
        events: [history([update("x", "old")]), timeUp],
      },
      "reads",
    ],
    [
      "has an update of another resource with other words, with consent",
      {
        declared: resend,
        owners: { other: posted("x", { description: "X" }) },
        events: [history([update("x", "X")]), timeUp],
      },
      "reads",
    ],
    [
      "stands there, because another one was edited to it, and read",
      { unsettled: { seen: { ids: ["a"] } }, events: [history([a]), timeUp, history([a])] },
      "has a",
    ],
    [
      "stands there, as another occurrence",
      {
        sent: second,
        declared: second,
        unsettled: { seen: { ids: ["a"] } },
        events: [history([a]), timeUp],
      },
      "refuses: unconfirmed, keeps what it sent",
    ],
    [
      "stands there, for another resource",
      {
        unsettled: { seen: { ids: ["a"] } },
        owners: { other: posted("a", B) },
        events: [history([a]), timeUp],
      },
      "refuses: unconfirmed, keeps what it sent",
    ],
    [
      "would be published after a later entry, with consent",
      { declared: { ...resend, followedBy }, events: [history([update("c", "C")]), timeUp] },
      "refuses: later, keeps what it sent",
    ],
    [
      "is another resource's, and still declared",
      { owners: { other: posted("a") }, events: [history([a])] },
      "refuses: twin, keeps what it sent",
    ],
    [
      "is another resource's, and another is declared",
      { declared: B, owners: { other: posted("a") }, events: [history([a])] },
      "reads",
    ],
    [
      "is another resource's, whose own is left",
      {
        unsettled: { seen: { ids: ["old"] } },
        owners: { other: posted("a") },
        events: [history([a, update("old", "A", -1)])],
      },
      "has old",
    ],
    [
      "is another resource's, and what is left was this resource's",
      {
        unsettled: { seen: { ids: ["old"] }, past: [{ id: "old", key: "", occurrence: 1, incident: "i" }] },
        owners: { other: posted("a") },
        events: [history([a, update("old", "A", -1)])],
      },
      "refuses: twin, keeps what it sent",
    ],
  ];

  it.each(cases)("%s", (_, given, outcome) => expect(decided(settled(given))).toBe(outcome));
});

describe("an update of which nothing was sent", () => {
  const unsettled = { nothingSent: true };
  const cases: readonly (readonly [what: string, given: Settling, outcome: string])[] = [
    [
      "is declared again",
      { unsettled, events: [history(fullHistory())] },
      "refuses: full, keeps what it sent",
    ],
    ["has a consent", { unsettled, declared: resend, events: [history(fullHistory())] }, "posts"],
    [
      "has a consent that was used",
      { unsettled: { ...unsettled, consumed: true }, declared: resend, events: [history(fullHistory())] },
      "refuses: full, keeps what it sent",
    ],
    [
      "has a consent for other content",
      { unsettled, declared: { ...resend, ...B }, events: [history(fullHistory())] },
      "refuses: full, keeps what it sent",
    ],
    [
      "is declared on another incident",
      { unsettled, declared: { incidentId: "j" }, events: [] },
      "continues on the other incident",
    ],
  ];

  it.each(cases)("%s", (_, given, outcome) => expect(decided(settled(given))).toBe(outcome));
});
