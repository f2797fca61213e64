import {
  changedIdentity,
  contentKey,
  contentKeys,
  entryKey,
  hasOwnId,
  matches,
  oldestFirst,
  ownId,
  sameText,
} from "../../provider/protocol";
import { declaration, update } from "./steps";

const date = "2026-01-01T00:00:00Z";

describe("whether two texts are equal", () => {
  it.each([
    ["A", "A", true],
    ["A", "B", false],
    ["A", "a", false],
    ["a b", " a\r\n\tb ", true],
    ["a & b", "a &amp;amp; b", true],
    ["\u00e9", "e\u0301", true],
    ["", " ", true],
  ])("%j and %j: %j", (a, b, same) => {
    expect(sameText(a, b)).toBe(same);
    expect(sameText(b, a)).toBe(same);
  });
});

describe("whether an update matches a declaration", () => {
  it.each([
    ["equal", {}, {}, true],
    ["another status", { status: "RESOLVED" }, {}, false],
    ["another text", { description: "B" }, {}, false],
    ["another flag", { notifySubscribers: true }, {}, true],
    ["a date that isn't declared", {}, { publicIncidentUpdateDate: date }, true],
    ["a date that isn't shown", { publicIncidentUpdateDate: date }, {}, false],
    [
      "the same second",
      { publicIncidentUpdateDate: date },
      { publicIncidentUpdateDate: "2026-01-01T01:00:00.9+01:00" },
      true,
    ],
    [
      "the next second",
      { publicIncidentUpdateDate: date },
      { publicIncidentUpdateDate: "2026-01-01T00:00:01Z" },
      false,
    ],
  ] as const)("%s", (_, declared, shown, result) => {
    expect(matches(declaration(declared), { ...update("a"), ...shown })).toBe(result);
  });
});

it.each([
  ["nothing", {}, []],
  [
    "the flag and the options",
    { notifySubscribers: true, onChange: "refuse", onUnconfirmed: "resend", followedBy: [] },
    [],
  ],
  ["white space", { description: " A " }, []],
  ["the incident", { incidentId: "j" }, ["incidentId"]],
  ["status and text", { status: "RESOLVED", description: "B" }, ["status", "description"]],
  ["a new date", { publicIncidentUpdateDate: date }, ["publicIncidentUpdateDate"]],
  ["the occurrence", { occurrence: 2 }, ["occurrence"]],
] as const)("the identity changes with %s", (_, changes, fields) => {
  expect(changedIdentity(declaration(), declaration(changes))).toEqual(fields);
});

it.each([
  ["none of both", {}, {}, []],
  ["one of both", declaration(), { ...declaration(), description: undefined }, ["description"]],
  ["the other", { ...declaration(), description: undefined }, declaration(), ["description"]],
])("a text that isn't known may be any, in %s", (_, a, b, fields) => {
  expect(changedIdentity(a, b)).toEqual(fields);
});

it("the same date in another notation changes no identity", () => {
  const [a, b] = [date, "2026-01-01T00:00:00.000Z"].map((publicIncidentUpdateDate) =>
    declaration({ publicIncidentUpdateDate }),
  );
  expect(a && b && changedIdentity(a, b)).toEqual([]);
});

describe("keys", () => {
  it("are equal for equal contents, and hold no text", () => {
    const key = contentKey({ status: "RESOLVED", description: "secret" });
    expect(key).toMatch(/^[0-9a-f]{16}$/);
    expect(contentKey({ status: "RESOLVED", description: " secret " })).toBe(key);
    expect(contentKey({ status: "INVESTIGATING", description: "secret" })).not.toBe(key);
  });

  it("name the occurrence of an entry from the second on", () => {
    expect([entryKey("k", 1), entryKey("k", 2)]).toEqual(["k", "k#2"]);
  });

  it("of a declaration include those of later entries", () => {
    const declared = declaration({ followedBy: ["x", "y#12"] });
    expect(contentKeys(declared)).toEqual([contentKey(declared), "x", "y"]);
    expect(contentKeys(declaration())).toHaveLength(1);
  });
});

describe("an id of our own", () => {
  const id = ownId(declaration(), 0);

  it("is the same in each release: updates that are public have it", () =>
    expect(id).toBe("04c467a8-9a97-517e-a0ca-42a139af91ab"));

  it.each([
    [
      "a declared date",
      { publicIncidentUpdateDate: date, occurrence: 3 },
      { publicIncidentUpdateDate: date },
      true,
    ],
    ["a date of the service", {}, { publicIncidentUpdateDate: date }, true],
    ["no date", { status: "RESOLVED" }, { status: "RESOLVED", publicIncidentUpdateDate: null }, true],
    ["another text", {}, { description: "B" }, false],
    ["a status that this release doesn't know", {}, { status: "FUTURE" }, false],
  ] as const)("is recognized in the history, with %s: %j", (_, declared, shown, isOwn) => {
    const shownId = ownId(declaration(declared), 0);
    expect(hasOwnId("i", { ...update(shownId), ...shown })).toBe(isOwn);
  });

  it("is a UUID", () =>
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));

  it.each([
    ["another flag", {}, { notifySubscribers: true }],
    ["white space", {}, { description: " A" }],
    ["other options", {}, { onChange: "refuse", onUnconfirmed: "resend", followedBy: ["x"] }],
    [
      "the same date in another notation",
      { publicIncidentUpdateDate: date },
      { publicIncidentUpdateDate: "2026-01-01T01:00:00.5+01:00" },
    ],
  ] as const)("is equal with %s", (_, a, b) => {
    expect(ownId(declaration(a), 0)).toBe(ownId(declaration(b), 0));
  });

  it("differs in incident, status, text, date, occurrence and attempt", () => {
    const others = [
      { incidentId: "j" },
      { status: "RESOLVED" },
      { description: "B" },
      { publicIncidentUpdateDate: date },
      { occurrence: 2 },
    ] as const;
    const all = [
      id,
      ownId(declaration(), 1),
      ownId(declaration(), 2),
      ...others.map((changes) => ownId(declaration(changes), 0)),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

it("the oldest comes first; equal times keep the order of the service, reversed", () => {
  const shown = [update("c", "C", 2), update("b2", "B", 1), update("b1", "B", 1), update("a")];
  expect(oldestFirst(shown).map(({ id }) => id)).toEqual(["a", "b1", "b2", "c"]);
  expect(oldestFirst([...shown].reverse()).map(({ id }) => id)).toEqual(["a", "b2", "b1", "c"]);
});
