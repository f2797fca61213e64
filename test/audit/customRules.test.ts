import { z } from "zod";
import { auditAlertChannels, type CustomRule, defineRule, type Rules } from "../../audit";
import { channel, facts, now } from "./channels";

const opsgenie = channel({
  type: "OPSGENIE",
  config: { apiKey: facts("aaaaaaaaaaaa"), region: "EU", priority: "P2", account: "7" },
  subscriptions: [
    { checkId: "a", activated: true },
    { checkId: "b", activated: false },
  ],
});

function judge(rule: Partial<CustomRule>, on = opsgenie): string[] {
  const customRules = [{ id: "mine", title: "Mine", ...rule }];
  const { findings, notEvaluable } = auditAlertChannels([on], { customRules }, { now });
  return [
    ...findings.map(({ field, actual, expected }) => `${field}: ${actual}, expected ${expected}`),
    ...notEvaluable.map(({ field, reason }) => `${field}: ${reason}`),
  ];
}

describe("a comparison", () => {
  test.each<[Partial<CustomRule>, string[]]>([
    [{ path: "config.region", equals: "EU" }, []],
    [{ path: "config.region", equals: "US" }, ["config.region: EU, expected US"]],
    [{ path: "config.region", notEquals: "EU" }, ["config.region: EU, expected anything but EU"]],
    [{ path: "config.nothing", notEquals: "EU" }, []],
    [{ path: "config.nothing", equals: "EU" }, ["config.nothing: not given, expected EU"]],
    [{ path: "sslExpiryThreshold", atLeast: 21, atMost: 21 }, []],
    [{ path: "sslExpiryThreshold", atLeast: 22 }, ["sslExpiryThreshold: 21, expected 22 or more"]],
    [{ path: "sslExpiryThreshold", atMost: 20 }, ["sslExpiryThreshold: 21, expected 20 or less"]],
    [{ path: "type", atLeast: 1 }, ["type: OPSGENIE, expected 1 or more"]],
    [{ path: "subscriptions.length", atLeast: 2 }, []],
    [{ path: "config.account", atLeast: 1 }, ["config.account: 7, expected 1 or more"]],
    [{ path: "config.account", atMost: 9 }, ["config.account: 7, expected 9 or less"]],
    [
      { path: "sslExpiryThreshold", matches: "21" },
      ["sslExpiryThreshold: 21, expected a text that matches 21"],
    ],
    [
      { path: "subscriptions.1.activated", equals: true },
      ["subscriptions.1.activated: false, expected true"],
    ],
    [{ path: "config.priority", oneOf: ["P1", "P2"] }, []],
    [{ path: "config.priority", oneOf: ["P1"] }, ["config.priority: P2, expected one of P1"]],
    [{ path: "config.priority", matches: "^P[12]$" }, []],
    [
      { path: "config.priority", matches: "^P[3-5]$" },
      ["config.priority: P2, expected a text that matches ^P[3-5]$"],
    ],
    [{ path: "config.priority", exists: true }, []],
    [{ path: "config.priority", exists: false }, ["config.priority: P2, expected no value"]],
    [{ path: "config.nothing", exists: false }, []],
    [{ path: "config.nothing", exists: true }, ["config.nothing: not given, expected a value"]],
    [
      { path: "config.apiKey.isReference", equals: true },
      ["config.apiKey.isReference: false, expected true"],
    ],
    [
      { path: "config.constructor.name", exists: true },
      ["config.constructor.name: not given, expected a value"],
    ],
    [
      { path: "config.region", equals: "US", matches: "^U" },
      ["config.region: EU, expected US, and a text that matches ^U"],
    ],
  ])("%j", (rule, expected) => {
    expect(judge(rule)).toEqual(expected);
  });

  test("shows of a long value its beginning", () => {
    const [long, whole] = ["x".repeat(101), "x".repeat(100)];
    const shown = [long, whole].map((account) =>
      judge({ path: "config.account", equals: "y" }, channel({ config: { account } })),
    );
    expect(shown).toEqual([
      [`config.account: ${whole}…, expected y`],
      [`config.account: ${whole}, expected y`],
    ]);
  });

  test("is only for the selected channels", () => {
    expect(
      judge({ path: "config.region", equals: "EU", select: { types: ["OPSGENIE"] } }, channel()),
    ).toEqual([]);
  });

  test.each<[Partial<CustomRule>, string[]]>([
    [
      { notEquals: "canary" },
      ["config.apiKey: is a credential: compare what is known of it, such as its isReference"],
    ],
    [
      { exists: true, matches: "^x" },
      ["config.apiKey: is a credential: compare what is known of it, such as its isReference"],
    ],
    [{ exists: true }, []],
    [
      { exists: false },
      ['config.apiKey: {"fingerprint":"aaaaaaaaaaaa","isReference":false}, expected no value'],
    ],
  ])("can't judge a credential itself, only whether there is one: %j", (comparison, expected) => {
    expect(judge({ path: "config.apiKey", ...comparison })).toEqual(expected);
  });

  test("doesn't hold for what nobody knows of a credential", () => {
    const clear = channel({ type: "OPSGENIE", config: { apiKey: "canary" } });
    expect(judge({ path: "config.apiKey.isReference", notEquals: false }, clear)).toEqual([
      "config.apiKey.isReference: was given in clear text, so it was dropped",
    ]);
  });

  test("can't judge what was given in clear text", () => {
    const clear = channel({ type: "OPSGENIE", config: { apiKey: "canary" } });
    const dropped = "was given in clear text, so it was dropped";
    expect(judge({ path: "config.apiKey.isReference", equals: true }, clear)).toEqual([
      `config.apiKey.isReference: ${dropped}`,
    ]);
    const schema = { properties: { config: { properties: { apiKey: { required: ["isReference"] } } } } };
    expect(judge({ schema }, clear)).toEqual([`config.apiKey.isReference: ${dropped}`]);
  });
});

describe("a JSON-Schema fragment", () => {
  const config = (inner: CustomRule["schema"]) => ({ schema: { properties: { config: inner ?? {} } } });

  test.each<[string, Partial<CustomRule>, string[]]>([
    ["properties", config({ properties: { region: { const: "EU" } } }), []],
    ["const", config({ properties: { region: { const: "US" } } }), ["config.region: EU, expected US"]],
    [
      "enum",
      config({ properties: { region: { enum: ["US", "AP"] } } }),
      ["config.region: EU, expected US, AP"],
    ],
    ["required", config({ required: ["region", "team"] }), ["config.team: not given, expected a value"]],
    [
      "type",
      config({ properties: { region: { type: ["number", "null"] } } }),
      ["config.region: EU, expected number or null"],
    ],
    [
      "pattern",
      config({ properties: { region: { pattern: "^U" } } }),
      ["config.region: EU, expected a text that matches ^U"],
    ],
    [
      "minLength",
      config({ properties: { region: { minLength: 3 } } }),
      ["config.region: EU, expected 3 characters or more"],
    ],
    [
      "maxLength",
      config({ properties: { region: { maxLength: 1 } } }),
      ["config.region: EU, expected 1 characters or fewer"],
    ],
    [
      "minimum",
      { schema: { properties: { sslExpiryThreshold: { minimum: 22 } } } },
      ["sslExpiryThreshold: 21, expected 22 or more"],
    ],
    ["maximum, met", { schema: { properties: { sslExpiryThreshold: { maximum: 21 } } } }, []],
    [
      "a keyword for another kind of value",
      { schema: { properties: { type: { minimum: 5, minItems: 2 } } } },
      [],
    ],
    [
      "items",
      {
        schema: { properties: { subscriptions: { items: { properties: { activated: { const: true } } } } } },
      },
      ["subscriptions[1].activated: false, expected true"],
    ],
    [
      "contains",
      { schema: { properties: { subscriptions: { contains: { required: ["groupId"] } } } } },
      [expect.stringMatching(/^subscriptions: .*, expected a fitting item$/)],
    ],
    [
      "maxItems",
      { schema: { properties: { subscriptions: { maxItems: 1 } } } },
      [expect.stringMatching(/, expected 1 items or fewer$/)],
    ],
    [
      "allOf",
      { schema: { allOf: [{ required: ["type"] }, { properties: { type: { const: "SMS" } } }] } },
      ["type: OPSGENIE, expected SMS"],
    ],
    [
      "anyOf, met",
      { schema: { properties: { type: { anyOf: [{ const: "SMS" }, { const: "OPSGENIE" }] } } } },
      [],
    ],
    [
      "anyOf",
      { schema: { properties: { type: { anyOf: [{ const: "SMS" }] } } } },
      ["type: OPSGENIE, expected one of the alternatives in anyOf"],
    ],
    [
      "not",
      { schema: { properties: { type: { not: { const: "OPSGENIE" } } } } },
      ["type: OPSGENIE, expected anything but this"],
    ],
    [
      "if, then",
      { schema: { if: { properties: { type: { const: "OPSGENIE" } } }, then: { required: ["name"] } } },
      ["name: not given, expected a value"],
    ],
    [
      "if, else",
      { schema: { if: { properties: { type: { const: "SMS" } } }, then: { required: ["name"] }, else: {} } },
      [],
    ],
  ])("%s", (_, rule, expected) => {
    expect(judge(rule)).toEqual(expected);
  });
});

describe("a rule of one's own", () => {
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

  test("made by defineRule works like one of the package, with options and waivers", () => {
    const rules: Rules = {
      customRules: [shortNames],
      rules: { "short-names": { severity: "error", options: { most: 3 } } },
      channels: { ops: 1, database: 2 },
    };
    const { findings } = auditAlertChannels([channel(), channel({ id: 2 })], rules, { now });
    expect(findings).toMatchObject([
      { rule: "short-names", severity: "error", channel: { id: 2 }, actual: "8 letters" },
    ]);
    const wrong: Rules = { ...rules, rules: { "short-names": { options: { most: "x" } } } };
    expect(() => auditAlertChannels([], wrong)).toThrow(/^rules\.short-names\.options\.most /);
  });

  test("that needs options is a mistake until it has them", () => {
    const needy = defineRule({
      id: "constructor",
      title: "Named so",
      why: "No.",
      fix: "No.",
      options: z.strictObject({ name: z.string() }),
      check:
        ({ name }) =>
        (channel) =>
          channel.name === name ? [] : [{ field: "name", actual: "another", expected: name }],
    });
    expect(() => auditAlertChannels([channel()], { customRules: [needy] })).toThrow(
      /^customRules\[0\] needs options: set them under rules\.constructor$/,
    );
    const rules: Rules = { customRules: [needy], rules: { constructor: { options: { name: "x" } } } };
    expect(auditAlertChannels([channel()], rules, { now }).findings).toMatchObject([{ expected: "x" }]);
  });

  test("is on with its own severity, and can be turned off", () => {
    const database = channel({ name: "database" });
    const severities = (rules: Rules) =>
      auditAlertChannels([database], rules, { now }).findings.map(({ severity }) => severity);
    expect(severities({ customRules: [shortNames] })).toEqual(["warning"]);
    expect(severities({ customRules: [{ id: "a", title: "b", path: "name", equals: "c" }] })).toEqual([
      "error",
    ]);
    const off: Rules = { extends: "recommended", customRules: [shortNames], rules: { "short-names": "off" } };
    const { rules } = auditAlertChannels([database], off, { now });
    expect(rules.map(({ id }) => id)).not.toContain("short-names");
  });
});
