/** What the entries of a timeline get besides their content, and what the calls of the engine make of it. */
import {
  addedInputs,
  areEntries,
  followersOf,
  keysOf,
  occurrenceOfLast,
  transformedProblem,
} from "../../../provider/lifecycles/timeline";
import { contentKey } from "../../../provider/protocol";
import { failureOf, Service, words } from "../updateProcess";

const entry = { status: "MONITORING", description: "We watch it." } as const;
const resolved = { ...entry, status: "RESOLVED" } as const;
const alsoAtNoon = { ...entry, publicIncidentUpdateDate: "2026-01-31T14:00:00+02:00" };
const atNoon = { ...entry, publicIncidentUpdateDate: "2026-01-31T12:00:00Z" };

it("an entry may not change once it is public, and knows the entries around it", () => {
  const keyAt = (index: number) => `key ${index}`;
  const common = { occurrence: 1, onChange: "refuse" };
  const first = { ...common, entry: "key 0", followedBy: ["key 1"] };
  expect(addedInputs(0, 1, keyAt, ["key 1"])).toEqual(first);
  expect(addedInputs(1, 1, keyAt, [])).toEqual({
    ...common,
    entry: "key 1",
    followedBy: [],
    follows: "key 0",
  });
});

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
  [[atNoon, alsoAtNoon], 2],
  [[entry, { ...entry, notifySubscribers: true }], 2],
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

const service = new Service();

describe("the create", () => {
  it("of an entry knows the later entries of its timeline, and doesn't record them", async () => {
    const later = { status: "RESOLVED" as const, description: "It is over." };
    const followedBy = [contentKey(later)];
    const entry = await service.declare({ description: "Before.", followedBy });
    expect(entry.outs).not.toHaveProperty("followedBy");
    service.putByHand(later);
    const { message } = await failureOf(service.declare({ followedBy }));
    expect(message).toContain("would be published after a later entry of this timeline");
  });

  it("of an entry that is inserted far before the ones that the service shows is refused, and no code is asked for", async () => {
    const entries = Array.from({ length: 250 }, (_, index) => ({
      status: "MONITORING" as const,
      description: `Update ${index}.`,
    }));
    entries.slice(-100).forEach((update) => service.putByHand(update));
    const inserted = { description: "Before.", followedBy: followersOf(keysOf([words, ...entries]), 0) };
    const { message } = await failureOf(service.declare(inserted));
    expect(message).toContain("would be published after a later entry of this timeline");
    expect(service.posts).toEqual([]);
  });

  it("of an entry waits for the one before it, and doesn't record that", async () => {
    const before = { ...words, description: "Before.", followedBy: [contentKey(words)] };
    const entry = { followedBy: [], follows: contentKey(before) };
    const { message } = await failureOf(service.declare(entry));
    expect(message).toContain("the entry before this one isn't shown, and this run doesn't post it.");
    expect(service.posts).toEqual([]);
    await service.declare({ ...before, __resource: "before" });
    expect((await service.declare(entry)).outs).not.toHaveProperty("follows");
    expect(service.posts).toHaveLength(2);
  });
});
