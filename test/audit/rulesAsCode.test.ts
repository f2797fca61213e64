/** Rules that code made, which no compiler has looked at. */
import { auditAlertChannels, defineRule, readRules, RulesError } from "../../audit";
import { channel, now } from "./channels";

const text = { id: "mine", title: "Mine", why: "It is.", fix: "Change it." };
const verdictIs = (verdict: unknown) => ({
  ...text,
  check: () => () => verdict,
});

/** As JavaScript calls it. */
const makeRule = (rule: unknown): unknown => Reflect.apply(defineRule, undefined, [rule]);

function refused(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof RulesError) return error.message;
    throw error;
  }
  return "";
}

const auditWith = (rule: unknown, channels = [channel()]) =>
  auditAlertChannels(channels, readRules({ customRules: [makeRule(rule)] }), { now });

test.each<[string, unknown]>([
  ["a text", "abc"],
  ["true", true],
  ["a finding without a list", { field: "a", actual: "b", expected: "c" }],
  ["a promise", Promise.resolve([])],
  ["nothing in a list", [null]],
  ["an empty finding", [{}]],
  ["values that are no texts", [{ field: "a", actual: { b: 1 }, expected: 5 }]],
  ["a number that JSON can't hold", [{ field: "a", actual: 1n, expected: "2" }]],
  ["a reason that is no text", [{ field: "a", reason: 7 }]],
])("a check that gives %s is a mistake in the rules, said in one line", (_, verdict) => {
  expect(refused(() => auditWith(verdictIs(verdict)))).toBe(
    "the rule mine fails on channel 1: its check must give a list of {field, actual, expected} or {field, reason}, all of them texts",
  );
  const fleet = { ...text, checkFleet: () => verdict };
  expect(refused(() => auditWith(fleet))).toMatch(/^the rule mine fails: its check must give a list of /);
});

test.each<[string, object, string[]]>([
  [
    "a severity that there isn't: its findings would count for nothing",
    { severity: "eror" },
    ['customRules[0].severity must be one of error, warning (did you mean "error"?)'],
  ],
  [
    "an id that would tear a line of a report apart",
    { id: "::error::My | Rule" },
    ["customRules[0].id must be small letters, digits and hyphens, such as opsgenie-region"],
  ],
  [
    "no texts",
    { id: undefined, title: undefined, why: 7, fix: "" },
    [
      "customRules[0].id must be a string",
      "customRules[0].title is missing",
      "customRules[0].why must be a string",
      "customRules[0].fix must not be empty",
    ],
  ],
  [
    "options that are no schema",
    { options: { most: 3 } },
    ["customRules[0].options must be a schema of zod"],
  ],
])("a rule with %s is refused", (_, changes, expected) => {
  const rule = { ...verdictIs([]), ...changes };
  expect(refused(() => auditWith(rule)).split("\n")).toEqual(expected);
});

test("a rule that wasn't made by defineRule is refused with all that it lacks", () => {
  const rules = { customRules: [{ configure: () => ({}) }] };
  expect(refused(() => readRules(rules)).split("\n")).toEqual([
    "customRules[0].id must be a string",
    "customRules[0].title is missing",
    "customRules[0].why is missing",
    "customRules[0].fix is missing",
    "customRules[0].severity must be one of error, warning",
    "customRules[0].options must be a schema of zod",
  ]);
});
