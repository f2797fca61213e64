import { z } from "zod";
import { type CustomRule, defineRule, readRules, type Rules } from "../../audit";
import { jsonSchema } from "../../audit/custom/jsonSchema";
import { audit, channel, facts } from "./channels";
import { cases, errorLines } from "./table";

const opsgenie = channel({
  type: "OPSGENIE",
  config: { apiKey: facts("aaaaaaaaaaaa"), region: "EU", priority: "P2", account: "7" },
  subscriptions: [
    { checkId: "a", activated: true },
    { checkId: "b", activated: false },
  ],
});

/** What a custom rule reports. */
function evaluate(rule: Partial<CustomRule>, on = opsgenie): string[] {
  const customRules = [{ id: "mine", title: "Mine", ...rule }];
  const { findings, notEvaluable } = audit([on], { customRules });
  return [
    ...findings.map(({ field, actual, expected }) => `${field}: ${actual}, expected ${expected}`),
    ...notEvaluable.map(({ field, reason }) => `${field}: ${reason}`),
  ];
}

const discarded = "was passed as plain text and discarded";
const isCredential = "is a credential: compare one of its properties, such as isReference";

describe("a comparison", () => {
  test.each(
    cases(`
    { path: config.region, equals: EU } →
    { path: config.region, equals: US } → config.region: EU, expected US
    { path: config.region, notEquals: EU } → config.region: EU, expected anything but EU
    { path: config.nothing, notEquals: EU } →
    { path: config.nothing, equals: EU } → config.nothing: not given, expected EU
    { path: sslExpiryThreshold, atLeast: 21, atMost: 21 } →
    { path: sslExpiryThreshold, atLeast: 22 } → sslExpiryThreshold: 21, expected 22 or more
    { path: sslExpiryThreshold, atMost: 20 } → sslExpiryThreshold: 21, expected 20 or less
    { path: type, atLeast: 1 } → type: OPSGENIE, expected 1 or more
    { path: subscriptions.length, atLeast: 2 } →
    { path: config.account, atLeast: 1 } → config.account: 7, expected 1 or more
    { path: config.account, atMost: 9 } → config.account: 7, expected 9 or less
    { path: sslExpiryThreshold, matches: "21" } → sslExpiryThreshold: 21, expected a string that matches 21
    { path: subscriptions.1.activated, equals: true } → subscriptions.1.activated: false, expected true
    { path: config.priority, oneOf: [P1, P2] } →
    { path: config.priority, oneOf: [P1] } → config.priority: P2, expected one of P1
    { path: config.priority, matches: "^P[12]$" } →
    { path: config.priority, matches: "^P[3-5]$" } → config.priority: P2, expected a string that matches ^P[3-5]$
    { path: config.priority, exists: true } →
    { path: config.priority, exists: false } → config.priority: P2, expected no value
    { path: config.nothing, exists: false } →
    { path: config.nothing, exists: true } → config.nothing: not given, expected a value
    { path: config.constructor.name, exists: true } → config.constructor.name: not given, expected a value
    { path: config.region, equals: US, matches: ^U } → config.region: EU, expected US, and a string that matches ^U
    { path: config.region, equals: US, select: { types: [EMAIL] } } → rules.mine.select: 0 channels, expected one or more
    { path: config.apiKey.isReference, equals: true } → config.apiKey.isReference: false, expected true
    { path: config.apiKey, notEquals: canary } → config.apiKey: ${isCredential}
    { path: config.apiKey, exists: true, matches: ^x } → config.apiKey: ${isCredential}
    { path: config.apiKey, exists: true } →
    { path: config.apiKey, exists: false } → config.apiKey: {"fingerprint":"aaaaaaaaaaaa","isReference":false}, expected no value`),
  )("%s", (_, rule, expected) => {
    expect(evaluate(rule)).toEqual(expected);
  });

  test.each(
    cases(`
    { properties: { config: { properties: { apiKey: { pattern: "^x" } } } } } → config.apiKey: ${isCredential}
    { properties: { config: { properties: { apiKey: { type: string } } } } } → config.apiKey: ${isCredential}
    { properties: { config: { properties: { apiKey: { type: [string, object] } } } } } →
    { properties: { config: { not: { properties: { apiKey: { const: x } } } } } } → config.apiKey: ${isCredential}
    { anyOf: [{}, { properties: { config: { properties: { apiKey: { minLength: 9 } } } } }] } → config.apiKey: ${isCredential}
    { if: { properties: { type: { const: SMS } } }, then: { properties: { config: { properties: { apiKey: { minLength: 9 } } } } } } →
    { if: { properties: { type: { const: OPSGENIE } } }, then: { properties: { config: { properties: { apiKey: { minLength: 9 } } } } } } → config.apiKey: ${isCredential}
    { properties: { config: { properties: { apiKey: { properties: { isReference: { const: false } } } } } } } →
    { properties: { config: { properties: { url: { pattern: "^x" } } } } } →`),
  )("the schema %s of a credential", (_, schema, expected) => {
    expect(evaluate({ schema: jsonSchema.parse(schema) })).toEqual(expected);
  });

  test("truncates long values", () => {
    const [long, whole] = ["x".repeat(101), "x".repeat(100)];
    const shown = [long, whole].map((account) =>
      evaluate({ path: "config.account", equals: "y" }, channel({ config: { account } })),
    );
    expect(shown).toEqual([
      [`config.account: ${whole}…, expected y`],
      [`config.account: ${whole}, expected y`],
    ]);
  });

  test.each(
    cases(`
    { path: config.apiKey.isReference, notEquals: false }
    { path: config.apiKey.isReference, equals: true }
    { schema: { properties: { config: { properties: { apiKey: { required: [isReference] } } } } } }`),
  )("can't evaluate a plain-text credential: %s", (_, rule) => {
    const plain = channel({ type: "OPSGENIE", config: { apiKey: "canary" } });
    expect(evaluate(rule, plain)).toEqual([`config.apiKey.isReference: ${discarded}`]);
  });
});

const subscriptions =
  'subscriptions: [{"checkId":"a","activated":true},{"checkId":"b","activated":false}], expected';

test.each(
  cases(`
    { properties: { config: { properties: { region: { const: EU } } } } } →
    { properties: { config: { properties: { region: { const: US } } } } } → config.region: EU, expected US
    { properties: { config: { properties: { region: { enum: [US, AP] } } } } } → config.region: EU, expected US, AP
    { properties: { config: { required: [region, team] } } } → config.team: not given, expected a value
    { properties: { type: { type: [number, "null"] } } } → type: OPSGENIE, expected number or null
    { properties: { type: { pattern: ^U } } } → type: OPSGENIE, expected a string that matches ^U
    { properties: { type: { minLength: 9 } } } → type: OPSGENIE, expected 9 characters or more
    { properties: { type: { maxLength: 1 } } } → type: OPSGENIE, expected 1 characters or fewer
    { properties: { sslExpiryThreshold: { minimum: 22 } } } → sslExpiryThreshold: 21, expected 22 or more
    { properties: { sslExpiryThreshold: { maximum: 20 } } } → sslExpiryThreshold: 21, expected 20 or less
    { properties: { sslExpiryThreshold: { maximum: 21 } } } →
    { properties: { type: { minimum: 5, minItems: 2 } } } →
    { properties: { subscriptions: { items: { properties: { activated: { const: true } } } } } } → subscriptions[1].activated: false, expected true
    { properties: { subscriptions: { contains: { required: [groupId] } } } } → ${subscriptions} an item that matches contains
    { properties: { subscriptions: { minItems: 3 } } } → ${subscriptions} 3 items or more
    { properties: { subscriptions: { maxItems: 1 } } } → ${subscriptions} 1 items or fewer
    { allOf: [{ required: [type] }, { properties: { type: { const: SMS } } }] } → type: OPSGENIE, expected SMS
    { properties: { type: { anyOf: [{ const: SMS }, { const: OPSGENIE }] } } } →
    { properties: { type: { anyOf: [{ const: SMS }] } } } → type: OPSGENIE, expected a match of anyOf
    { properties: { type: { not: { const: OPSGENIE } } } } → type: OPSGENIE, expected no match of not
    { if: { properties: { type: { const: OPSGENIE } } }, then: { required: [name] } } → name: not given, expected a value
    { if: { properties: { type: { const: SMS } } }, then: { required: [name] }, else: {} } →`),
)("the schema %s", (_, schema, expected) => {
  expect(evaluate({ schema: jsonSchema.parse(schema) })).toEqual(expected);
});

describe("mistakes", () => {
  const mistakesIn = (rule: object) =>
    errorLines(() => readRules({ customRules: [{ id: "mine", title: "Mine", ...rule }] })).map((line) =>
      line.replace(/^customRules\[0\][. ]/, ""),
    );

  const both = "must have either a schema or a path with a comparison, not both";
  const neither =
    "must have a schema, or a path with equals, notEquals, atLeast, atMost, oneOf, matches, exists";
  const fields =
    "id, name, type, config, subscriptions, sendFailure, sendRecovery, sendDegraded, " +
    "sslExpiry, sslExpiryThreshold, autoSubscribe, createdAt, updatedAt";
  const scalar = "must be a string, a number, true or false";

  test.each(
    cases(`
    {} → ${neither}
    { path: type } → ${neither}
    { exists: true } → ${neither}
    { schema: {}, path: type } → ${both}
    { schema: {}, exists: true } → ${both}
    { path: type, exists: true } →
    { schema: {} } →
    { path: typ, exists: true } → path must begin with ${fields} (did you mean "type"?)
    { path: confg.region, exists: true } → path must begin with ${fields} (did you mean "config"?)
    { path: region, exists: true } → path must begin with ${fields}
    { path: 7, exists: true } → path must be a string
    { path: type, equals: {}, notEquals: [] } → equals ${scalar} ; notEquals ${scalar}
    { path: type, atLeast: "1", atMost: "2" } → atLeast must be a number ; atMost must be a number
    { path: type, oneOf: x, matches: ( } → oneOf must be a list ; matches must be a regular expression
    { path: type, oneOf: [], matches: 7 } → oneOf must not be empty ; matches must be a string
    { path: type, oneOf: [a, {}], exists: "yes" } → oneOf[1] ${scalar} ; exists must be true or false`),
  )("%s", (_, rule, expected) => {
    expect(mistakesIn(rule)).toEqual(expected);
  });

  test.each(fields.split(", "))("%s is a field", (path) => {
    expect(mistakesIn({ path, exists: true })).toEqual([]);
  });

  test("a long pattern", () => {
    const mistake = "matches must have at most 1000 characters";
    expect(mistakesIn({ path: "type", matches: "x".repeat(1001) })).toEqual([mistake]);
  });

  test("every mistake in a schema and its parts", () => {
    const parts = cases(`
      { $comment: 1 } → $comment must be a string
      { title: 1 } → title must be a string
      { description: 1 } → description must be a string
      { type: text } → type must be one of string, number, integer, boolean, null, array, object
      { enum: 1 } → enum must be a list
      { minimum: "1" } → minimum must be a number
      { maximum: "1" } → maximum must be a number
      { minLength: 1.5 } → minLength must be a whole number
      { maxLength: -1 } → maxLength must not be negative
      { pattern: "[" } → pattern must be a regular expression
      { minItems: "1" } → minItems must be a whole number
      { maxItems: -2 } → maxItems must not be negative
      { items: 1 } → items must be an object
      { contains: { type: [] } } → contains.type must not be empty
      { required: [1] } → required[0] must be a string
      { properties: { a: { not: 1 } } } → properties.a.not must be an object
      { allOf: {} } → allOf must be a list
      { anyOf: [] } → anyOf must not be empty
      { if: 1 } → if must be an object
      { then: 1 } → then must be an object
      { else: { properties: [] } } → else.properties must be an object
      { format: date } → format is not known`);
    const schema: object = Object.assign({}, ...parts.map(([, part]) => part));
    expect(mistakesIn({ schema })).toEqual(parts.map(([, , [mistake]]) => `schema.${mistake}`));
  });
});

describe("a rule from defineRule", () => {
  const shortNames = defineRule({
    id: "short-names",
    title: "Names are short",
    why: "Long ones don't fit.",
    fix: "Shorten it.",
    options: z.strictObject({ most: z.int().default(5) }),
    check:
      ({ most }) =>
      ({ name = "" }) =>
        name.length <= most ? [] : [{ field: "name", actual: `${name.length} letters`, expected: `${most}` }],
  });

  test("has options and waivers as built-in rules do", () => {
    const rules: Rules = {
      customRules: [shortNames],
      rules: { "short-names": { severity: "error", options: { most: 3 } } },
      channels: { ops: 1, database: 2 },
    };
    const { findings } = audit([channel(), channel({ id: 2 })], rules);
    expect(findings).toMatchObject([
      { rule: "short-names", severity: "error", channel: { id: 2 }, actual: "8 letters" },
    ]);
    const wrong: Rules = { ...rules, rules: { "short-names": { options: { most: "x" } } } };
    expect(() => audit([], wrong)).toThrow(/^rules\.short-names\.options\.most /);
  });

  test("is rejected without the options that it needs", () => {
    const needy = defineRule({
      ...{ id: "constructor", title: "Named so", why: "No.", fix: "No." },
      options: z.strictObject({ name: z.string() }),
      check:
        ({ name }) =>
        (channel) =>
          channel.name === name ? [] : [{ field: "name", actual: "another", expected: name }],
    });
    expect(() => audit([channel()], { customRules: [needy] })).toThrow(
      /^customRules\[0\] needs options: set them under rules\.constructor$/,
    );
    const rules: Rules = { customRules: [needy], rules: { constructor: { options: { name: "x" } } } };
    expect(audit([channel()], rules).findings).toMatchObject([{ expected: "x" }]);
  });

  test("is on with its own severity, and can be turned off", () => {
    const database = channel({ name: "database" });
    const severities = (rules: Rules) => audit([database], rules).findings.map(({ severity }) => severity);
    expect(severities({ customRules: [shortNames] })).toEqual(["warning"]);
    const declared = { id: "a", title: "b", path: "name", equals: "c" };
    expect(severities({ customRules: [declared] })).toEqual(["error"]);
    const off: Rules = { extends: "recommended", customRules: [shortNames], rules: { "short-names": "off" } };
    const { rules } = audit([database], off);
    expect(rules.map(({ id }) => id)).not.toContain("short-names");
  });
});
