/** Tests the inputs of an update: what `check` accepts, which changes `diff` reports, and the inputs of a timeline's entries. */
import { lifecycles } from "../../provider/lifecycles";
import { computeKeys, computeOrder, findRepetition } from "../../provider/lifecycles/timeline";
import { normalizeContent } from "../../provider/protocol";
import { incidentId, words } from "../engine/service";
import { programInput } from "../../provider/engine";
import { by, getCheckFailures, nowhere, phase, unknown } from "./phases";

/** A resource with valid arguments. */
const named = { ...by("update"), ...words };
// `check` and `diff` send no requests and keep no state in this process.
const start = () => phase("IncidentUpdate", nowhere);
const megabyte = "x".repeat(1_000_000);

const marks = [unknown, "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"];
const notAnId = "must be an ID without white space, control characters or any of / \\ ? # %";
const notAStatus = "must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED";
const notADate = "must be an ISO 8601 date-time with a time zone, such as 2026-01-31T09:30:00Z";
const nothing = ", but no value was given (for example, because an output of a StackReference doesn't exist)";
const half = "must be well-formed Unicode, but contains a lone surrogate";
const control = "must not contain control characters";

it("the published content is secret if the description is secret", () => {
  expect(lifecycles.IncidentUpdate.facts.getRepeatingOutputs(new Set(["description", "status"]))).toEqual(
    new Set(["published"]),
  );
  expect(lifecycles.IncidentUpdate.facts.getRepeatingOutputs(new Set(["status"]))).toEqual(new Set());
});

const mistakes: Record<string, [unknown[], string][]> = {
  // test/api/api.test.ts tests all invalid IDs.
  incidentId: [
    [[undefined, null], `must be the ID of a status-page incident${nothing}`],
    [[true, [], {}, ["a"], NaN], "must be the ID of a status-page incident"],
    [["a/b", "a\0"], notAnId],
    [[-1, 1.5, 2 ** 53], "must be a string or a whole number of 0 or more"],
    [["", megabyte], "must "],
  ],
  statusPageId: [[[true, [], {}], "must be the ID of a status page with components"]],
  status: [
    [[undefined, null], notAStatus + nothing],
    [[1, true, [], {}, "", "resolved", "RESOLVED ", "MAINTENANCE"], notAStatus],
    [["\0", megabyte, "toString", "__proto__", "constructor"], notAStatus],
  ],
  description: [
    [[undefined, null], `must be a string${nothing}`],
    [[0, false, [], {}, ["text"], { text: 1 }], "must be a string"],
    [["", " ", "\n\t\r ", "\u00a0\u2003", "\u200b", "&nbsp;"], "must not be empty"],
    [["a".repeat(65_537), megabyte], "must have at most 65536 characters"],
    [["a\0b", "\u0007", "a\u001bb", "\u007f", "\u0085 a"], control],
    [["\ud83d", "a\udc00b", "\udc00\ud83d", "a\ufffd"], half],
  ],
  notifySubscribers: [[[0, 1, "true", "", [], {}, megabyte], "must be true or false"]],
  publicIncidentUpdateDate: [
    [[0, 1_700_000_000, true, [], {}, "", "now", megabyte, "\0", "\ud83d"], notADate],
    [["2026-01-31", "2026-01-31 09:30:00", "2026-01-31T09:30:00", "31.01.2026", "T09:30:00Z"], notADate],
    [["2026-02-30T09:30:00Z", "2026-13-01T00:00:00Z", "2026-01-31T24:00:00Z"], notADate],
    [["2026-01-31T09:60:00Z", "2026-01-31T09:30:00+25:00", "2026-01-31T09:30:00z"], notADate],
    [[" 2026-01-31T09:30:00Z", "9999-12-31T23:00:00-02:00", "0000-01-01T00:00:00+01:00"], notADate],
  ],
  account: [
    [[1, true, [], {}], "must be a string"],
    [["eu", "__proto__", "\0", megabyte], "must be a name in monitoring:accounts, which is not set"],
    [[""], "must be a name in monitoring:accounts, which is not set"],
  ],
  "": [[["typo", marks[0]], "is not known"]],
};

const cases = Object.entries(mistakes).flatMap(([name, table]) =>
  table.map(([values, reason]) => [name || "descripton", reason, values] as const),
);
it.each(cases)("%s %s", async (property, reason, values) => {
  const provider = await start();
  for (const value of values) {
    const told = await getCheckFailures(provider, { ...words, [property]: value });
    expect([value, told]).toEqual([value, { [property]: expect.stringContaining(reason) }]);
    expect(told[property]?.length).toBeLessThan(250);
  }
});

it("a description that is clearly an error is rejected, unless the state contains it, as after an import", async () => {
  const [process, text] = [await start(), { ...words, description: "[object Object]" }];
  const respelled = { ...words, description: " [object  Object]" };
  expect(await getCheckFailures(process, text)).toEqual({
    description: expect.stringContaining("contains [object Object]"),
  });
  expect((await process.check(respelled, { ...by("update"), ...text })).failures).toEqual([]);
  expect((await process.check(words, { ...by("update"), ...text })).failures).toHaveLength(1);
});

it.each<[string, object, unknown]>([
  ["that is public has an empty one", by("update", { shown: words }), []],
  ["that may be a secret has one", {}, ["description"]],
  [
    "that isn't known has an unknown one, in whose place an update plan permits any",
    { description: unknown },
    unknown,
  ],
])("the state marks secrets: a description %s", async (_, more, mark) => {
  const { inputs } = await (await start()).check({}, { ...named, ...more });
  expect(inputs?.[programInput]).toMatchObject({ secrets: mark });
});

it("an error in a field that all entries of a timeline share is reported once", async () => {
  const later = [{ ...words, status: "FINE", description: "Later." }];
  const keys = [normalizeContent(words).contentKey, "later"];
  const declared = { ...words, incidentId: "a/b", statusPageId: "c/d", account: "eu" };
  const failures = await getCheckFailures(await start(), {
    ...declared,
    ...by("update", { place: { keys, index: 0, later } }),
  });
  const named = ["incidentId", "statusPageId", "account", "updates[1].status"];
  expect(Object.keys(failures).sort()).toEqual(named.sort());
});

it.each(["onChange", "occurrence"])("the removed argument %s is rejected by its name", async (removed) => {
  for (const place of [undefined, { keys: [normalizeContent(words).contentKey], index: 0 }]) {
    const declared = { ...words, [removed]: "post", ...by("update", { place }) };
    expect(await getCheckFailures(await start(), declared)).toEqual({
      [removed]: expect.stringMatching(/^is not known; expected one of incidentId, statusPageId, status, /),
    });
  }
});

it("an error lists the arguments that a program may use, and no properties of Object.prototype", async () => {
  const told = await getCheckFailures(await start(), { ...words, toString: "typo" });
  expect(told).toEqual({
    toString:
      "is not known; expected one of incidentId, statusPageId, status, description, notifySubscribers, publicIncidentUpdateDate, " +
      "account",
  });
});

const dated = (publicIncidentUpdateDate: string) => ({ publicIncidentUpdateDate });
it.each<[string, object, object]>([
  ["white space around a description", { description: ` \n ${words.description} \t` }, words],
  ["a number as an ID", { incidentId: 12 }, { incidentId: "12" }],
  ["the longest description", { description: "a".repeat(65_536) }, {}],
  ["every script and emoji", { description: "日本語 ‏עברית 👩‍👩‍👧‍👦 e\u0301" }, {}],
  // The date is stored in UTC.
  ["a date in another zone", dated("2026-01-31T09:30:00+02:00"), dated("2026-01-31T07:30:00.000Z")],
])("an update accepts %s", async (_, given, kept) => {
  const { inputs, failures } = await (await start()).check({}, { ...named, ...given });
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ ...words, ...given, ...kept });
});

const fields = Object.keys(mistakes).filter(Boolean);

it.each(fields)("an unknown %s passes, and the other arguments are still checked", async (field) => {
  const provider = await start();
  for (const value of [...marks, { inner: unknown }, [["known", unknown]]]) {
    const { inputs, failures } = await provider.check({}, { ...named, [field]: value });
    expect({ failures, kept: inputs?.[field] }).toEqual({ failures: [], kept: value });
    const told = await getCheckFailures(provider, { ...words, [field]: value, descripton: "typo" });
    expect(Object.keys(told)).toEqual(["descripton"]);
  }
});

/** Returns the result of `diff` for a state that contains the declaration. */
const computeDiff = async (after: object, before: object = {}) => {
  const declared = { notifySubscribers: false, ...words, ...before };
  const published = { status: declared.status, description: declared.description };
  const origin = { accountId: nowhere.accountId, host: new URL(nowhere.url).host, path: "/" };
  const record = { version: 1, posted: { written: "MONITORING" } };
  const state = { ...declared, incidentUpdateId: "u1", published, missing: false, record, origin };
  return (await start()).diff("inc/u1", state, { ...named, ...before, ...after });
};

// test/protocol/diff.test.ts tests the classification of changes for every state.
it.each<[string, after: object, before: object, changes: boolean]>([
  ["other later entries", by("update", { place: { keys: ["x", "", "01"], index: 1 } }), {}, false],
  ["unknown later entries", by("update", { place: unknown }), {}, false],
  ["other white space", { description: words.description.replaceAll(" ", " \n ") }, {}, false],
  ["other escapes", { description: "Fish &amp; chips." }, { description: "Fish & chips." }, true],
])("a public update whose program declares %s", async (_, after, before, changes) => {
  expect(await computeDiff(after, before)).toEqual({ changes, replaces: [] });
});

it("a changed field of a public update is rejected even if another field is unknown", async () => {
  await expect(computeDiff({ status: "RESOLVED", description: unknown })).rejects.toThrow(
    "status must not change, because the update is public",
  );
});

it("an unknown value is treated as changed and replaces nothing, whichever field it is", async () => {
  const several = ["status", "description", "publicIncidentUpdateDate"];
  for (const names of [...fields.map((name) => [name]), several]) {
    const after = Object.fromEntries(names.map((name) => [name, unknown]));
    const difference = { changes: true, replaces: [] };
    expect([names, await computeDiff(after)]).toEqual([names, difference]);
  }
});

describe("entries of a timeline,", () => {
  const entry = { status: "MONITORING", description: "We watch it." } as const;
  const resolved = { ...entry, status: "RESOLVED" } as const;
  const alsoAtNoon = { ...entry, publicIncidentUpdateDate: "2026-01-31T14:00:00+02:00" };
  const atNoon = { ...entry, publicIncidentUpdateDate: "2026-01-31T12:00:00Z" };
  const later = { ...entry, publicIncidentUpdateDate: "2026-01-31T13:00:00Z" };
  const invalid = { ...entry, publicIncidentUpdateDate: 5 };
  const invalidDate = { ...entry, publicIncidentUpdateDate: "noon" };

  it("an entry of a timeline receives the previous entry and all later entries except invalid ones", () => {
    const keys = ["a", "b", "", "d"];
    expect(computeOrder({ keys, index: 0 })).toEqual({ entry: "a", followedBy: ["b", "d"] });
    expect(computeOrder({ keys, index: 3 })).toEqual({ entry: "d", followedBy: [], follows: "" });
  });

  it("each valid entry of a timeline has a key with its number among equal entries, which differ by date", () => {
    const key = normalizeContent(entry).contentKey;
    expect(computeKeys([atNoon])).toEqual([key]);
    expect(computeKeys([entry, resolved, entry])).toEqual([
      key,
      normalizeContent(resolved).contentKey,
      `${key}#2`,
    ]);
    const [first, , same, third, fourth] = computeKeys([atNoon, resolved, alsoAtNoon, entry, later]);
    expect([first, third]).toEqual([same, `${key}#3`]);
    expect(new Set([first, third, fourth, key]).size).toBe(4);
    expect(computeKeys([entry, { ...entry, status: "FINE" }, invalid])).toEqual([key, "", ""]);
  });

  it.each([
    ["with different text or dates", [atNoon, later, { ...atNoon, status: "RESOLVED" }], undefined],
    ["without a date", [entry, atNoon, entry], undefined],
    ["whose date is invalid", [invalidDate, invalidDate], undefined],
    [
      "with equal text and dates",
      [atNoon, later, alsoAtNoon],
      /entries 1 and 3 have the same status, description and publicIncidentUpdateDate\..* omit the date of the later entry$/,
    ],
  ])("entries of a timeline %s are distinguished, or rejected", (_, entries, problem) => {
    const found = findRepetition(entries);
    if (problem) expect(found).toMatch(problem);
    else expect(found).toBeUndefined();
  });

  it.each([
    ["is as the timeline has it", entry, normalizeContent(entry).contentKey, 0],
    [
      "has other white space",
      { ...entry, description: " We  watch it." },
      normalizeContent(entry).contentKey,
      0,
    ],
    ["was invalid", entry, "", 0],
    ["got another date", later, computeKeys([atNoon, entry])[0], 1],
    ["lost its date", entry, computeKeys([atNoon, entry])[0], 1],
    [
      "received different text",
      { ...entry, description: "[test] We watch it." },
      normalizeContent(entry).contentKey,
      1,
    ],
    ["received another status", resolved, normalizeContent(entry).contentKey, 1],
  ])("an entry of a timeline that %s on its way to the provider", async (_, content, key, count) => {
    const place = key === undefined ? undefined : { keys: [key], index: 0 };
    const problems = Object.entries(
      await getCheckFailures(await start(), {
        incidentId,
        ...content,
        ...by("update", { place }),
      }),
    );
    expect(problems).toHaveLength(count);
    for (const [property, reason] of problems)
      expect(reason).toBe(
        `${property === "description" ? "or status " : ""}was changed by a transformation of the program (\`transforms\` or ` +
          "`transformations`), so the order of the timeline can't be checked. Make the change in `updates` of the " +
          "IncidentTimeline instead",
      );
  });

  it("a new entry of a timeline isn't posted before a rejected entry, and a preview shows the error of each entry", async () => {
    const apiKey = "mon_sandbox_0123456789abcdef0123456789abcdef";
    const works = { ...entry, description: "It works again." };
    const later = [
      works,
      { ...works, description: "[object Object]" },
      { ...works, description: " " },
      { ...works, status: "FINE", publicIncidentUpdateDate: "yesterday" },
      { ...works, description: `The key is ${apiKey}.` },
    ];
    const place = { keys: ["a", "b", "c", "d", "e", "f"], index: 0, later };
    const args = { incidentId, ...entry };
    const text = (part: string): unknown => expect.stringContaining(part);
    const refused = {
      "updates[2].description": text("contains [object Object]"),
      "updates[3].description": text("must not be empty"),
      "updates[4].status": text("must be one of"),
      "updates[4].publicIncidentUpdateDate": text("must be"),
      "updates[5].description": text("contains the API key from"),
    };
    const findProblems = async (more: object) => {
      const phaseWithKey = await phase("IncidentUpdate", { ...nowhere, apiKey });
      const found = await getCheckFailures(phaseWithKey, { ...args, ...by("update", { place, ...more }) });
      const { description, ...others } = found;
      return others;
    };
    expect(await findProblems({})).toEqual(refused);
    expect(await findProblems({ previews: true, collectsProblems: true })).toEqual({});
  });
});
