import { z } from "zod";
import { listExpectationsAt, expectationsSchema, findViolations } from "../../provider/expectations";
import { fc } from "../propertySeed";

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
  ["what is not so", { name: { not: "Sales" }, days: { not: { atMost: 6 } }, on: { not: null } }],
  ["what is missing is not so", { absent: { not: 1 } }],
  ["a list, item by item", { tags: ["blue", { matches: "een$" }], cards: [{ open: 2 }, {}] }],
  ["an item of a list", { tags: { contains: "green" }, cards: { contains: { open: { atLeast: 1 } } } }],
  ["the opposite, of any item", { tags: { contains: { not: "blue" } } }],
  ["no such item", { cards: { not: { contains: { open: { atLeast: 3 } } } } }],
];

it.each(holding)("an expectation holds: %s", (_, expected) => {
  expect(findViolations(expected, channel)).toEqual([]);
});

const message = ({ field, expected, actual }: ReturnType<typeof findViolations>[number]): string =>
  `${field}: expected ${expected}, but it is ${actual}`;

it("an unmet expectation is reported with the expected and the actual value", () => {
  const violated: object[] = [
    ...[{ days: 8 }, { days: "7" }, { on: null }, { unset: { not: null } }],
    ...[{ days: { atLeast: 14, atMost: 30 } }, { days: { atMost: 6 } }, { unset: { atLeast: 0 } }],
    ...[{ unset: { atMost: 0 } }, { name: undefined }, { name: { matches: "^rat" } }],
    ...[{ unset: { matches: "" } }, { name: { oneOf: ["A", null] } }, { name: { not: { matches: "Op" } } }],
    ...[{ days: { not: { atLeast: 1, atMost: 9 } } }, { tags: ["blue"] }],
    ...[{ tags: [{ matches: "^b" }, "green", "red"] }, { tags: "of" }],
    ...[{ unset: { contains: { not: "red" } } }, { tags: ["blue", "red"] }],
    ...[{ tags: { contains: "red" } }, { unset: { contains: "red" } }],
    ...[{ colours: { light: { text: "#000" } } }, { colours: { dark: { text: "#000" } } }],
    ...[{ constructor: { name: "Object" } }, { cards: { contains: { name: "Docs", open: { atMost: 1 } } } }],
  ];
  const texts = violated.map((expected) => findViolations(expected, channel).map(message));
  expect(texts.filter(({ length }) => length !== 1)).toEqual([]);
  expect(texts.flat().join("\n")).toMatchSnapshot();
});

it("an expectation matches patterns in linear time", () => {
  expect(findViolations({ text: { matches: "^([a-z]+)+$" } }, { text: `${"a".repeat(100)}!` })).toHaveLength(
    1,
  );
});

it("the expectations for a part are found in all conditions", () => {
  const expected = { oneOf: [{ days: 1 }, { not: { days: { atLeast: 2 } } }, { name: "x" }] };
  expect(listExpectationsAt(expected, ["days"])).toEqual([1, { atLeast: 2 }]);
  expect(listExpectationsAt(expected, ["days", "more"])).toEqual([]);
  expect(listExpectationsAt({}, ["constructor"])).toEqual([]);
});

it("long values are shortened without splitting a surrogate pair", () => {
  const [violation = ""] = findViolations({ text: "x" }, { text: "\u{1F6A8}".repeat(1_000_000) }).map(
    message,
  );
  expect(violation).toMatch(/^text: expected "x", but it is "(\u{1F6A8})+…$/u);
  expect(violation.length).toBeLessThan(250);
});

it("an expectation holds for the same value and for no other", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findViolations({ value }, { value })).toEqual([]);
      expect(findViolations({ value: { not: value } }, { value })).toHaveLength(1);
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

it("an invalid expectation is reported with its location and the allowed values", () => {
  const mistaken: object[] = [
    ...[{ madeAt: "" }, { name: 7 }, { name: {} }, { name: ["a"] }, { name: { atLeast: 1 } }],
    ...[{ name: { matches: "(" } }, { name: { matches: "(?!a)" } }, { name: { matches: 7 } }],
    ...[{ name: { not: { oneOf: ["a", 7] } } }, { name: { oneOf: [] } }, { name: { oneOf: "a" } }],
    ...[{ days: "7" }, { days: { atLeast: "7" } }, { days: { atMost: "7" } }],
    ...[{ days: { atLeast: 1, atMots: 2 } }, { on: "yes" }],
    ...[{ on: { contains: true } }, { tags: "blue" }, { tags: ["blue", 7] }, { tags: { contains: 7 } }],
    ...[{ cards: { contains: { made_at: "" } } }, { cards: "API" }, { colours: "dark" }],
    ...[{ colours: { dark: { text: [{ shade: 1 }] } } }, { colours: { dark: ["#000"] } }],
  ];
  const texts = mistaken.map((expected) => {
    const issues = expectationsSchema(outputs).safeParse(expected).error?.issues ?? [];
    return issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  });
  expect(texts.filter(({ length }) => length !== 1)).toEqual([]);
  expect(texts.flat().join("\n")).toMatchSnapshot();
});

it("conditions and values that outputs can have are valid, as is null anywhere", () => {
  const expected = {
    name: { matches: "a", oneOf: ["a", null], not: null },
    days: { atLeast: 1, atMost: 9.5 },
    on: null,
    tags: { contains: { matches: "^b" }, not: ["blue"] },
    cards: { contains: { name: "API", madeAt: { not: null } } },
    colours: { dark: { text: { oneOf: ["#000", 0], atLeast: 0 } }, light: null },
  };
  expect(expectationsSchema(outputs).safeParse(expected)).toMatchObject({ success: true, data: expected });
});
