import {
  changedIdentity,
  contentKey,
  contentKeys,
  type Declaration,
  entryKey,
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
  ["the flag and the options", { notifySubscribers: true, onChange: "refuse", followedBy: [] }, []],
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

  it("is a UUID", () =>
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));

  it.each([
    ["another flag", {}, { notifySubscribers: true }],
    ["white space", {}, { description: " A" }],
    ["other options", {}, { onChange: "refuse", followedBy: ["x"] }],
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

/**
 * Part of the format of states and services. A change gives new ids to updates of which services already have the old ones:
 * what a lost post sent is still found and repeated under its id, which the state has; anything else is posted again under the
 * new one. So such a change needs a major version, and a note that says which contents it concerns.
 */
describe("the formula of keys and own ids is the same in each release", () => {
  it.each<[string, changes: Partial<Declaration>, attempt: number, key: string, id: string]>([
    ["plain", {}, 0, "32097ac82e1fffe2", "04c467a8-9a97-517e-a0ca-42a139af91ab"],
    ["the second attempt", {}, 1, "32097ac82e1fffe2", "157589bf-6b0e-5027-8e61-1fd733266d4e"],
    [
      "the second occurrence",
      { occurrence: 2 },
      0,
      "32097ac82e1fffe2",
      "7036164a-1985-543a-b781-ae4f3fc3580b",
    ],
    [
      "another incident",
      { incidentId: "2f1c9a54-6d0b-4a6e-9d4e-3c1b7a90e8f2" },
      0,
      "32097ac82e1fffe2",
      "1093c46a-4676-5755-ad99-0a03494d0037",
    ],
    [
      "a date with a zone",
      { publicIncidentUpdateDate: "2026-01-31T10:30:00.5+01:00" },
      0,
      "32097ac82e1fffe2",
      "daf2daa0-eb64-5866-9e00-cb40eca7347c",
    ],
    [
      "CRLF and white space",
      { status: "RESOLVED", description: "  All\r\nis\u00a0 well.\t" },
      0,
      "64a3c8c9675a39de",
      "47cb99b5-c6c1-56ac-a968-8f719b216321",
    ],
    [
      "entities",
      { description: "a &amp;lt; b &#38; &quot;c&quot;" },
      0,
      "6454ad556f271b4d",
      "18677b31-1ecf-5d79-bb8d-a72616330a0c",
    ],
    ["composed", { description: "Caf\u00e9" }, 0, "01a81f2368861a21", "2eba190d-d610-5daa-88de-78e434524178"],
    [
      "decomposed",
      { description: "Cafe\u0301" },
      0,
      "01a81f2368861a21",
      "2eba190d-d610-5daa-88de-78e434524178",
    ],
    [
      "an emoji",
      { description: "Fixed \u{1f389}" },
      0,
      "7d459ec578f7ba61",
      "7ed3e93c-ecc9-5576-b464-7fe203b7665a",
    ],
    ["empty", { description: "" }, 0, "ea8a470976b671e9", "a99adefe-f0f7-5007-8707-77287da0ede3"],
  ])("%s", (_, changes, attempt, key, id) => {
    const declared = declaration(changes);
    expect([contentKey(declared), ownId(declared, attempt)]).toEqual([key, id]);
  });
});
