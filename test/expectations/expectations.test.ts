import fc from "fast-check";
import { z } from "zod";
import { expectationsOf } from "../../provider/expectations/schema";
import { expectationsAt, type Violation, violations } from "../../provider/expectations/violations";

const channel = {
  name: "Operations",
  days: 7,
  on: true,
  unset: null,
  tags: ["blue", "green"],
  cards: [
    { name: "API", open: 2 },
    { name: "Shop", open: 0 },
  ],
  colours: { light: { text: "#fff" } },
};

const holding: [what: string, expected: object][] = [
  ["nothing", {}],
  ["values", { name: "Operations", days: 7, on: true, colours: { light: { text: "#fff" } } }],
  ["null for what is not set, or missing", { unset: null, absent: null }],
  ["bounds", { days: { atLeast: 7, atMost: 7 } }],
  ["one of several", { name: { oneOf: ["Sales", { matches: "^Op" }] }, days: { oneOf: [1, 7] } }],
  ["a pattern anywhere in a text", { name: { matches: "rat" } }],
  [
    "what is not so",
    { name: { not: "Sales" }, days: { not: { atMost: 6 } }, on: { not: null }, absent: { not: 1 } },
  ],
  ["a list, item by item", { tags: ["blue", { matches: "een$" }], cards: [{ open: 2 }, {}] }],
  [
    "an item of a list",
    { tags: { contains: "green" }, cards: { contains: { name: "API", open: { atLeast: 1 } } } },
  ],
  ["the opposite, of any item", { tags: { contains: { not: "blue" } } }],
  ["no such item", { cards: { not: { contains: { open: { atLeast: 3 } } } } }],
];

it.each(holding)("holds: %s", (_, expected) => {
  expect(violations(expected, channel)).toEqual([]);
});

const message = ({ field, expected, actual }: Violation): string =>
  `${field}: expected ${expected}, but it is ${actual}`;

const violated: [expected: object, text: string][] = [
  [{ days: 8 }, "days: expected 8, but it is 7"],
  [{ days: "7" }, 'days: expected "7", but it is 7'],
  [{ on: null }, "on: expected no value, but it is true"],
  [{ unset: { not: null } }, "unset: expected any value, but it is not set"],
  [{ days: { atLeast: 14, atMost: 30 } }, "days: expected at least 14, but it is 7"],
  [{ days: { atMost: 6 } }, "days: expected at most 6, but it is 7"],
  [{ unset: { atLeast: 0 } }, "unset: expected at least 0, but it is not set"],
  [{ unset: { atMost: 0 } }, "unset: expected at most 0, but it is not set"],
  [{ name: { matches: "^rat" } }, 'name: expected a string that matches "^rat", but it is "Operations"'],
  [{ unset: { matches: "" } }, 'unset: expected a string that matches "", but it is not set'],
  [{ name: { oneOf: ["A", null] } }, 'name: expected one of "A", no value, but it is "Operations"'],
  [
    { name: { not: { matches: "Op" } } },
    'name: expected anything but a string that matches "Op", but it is "Operations"',
  ],
  [
    { days: { not: { atLeast: 1, atMost: 9 } } },
    "days: expected anything but at least 1 and at most 9, but it is 7",
  ],
  [{ name: undefined }, 'name: expected no value, but it is "Operations"'],
  [{ tags: ["blue"] }, 'tags: expected ["blue"], but it is ["blue","green"]'],
  [
    { tags: [{ matches: "^b" }, "green", "red"] },
    'tags: expected [a string that matches "^b", "green", "red"], but it is ["blue","green"]',
  ],
  [{ tags: "of" }, 'tags: expected "of", but it is ["blue","green"]'],
  [
    { unset: { contains: { not: "red" } } },
    'unset: expected a list with anything but "red", but it is not set',
  ],
  [{ tags: ["blue", "red"] }, 'tags.1: expected "red", but it is "green"'],
  [{ tags: { contains: "red" } }, 'tags: expected a list with "red", but it is ["blue","green"]'],
  [{ unset: { contains: "red" } }, 'unset: expected a list with "red", but it is not set'],
  [{ colours: { light: { text: "#000" } } }, 'colours.light.text: expected "#000", but it is "#fff"'],
  [{ colours: { dark: { text: "#000" } } }, 'colours.dark.text: expected "#000", but it is not set'],
  [{ constructor: { name: "Object" } }, 'constructor.name: expected "Object", but it is not set'],
  [
    { cards: { contains: { name: "Docs", open: { atMost: 1 } } } },
    'cards: expected a list with {name: "Docs", open: at most 1}, but it is [{"name":"API","open":2},{"name":"Shop","open":0}]',
  ],
];

it.each(violated)("does not hold: %j", (expected, text) => {
  expect(violations(expected, channel).map(message)).toEqual([text]);
});

it("reports a field once, with every condition that doesn't hold", () => {
  const expected = { days: { atLeast: 8, atMost: 9, oneOf: [1, 2] } };
  expect(violations(expected, channel).map(message)).toEqual([
    "days: expected at least 8 and one of 1, 2, but it is 7",
  ]);
});

it("matches patterns in linear time", () => {
  expect(violations({ text: { matches: "^([a-z]+)+$" } }, { text: `${"a".repeat(100)}!` })).toHaveLength(1);
});

it("finds the expectations for a part in all conditions", () => {
  const expected = { oneOf: [{ days: 1 }, { not: { days: { atLeast: 2 } } }, { name: "x" }] };
  expect(expectationsAt(expected, ["days"])).toEqual([1, { atLeast: 2 }]);
  expect(expectationsAt(expected, ["days", "more"])).toEqual([]);
  expect(expectationsAt({}, ["constructor"])).toEqual([]);
});

it("lists all violations", () => {
  expect(violations({ days: 8, on: false, name: "Operations" }, channel).map(message)).toEqual([
    "days: expected 8, but it is 7",
    "on: expected false, but it is true",
  ]);
});

it("shortens long values without splitting a surrogate pair", () => {
  const [violation = ""] = violations({ text: "x" }, { text: "\u{1F6A8}".repeat(1_000_000) }).map(message);
  expect(violation).toMatch(/^text: expected "x", but it is "(\u{1F6A8})+…$/u);
  expect(violation.length).toBeLessThan(250);
  const longest = "x".repeat(158);
  expect(violations({ text: "x" }, { text: longest }).map(message)).toEqual([
    `text: expected "x", but it is "${longest}"`,
  ]);
});

it("holds for the same value and for no other", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(violations({ value }, { value })).toEqual([]);
      expect(violations({ value: { not: value } }, { value })).toHaveLength(1);
    }),
  );
});

const outputs = z.object({
  name: z.string().nullish(),
  days: z.number(),
  on: z.boolean(),
  tags: z.array(z.string()),
  cards: z.array(z.object({ name: z.string(), made_at: z.string() })),
  colours: z.record(z.string(), z.record(z.string(), z.unknown()).nullable()).nullish(),
});

const mistaken: [expected: object, at: string, reason: RegExp][] = [
  [{ madeAt: "" }, "madeAt", /^is not known; expected one of name, days, on, tags, cards, colours$/],
  [{ name: 7 }, "name", /^must be a string, null, or conditions: an object with any of matches, oneOf, not$/],
  [{ name: {} }, "name", /^must be a string/],
  [{ name: ["a"] }, "name", /^must be a string/],
  [{ name: { atLeast: 1 } }, "name.atLeast", /^is not known; expected one of matches, oneOf, not$/],
  [{ name: { matches: "(" } }, "name.matches", /^must be a regular expression/],
  [{ name: { matches: "(?!a)" } }, "name.matches", /^must be a regular expression that RE2 supports/],
  [{ name: { matches: 7 } }, "name.matches", /^must be a regular expression/],
  [{ name: { not: { oneOf: ["a", 7] } } }, "name.not.oneOf.1", /^must be a string/],
  [{ name: { oneOf: [] } }, "name.oneOf", /^must be a non-empty list of allowed values$/],
  [{ name: { oneOf: "a" } }, "name.oneOf", /^must be a non-empty list of allowed values$/],
  [{ days: "7" }, "days", /^must be a number/],
  [{ days: { atLeast: "7" } }, "days.atLeast", /^must be a number$/],
  [{ days: { atMost: "7" } }, "days.atMost", /^must be a number$/],
  [
    { days: { atLeast: 1, atMots: 2 } },
    "days.atMots",
    /^is not known; expected one of atLeast, atMost, oneOf, not \(did you mean "atMost"\?\)$/,
  ],
  [{ on: "yes" }, "on", /^must be true or false/],
  [{ on: { contains: true } }, "on.contains", /^is not known; expected one of oneOf, not$/],
  [{ tags: "blue" }, "tags", /^must be a list/],
  [{ tags: ["blue", 7] }, "tags.1", /^must be a string/],
  [{ tags: { contains: 7 } }, "tags.contains", /^must be a string/],
  [
    { cards: { contains: { made_at: "" } } },
    "cards.contains.made_at",
    /^is not known; expected one of name, madeAt \(did you mean "madeAt"\?\)$/,
  ],
  [{ cards: "API" }, "cards", /^must be a list/],
  [{ colours: "dark" }, "colours", /^must be an object of expectations by field/],
  [{ colours: { dark: { text: [{ shade: 1 }] } } }, "colours.dark.text.0.shade", /^is not known/],
  [{ colours: { dark: ["#000"] } }, "colours.dark", /^must be an object of expectations by field/],
];

it.each(mistaken)("is invalid: %j", (expected, at, reason) => {
  const issues = expectationsOf(outputs).safeParse(expected).error?.issues ?? [];
  expect(issues.map(({ path }) => path.join("."))).toEqual([at]);
  expect(issues[0]?.message).toMatch(reason);
});

it("is valid: conditions and values that outputs can have, and null anywhere", () => {
  const expected = {
    name: { matches: "a", oneOf: ["a", null], not: null },
    days: { atLeast: 1, atMost: 9.5 },
    on: null,
    tags: { contains: { matches: "^b" }, not: ["blue"] },
    cards: { contains: { name: "API", madeAt: { not: null } } },
    colours: { dark: { text: { oneOf: ["#000", 0], atLeast: 0 } }, light: null },
  };
  expect(expectationsOf(outputs).safeParse(expected)).toMatchObject({ success: true, data: expected });
});
