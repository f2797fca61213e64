import { type Plan, type Posted } from "../../provider/protocol";
import {
  choice,
  type Choice,
  decided,
  entry,
  idOfA,
  keyOf,
  note,
  now,
  posted,
  unconfirmed,
  update,
} from "./steps";

const changedDate = (id: string) => ({ ...update(id), publicIncidentUpdateDate: "2026-02-01T00:00:00Z" });
const replaces = (recorded: Posted): Plan => ({ kind: "replaces", recorded });
const past = (id: string) => ({ id, key: keyOf("A"), occurrence: 1, incident: "i" });

describe("what a declaration needs", () => {
  const a = update("a");
  const second = update("second", "A", 1);
  const cases: readonly (readonly [what: string, given: Choice, outcome: string])[] = [
    ["an empty history", {}, "posts"],
    ["other updates", { shown: [update("b", "B")] }, "posts"],
    ["another status", { shown: [{ ...a, status: "RESOLVED" }] }, "posts"],
    ["its update", { shown: [a] }, "has a"],
    ["its update with other white space", { shown: [{ ...a, description: " A\r\n" }] }, "has a"],
    ["two: the oldest", { shown: [second, a] }, "has a"],
    ["two, for the second", { shown: [second, a], declared: { occurrence: 2 } }, "has second"],
    ["one, for the second", { shown: [a], declared: { occurrence: 2 } }, "posts"],
    ["one that is listed twice, for the second", { shown: [a, a], declared: { occurrence: 2 } }, "posts"],
    ["none, for the second", { declared: { occurrence: 2 } }, "refuses: occurrence"],
    ["one, for the third", { shown: [a], declared: { occurrence: 3 } }, "refuses: occurrence"],
    ["another date", { shown: [a], declared: { publicIncidentUpdateDate: "2026-01-01T00:00:00Z" } }, "posts"],
    [
      "the same date",
      {
        shown: [{ ...a, publicIncidentUpdateDate: "2026-01-01T00:00:00.400Z" }],
        declared: { publicIncidentUpdateDate: "2026-01-01T00:00:00Z" },
      },
      "has a",
    ],
    ["an update with its id, edited by hand", { shown: [update(idOfA, "edited")] }, `has ${idOfA}`],
    ["the same without ids", { shown: [update(idOfA, "edited")], ids: "off" }, "posts without id"],
    ["a service that rejects ids", { ids: "rejected" }, "posts without id"],
  ];

  it.each(cases)("%s", (_, given, outcome) => expect(decided(choice(given))).toBe(outcome));
});

describe("what other resources have", () => {
  const a = update("a");
  const date = "2026-01-31T09:30:00Z";
  const redated = posted("a", { publicIncidentUpdateDate: date }, { published: changedDate("a") });
  const cases: readonly (readonly [what: string, given: Choice, outcome: string])[] = [
    ["the same declaration", { shown: [a], owners: { other: posted("a") } }, "refuses: twin"],
    [
      "the same declaration with another flag",
      { declared: { notifySubscribers: true }, owners: { other: posted("a") } },
      "refuses: twin",
    ],
    ["the same, not shown", { owners: { other: posted("a") } }, "refuses: twin"],
    ["the id of this one", { owners: { other: posted(idOfA, { description: "B" }) } }, "refuses: twin"],
    [
      "the id of this one as another occurrence: the free one",
      { shown: [a], owners: { other: posted(idOfA, { occurrence: 2 }) } },
      "has a",
    ],
    [
      "the id of this one, which is not sent",
      { ids: "off", owners: { other: posted(idOfA, { description: "B" }) } },
      "posts without id",
    ],
    [
      "the same date, which the service changed",
      { declared: { publicIncidentUpdateDate: date }, owners: { other: redated } },
      "refuses: twin",
    ],
    ["another occurrence", { shown: [a], owners: { other: posted("a", { occurrence: 2 }) } }, "posts"],
    [
      "the first, for the second",
      { shown: [a], owners: { other: posted("a") }, declared: { occurrence: 2 } },
      "posts",
    ],
    [
      "the first, not shown, for the second",
      { owners: { other: posted("a") }, declared: { occurrence: 2 } },
      "posts",
    ],
    [
      "the second, for the first: the free one",
      { shown: [update("b", "A", 1), a], owners: { other: posted("a", { occurrence: 2 }) } },
      "has b",
    ],
    [
      "an unconfirmed one",
      { plans: { other: { kind: "unsettled", recorded: unconfirmed() } } },
      "refuses: unsettledTwin",
    ],
    [
      "an unconfirmed one of another incident",
      { plans: { other: { kind: "unsettled", recorded: unconfirmed({ incidentId: "j" }) } } },
      "posts",
    ],
    [
      "an unconfirmed one with other content",
      { plans: { other: { kind: "unsettled", recorded: unconfirmed({ description: "B" }) } } },
      "posts",
    ],
    [
      "an unconfirmed one that was given up",
      { plans: { other: { kind: "unsettled", recorded: unconfirmed(), isConsented: true } } },
      "posts",
    ],
    [
      "one that was never sent",
      { plans: { other: { kind: "unsettled", recorded: unconfirmed({}, { nothingSent: true }) } } },
      "posts",
    ],
  ];

  it.each(cases)("%s", (_, given, outcome) => expect(decided(choice(given))).toBe(outcome));
});

describe("what the resource had", () => {
  const shown = [update("b", "B", 1), update("a")];
  const wasB = posted("b", { description: "B" });
  const plans = { own: replaces({ ...wasB, past: [past("a")] }) };
  const wasSecond = { own: replaces({ ...wasB, past: [past("second")] }) };
  const second = update("second", "A", 2);
  const declared = { occurrence: 2 };
  const cases: readonly (readonly [what: string, given: Choice, outcome: string])[] = [
    ["it published A before", { shown, plans }, "refuses: changedBack"],
    ["it published A before, and B is not shown", { shown: [update("a")], plans }, "refuses: changedBack"],
    ["it published A before, which is not shown", { shown: [], plans }, "refuses: changedBack"],
    [
      "it published A before, and so did another",
      { shown: [second, ...shown], plans },
      "refuses: changedBack",
    ],
    ["it published A before, for the second", { shown, declared, plans }, "posts"],
    [
      "it published A before, and the second in a run that was killed",
      { shown: [second, ...shown], declared, plans },
      "has second",
    ],
    [
      "it published the second before",
      { shown: [second, ...shown], owners: { other: posted("a") }, declared, plans: wasSecond },
      "refuses: changedBack",
    ],
    ["it never published A", { shown, plans: { own: replaces(wasB) } }, "has a"],
    [
      "diff was not called, and nothing changed",
      { plans: { own: { kind: "checked", changed: [] } } },
      "posts",
    ],
    [
      "diff was not called for a change",
      { plans: { own: { kind: "checked", changed: ["status"] } } },
      "refuses: changed",
    ],
    [
      "diff was not called for a change that is public",
      { shown, plans: { own: { kind: "checked", changed: ["status"] } } },
      "has a",
    ],
  ];

  it.each(cases)("%s", (_, given, outcome) => expect(decided(choice(given))).toBe(outcome));
});

describe("what was sent", () => {
  const cases: readonly (readonly [what: string, given: Choice, outcome: string])[] = [
    ["the same", { sent: [note("x")] }, "waits for 60 s"],
    [
      "two: the later one decides",
      { sent: [note("x"), note("y", { mayAppearUntil: now + 90_000 })] },
      "waits for 90 s",
    ],
    ["other content", { sent: [note("x", { text: "B" })] }, "posts"],
    ["long ago", { sent: [note("x", { mayAppearUntil: now })] }, "posts"],
    ["a known update", { sent: [note("x", { id: "u" })] }, "asks for u"],
    [
      "a known update, which is shown with another text",
      { shown: [update("u", "edited")], sent: [note("x", { id: "u" })] },
      "posts",
    ],
    [
      "a known update of another resource",
      { owners: { other: posted("u") }, declared: { occurrence: 2 }, sent: [note("x", { id: "u" })] },
      "posts",
    ],
    [
      "a later entry",
      { declared: { followedBy: [entry("B")] }, sent: [note("x", { text: "B" })] },
      "waits for 60 s",
    ],
    [
      "another occurrence of a later entry",
      { declared: { followedBy: [entry("B", 2)] }, sent: [note("x", { text: "B" })] },
      "posts",
    ],
  ];

  it.each(cases)("%s", (_, given, outcome) => expect(decided(choice(given))).toBe(outcome));
});
