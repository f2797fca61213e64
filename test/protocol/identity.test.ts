/** The identity of updates, the incident of a note, and the keys and IDs that states and services store. */
import {
  getOccurrence,
  isEditable,
  listChangedFields,
  type Declaration,
  isFromEarlierContainer,
  normalizeContent,
} from "../../provider/protocol";
import { computeEntryKey, computeUpdateId } from "../../provider/protocol/identity";
import { declaration, keyed } from "./steps";

const date = "2026-01-01T00:00:00Z";
const at = (publicIncidentUpdateDate: string) => ({ publicIncidentUpdateDate });

const spacedA = { description: " A\n" };
it.each<[string, Partial<Declaration>, Partial<Declaration>, fields: string[]]>([
  ["white space", {}, spacedA, []],
  ["white space of a name", { name: "N" }, { name: " N" }, []],
  ["a name", { name: "N" }, { name: "M" }, ["name"]],
  ["the page", { statusPageId: "p" }, {}, ["statusPageId"]],
  ["the page of an incident", { name: "N", statusPageId: "p" }, { name: "N" }, []],
  ["the name to none", { name: "N" }, {}, ["name"]],
  ["none to the name", {}, { name: "N" }, ["name"]],
  ["the date", at(date), at("2026-01-01T00:00:01Z"), ["publicIncidentUpdateDate"]],
  ["the date to none", at(date), {}, ["publicIncidentUpdateDate"]],
  ["milliseconds of the date", at(date), at("2026-01-01T00:00:00.900Z"), []],
  [
    "white space, if an edit can correct it",
    { statusPageId: "p" },
    { ...keyed, ...spacedA },
    ["description"],
  ],
])("the fields that change the identity, after a change of %s", (_, before, after, fields) => {
  expect(listChangedFields(declaration(before), declaration(after))).toEqual(fields);
});

it("unknown texts are different", () => {
  const [{ text, ...before }, { text: _, ...after }] = [declaration(), declaration({ description: "B" })];
  expect(listChangedFields(before, after)).toEqual(["description"]);
});

it.each<[string, Partial<Declaration>]>([
  ["status", { status: "RESOLVED" }],
  ["name", { name: "N" }],
])("the key of known content isn't used for content with another %s", (_, changes) => {
  const { contentKey, text, ...content } = declaration(changes);
  expect(normalizeContent(content, [declaration()])).toMatchObject({ contentKey, text });
  expect(normalizeContent(content, [declaration(changes)])).toMatchObject({ contentKey, text });
});

it("the IDs of posts are the same in each release", () => {
  const ids = [0, 1].map((attempt) => computeUpdateId(declaration(), attempt));
  expect(ids).toEqual(["04c467a8-9a97-517e-a0ca-42a139af91ab", "b05901c5-500f-5c88-bb30-cad231829a9b"]);
});

const onPage = { statusPageId: "p" };
it.each<[string, Partial<Declaration>, unknown: string[], isEditable: boolean]>([
  ["an entry with a key, on a page with components", keyed, [], true],
  ["an entry with a key, on a page with cards", { key: "k" }, [], false],
  ["an update on a page with components", onPage, [], false],
])("an edit can change %s, or not", (_, declared, unknown, is) => {
  expect(isEditable(declared, new Set(unknown))).toBe(is);
});

/**
 * These keys are part of the format of states and services. A change assigns new IDs to updates whose old IDs services already store. A
 * lost post is still found and repeated with its ID, which is in the state. Any other update is posted again with the new ID. Therefore, a
 * change requires a major version and a release note that lists the affected content.
 */
const plain = "32097ac82e1fffe2";
const otherIncident = { containerId: "2f1c9a54-6d0b-4a6e-9d4e-3c1b7a90e8f2" };
const options = { notifySubscribers: true, key: "k", followedBy: ["x"] } as const;
const spaced = { status: "RESOLVED", description: "  All\r\nis\u00a0 well.\t" } as const;
const entities = { description: "a &amp;lt; b &#38; &quot;c&quot;" };
const [composed, decomposed] = [{ description: "Caf\u00e9" }, { description: "Cafe\u0301" }];
const emoji = { description: "Fixed \u{1f389}" };
it.each<[string, changes: Partial<Declaration>, key: string]>([
  ["plain", {}, plain],
  ["other options", options, plain],
  ["the second of two identical entries", { entry: "k#2" }, plain],
  ["another incident", otherIncident, plain],
  ["a zone", at("2026-01-31T10:30:00.5+01:00"), plain],
  ["the same time in UTC", at("2026-01-31T09:30:00Z"), plain],
  ["white space", spaced, "64a3c8c9675a39de"],
  ["a zero-width character", { description: "A\u200b" }, plain],
  ["a soft hyphen", { description: "\u00adA" }, plain],
  ["entities", entities, "6454ad556f271b4d"],
  ["composed", composed, "01a81f2368861a21"],
  ["decomposed", decomposed, "01a81f2368861a21"],
  ["an emoji", emoji, "7d459ec578f7ba61"],
  ["empty", { description: "" }, "ea8a470976b671e9"],
])("the formula of keys is the same in each release: %s", (_, changes, key) => {
  const declared = declaration(changes);
  expect(declared.contentKey).toBe(key);
});

it("the keys of entries with the same content differ in their number or date", () => {
  const keys = [computeEntryKey("k", 1), computeEntryKey("k", 2), computeEntryKey("k", 2, date)];
  expect(keys).toEqual(["k", "k#2", "k#@1767225600"]);
});

it.each([
  ["an update outside a timeline", undefined, 1],
  ["an entry without an identical one", computeEntryKey("k", 1), 1],
  ["the second of two identical entries", computeEntryKey("k", 2), 2],
  ["the twelfth of twelve identical entries", computeEntryKey("k", 12), 12],
  ["a repeated entry with a date", computeEntryKey("k", 2, date), 1],
])("the index among identical updates, for %s", (_, entry, occurrence) => {
  expect(getOccurrence({ entry })).toBe(occurrence);
});

// Teams correct the start of an incident, and a service that was set up again has a different incident with the same ID.
const incident = "2026-11-20T09:00:00Z";
const postedAt = Date.parse("2026-11-20T10:00:00Z");
const now = Date.parse("2026-11-20T12:00:00Z");

it.each<[string, string, boolean, stored?: string]>([
  ["after the post, like the incident of the note", "2026-11-20T11:00:00Z", false, "2026-11-20T11:00:00Z"],
  ["in the future, because it is planned", "2026-11-20T12:00:01Z", false],
  ["after the post", "2026-11-20T10:05:01Z", true],
])(
  "a note is from an earlier incident than an incident created %s, at %s: %p",
  (_, createdAt, isOfEarlier, ...[stored = incident]) => {
    expect(isFromEarlierContainer({ containerCreatedAt: stored, at: postedAt }, createdAt, now)).toBe(
      isOfEarlier,
    );
  },
);
