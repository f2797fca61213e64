/** What the entries of a timeline get besides their content. */
import {
  areEntries,
  followersOf,
  keysOf,
  occurrenceOfLast,
  transformedProblem,
} from "../../../provider/lifecycles/incidentUpdate/timelineEntries";
import { contentKey } from "../../../provider/protocol";

const entry = { status: "MONITORING", description: "We watch it." } as const;
const resolved = { ...entry, status: "RESOLVED" } as const;
const atNoon = { ...entry, publicIncidentUpdateDate: "2026-01-31T12:00:00Z" };

it("the entries after one are all of them, without invalid ones", () => {
  expect(followersOf(["a", "b", "c"], 0)).toEqual(["b", "c"]);
  expect(followersOf(["a", "b", "c"], 2)).toEqual([]);
  expect(followersOf(["a", "", "c"], 0)).toEqual(["c"]);
});

it("each entry with valid content has a key, which names its number among equal ones", () => {
  const key = contentKey(entry);
  expect(keysOf([entry, resolved])).toEqual([key, contentKey(resolved)]);
  expect(keysOf([atNoon])).toEqual([key]);
  expect(keysOf([entry, resolved, entry])).toEqual([key, contentKey(resolved), `${key}#2`]);
});

it.each([
  ["is as the timeline has it", entry, contentKey(entry), 0],
  ["has other white space", { ...entry, description: " We  watch it." }, contentKey(entry), 0],
  ["is the second of its kind", { ...atNoon, occurrence: 1 }, `${contentKey(entry)}#2`, 0],
  ["is no entry", entry, undefined, 0],
  ["was invalid", entry, "", 0],
  ["got other words", { ...entry, description: "[test] We watch it." }, contentKey(entry), 1],
  ["got another status", resolved, contentKey(entry), 1],
])("an entry that %s on its way to the provider", (_, content, key, count) => {
  const problems = transformedProblem({ ...content, entry: key });
  expect(problems).toHaveLength(count);
  for (const { reason } of problems) expect(reason).toContain("transformation of the program");
});

it.each<[string, Parameters<typeof keysOf>[0][number]]>([
  ["an unknown status", { ...entry, status: "FINE" }],
  ["no status", { description: "We watch it." }],
  ["no description", { status: "MONITORING" }],
  ["a date that isn't text", { ...entry, publicIncidentUpdateDate: 5 }],
])("an entry with %s has no key, and counts as different", (_, invalid) => {
  expect(keysOf([entry, invalid])).toEqual([contentKey(entry), ""]);
  expect(occurrenceOfLast([invalid, invalid])).toBe(1);
  expect(occurrenceOfLast([invalid, entry])).toBe(1);
  expect(occurrenceOfLast([entry, invalid])).toBe(1);
});

it.each([
  [[entry], 1],
  [[entry, resolved], 1],
  [[entry, resolved, entry], 2],
  [[entry, entry, entry], 3],
  [[resolved, { ...entry, description: " We  watch it. " }, entry], 2],
  // An update without a declared date may have any.
  [[atNoon, entry], 2],
  [[entry, atNoon], 1],
])("the last of %j is number %i of its kind", (entries, expected) => {
  expect(occurrenceOfLast(entries)).toBe(expected);
});

it.each<[unknown, boolean]>([
  [[], true],
  [[{}, {}], true],
  [undefined, false],
  ["text", false],
  [{ every: 1 }, false],
  [[{}, null], false],
  [["text", {}], false],
])("%j can be a list of entries: %p", (updates, expected) => {
  expect(areEntries(updates)).toBe(expected);
});
