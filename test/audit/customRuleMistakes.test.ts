/** What is wrong with a rule that a file declares. */
import { type CustomRule, readRules } from "../../audit";

const comparisons = "equals, notEquals, atLeast, atMost, oneOf, matches, exists";
const both = "must have either a schema or a path with a comparison, not both";
const neither = `must have a schema, or a path with ${comparisons}`;

function mistakesIn(rule: unknown): string {
  try {
    readRules({ customRules: [{ id: "mine", title: "Mine", ...Object(rule) }] });
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each<[Partial<CustomRule>, string]>([
  [{}, neither],
  [{ path: "type" }, neither],
  [{ exists: true }, neither],
  [{ schema: {}, path: "type" }, both],
  [{ schema: {}, exists: true }, both],
  [{ schema: {}, path: "type", exists: true }, both],
])("%j must be one or the other", (rule, reason) => {
  expect(mistakesIn(rule)).toContain(`customRules[0] ${reason}`);
});

test.each<Partial<CustomRule>>([{ path: "type", exists: true }, { schema: {} }])("%j is right", (rule) => {
  expect(mistakesIn(rule)).toBe("");
});

test.each([
  "id",
  "name",
  "type",
  "config.region",
  "subscriptions.length",
  "sendFailure",
  "sendRecovery",
  "sendDegraded",
  "sslExpiry",
  "sslExpiryThreshold",
  "autoSubscribe",
  "createdAt",
  "updatedAt",
])("%s is a path inside a channel", (path) => {
  expect(mistakesIn({ path, exists: true })).toBe("");
});

test.each([
  ["typ", ' (did you mean "type"?)'],
  ["confg.region", ' (did you mean "config"?)'],
  ["region", ""],
  [7, ""],
])("%j is no path inside a channel", (path, hint) => {
  const said = mistakesIn({ path, exists: true });
  if (typeof path === "string") expect(said).toMatch(/customRules\[0\]\.path must begin with .*config/);
  expect(said.includes("did you mean")).toBe(hint !== "");
  expect(said).toContain(hint);
});

test.each<[string, unknown, string[]]>([
  [
    "comparisons",
    { equals: {}, notEquals: [], atLeast: "1", atMost: "2", oneOf: "x", matches: "(", exists: "yes" },
    [
      "equals must be a string, a number, true or false",
      "notEquals must be a string, a number, true or false",
      "atLeast must be a number",
      "atMost must be a number",
      "oneOf must be a list",
      "matches must be a regular expression",
      "exists must be true or false",
    ],
  ],
  ["lists and patterns", { oneOf: [], matches: 7 }, ["oneOf must not be empty", "matches must be a string"]],
  [
    "a long pattern, and an item",
    { oneOf: ["a", {}], matches: "x".repeat(1001) },
    ["oneOf[1] must be a string, a number, true or false", "matches must have at most 1000 characters"],
  ],
])("every mistake is told: %s", (_, comparison, mistakes) => {
  const said = mistakesIn({ path: "type", ...Object(comparison) });
  expect(said.split("\n")).toEqual(mistakes.map((mistake) => `customRules[0].${mistake}`));
});

test("every mistake in a schema is told, in its parts too", () => {
  const wrong = {
    $comment: 1,
    title: 1,
    description: 1,
    type: "text",
    enum: 1,
    minimum: "1",
    maximum: "1",
    minLength: 1.5,
    maxLength: -1,
    pattern: "[",
    minItems: "1",
    maxItems: -2,
    items: 1,
    contains: { type: [] },
    required: [1],
    properties: { a: { not: 1 } },
    allOf: {},
    anyOf: [],
    if: 1,
    then: 1,
    else: { properties: [] },
    format: "date",
  };
  expect(mistakesIn({ schema: wrong }).split("\n")).toEqual(
    [
      "$comment must be a string",
      "title must be a string",
      "description must be a string",
      "type must be one of string, number, integer, boolean, null, array, object",
      "enum must be a list",
      "minimum must be a number",
      "maximum must be a number",
      "minLength must be a whole number",
      "maxLength must not be negative",
      "pattern must be a regular expression",
      "minItems must be a whole number",
      "maxItems must not be negative",
      "items must be an object",
      "contains.type must not be empty",
      "required[0] must be a string",
      "properties.a.not must be an object",
      "allOf must be a list",
      "anyOf must not be empty",
      "if must be an object",
      "then must be an object",
      "else.properties must be an object",
      "format is not known",
    ].map((mistake) => `customRules[0].schema.${mistake}`),
  );
});
