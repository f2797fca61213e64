/** What is wrong with a rule that a file declares. */
import { type CustomRule, readRules } from "../../sdk/audit";

const comparisons = "equals, notEquals, atLeast, atMost, oneOf, matches, exists";
const both = "must have either a schema or a path with a comparison, not both";
const neither = `must have a schema, or a path with ${comparisons}`;

function mistakesIn(rule: unknown): string {
  try {
    readRules({ customRules: [{ id: "mine", title: "Mine", ...Object(rule) }] });
    return "";
  } catch (error) {
    return String(error);
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
