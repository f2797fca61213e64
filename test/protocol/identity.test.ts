/** What identifies an update and the incident of a note, and the keys and ids that states and services have. */
import {
  listChangedFields,
  computeEntryKey,
  type Declaration,
  isFromEarlierContainer,
} from "../../provider/protocol";
import { areEditable, sortByPublicDate, sortOldestFirst } from "../../provider/protocol/identity";
import { declaration, update } from "./steps";

const date = "2026-01-01T00:00:00Z";
const at = (publicIncidentUpdateDate: string) => ({ publicIncidentUpdateDate });

it.each([["no white space", declaration(), declaration({ description: " A\n" }), []]])(
  "the identity changes with %s",
  (_, before, after, fields) => {
    expect(listChangedFields(before, after)).toEqual(fields);
  },
);

it("the oldest comes first; equal times keep the order of the service, reversed", () => {
  const shown = [update("c", "C", 2), update("b2", "B", 1), update("b1", "B", 1), update("a")];
  expect(sortOldestFirst(shown).map(({ id }) => id)).toEqual(["a", "b1", "b2", "c"]);
  expect(sortOldestFirst([...shown].reverse()).map(({ id }) => id)).toEqual(["a", "b2", "b1", "c"]);
});

it("readers see them by public date, and by the time of the post where none or an equal one is shown", () => {
  const dated = (id: string, minute: number, hourOfDay: number) => ({
    ...update(id, id, minute),
    ...at(`2026-01-01T${hourOfDay}:00:00Z`),
  });
  const shown = [dated("d", 3, 11), dated("c", 2, 11), update("b", "B", 1), dated("a", 0, 13)];
  expect(sortByPublicDate(shown).map(({ id }) => id)).toEqual(["c", "d", "b", "a"]);
});

it.each<[fields: string[], isEditable: boolean]>([[["description", "containerId"], false]])(
  "an edit can make the changes %j: %p",
  (fields, isEditable) => {
    expect(areEditable(fields)).toBe(isEditable);
  },
);

/**
 * Part of the format of states and services. A change gives new ids to updates of which services already have the old ones:
 * what a lost post sent is still found and repeated under its id, which the state has; anything else is posted again under the
 * new one. So such a change needs a major version, and a note that says which contents it concerns.
 */
const plain = "32097ac82e1fffe2";
const otherIncident = { containerId: "2f1c9a54-6d0b-4a6e-9d4e-3c1b7a90e8f2" };
const options = { notifySubscribers: true, onChange: "refuse", followedBy: ["x"] } as const;
const spaced = { status: "RESOLVED", description: "  All\r\nis\u00a0 well.\t" } as const;
const entities = { description: "a &amp;lt; b &#38; &quot;c&quot;" };
const [composed, decomposed] = [{ description: "Caf\u00e9" }, { description: "Cafe\u0301" }];
const emoji = { description: "Fixed \u{1f389}" };
it.each<[string, changes: Partial<Declaration>, key: string]>([
  ["plain", {}, plain],
  ["other options", options, plain],
  ["the second occurrence", { occurrence: 2 }, plain],
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

it("the key of an entry tells repeated words apart, by their place or their date", () => {
  const keys = [computeEntryKey("k", 1), computeEntryKey("k", 2), computeEntryKey("k", 2, date)];
  expect(keys).toEqual(["k", "k#2", "k#@1767225600"]);
});

// Teams correct when an incident began, and a service that was set up anew has another one.
const incident = "2026-11-20T09:00:00Z";
const postedAt = Date.parse("2026-11-20T10:00:00Z");
const now = Date.parse("2026-11-20T12:00:00Z");

it.each<[string, string, boolean, said?: string]>([
  ["after the post, as before", "2026-11-20T11:00:00Z", false, "2026-11-20T11:00:00Z"],
  ["in the future, because it is planned", "2026-11-20T12:00:01Z", false],
  ["after the post", "2026-11-20T10:05:01Z", true],
])(
  "a note is of an earlier incident than one that is said to be created %s, at %s: %p",
  (_, createdAt, isOfEarlier, ...[said = incident]) => {
    expect(isFromEarlierContainer({ containerCreatedAt: said, at: postedAt }, createdAt, now)).toBe(
      isOfEarlier,
    );
  },
);
