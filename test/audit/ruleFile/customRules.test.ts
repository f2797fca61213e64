import { z } from "zod";
import { defineRule, readRules, type Rules } from "../../../audit";
import { notReturned } from "../../../audit/rule";
import { alertChannelOutputs } from "../../../provider/expectations";
import { fieldNames } from "../../../provider/api/outputs";
import { seedData } from "../../../sandbox";
import { audit, channel, facts } from "../channels";
import { cases, errorLines } from "../table";

const opsgenie = channel({
  type: "OPSGENIE",
  config: { apiKey: facts("aaaaaaaaaaaa"), region: "EU", priority: "P2", account: "7", name: "{{TEAM}}" },
  subscriptions: [
    { checkId: "a", activated: true },
    { checkId: "b", activated: false },
  ],
});

/** What a custom rule reports. */
function evaluate(expect: object, on = opsgenie): string[] {
  const customRules = [{ id: "mine", title: "Mine", expect: { ...expect } }];
  const { findings, notEvaluable } = audit([on], { customRules });
  return [
    ...findings.map(({ field, actual, expected }) => `${field}: ${actual}, expected ${expected}`),
    ...notEvaluable.map(({ field, reason }) => `${field}: ${reason}`),
  ];
}

const { accounts } = seedData();
const stored = accounts.flatMap(({ alertChannels }) => alertChannels);

test.each(fieldNames(alertChannelOutputs))("a custom rule sees %s of a channel that has it", (field) => {
  const api = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const having = stored.find((each) =>
    [field, api].some((name) => new Map(Object.entries(each)).get(name) != null),
  );
  expect(having).toBeDefined();
  const on = { ...channel(), ...having, config: {} };
  expect(evaluate({ [field]: { not: null } }, on)).toEqual([]);
  expect(evaluate({ [field]: null }, on)).not.toEqual([]);
});

const discarded =
  "was passed as plain text and discarded; pass the channel as the data source getAlertChannel returns it";
const unknown = (what: string) =>
  `is a reference to a secret, so its ${what} is unknown; check the secret in the service`;
const subscriptions =
  'subscriptions: [{"checkId":"a","activated":true},{"checkId":"b","activated":false}], expected';

test.each(
  cases(`
  { config: { region: EU } } →
  { config: { region: US } } → config.region: "EU", expected "US"
  { sslExpiryThreshold: { atLeast: 22 } } → sslExpiryThreshold: 21, expected at least 22
  { id: 1 } →
  { subscriptions: { contains: { checkId: c } } } → ${subscriptions} a list with {checkId: "c"}
  { oneOf: [{ type: SMS }, { config: { region: EU } }] } →
  { not: { type: OPSGENIE } } → channel: another, expected anything but {type: "OPSGENIE"}
  { config: { apiKey: { isReference: true } } } → config.apiKey.isReference: false, expected true
  { config: { apiKey: null } } → config.apiKey: {"fingerprint":"aaaaaaaaaaaa","isReference":false}, expected no value
  { config: { apiKey: { not: null } } } →
  { config: { name: ops } } → config.name: ${unknown("value")}
  { config: { name: { not: ops } } } → config.name: ${unknown("value")}
  { oneOf: [{ config: { name: ops } }] } → config.name: ${unknown("value")}
  { config: { name: "{{TEAM}}" } } →
  { config: { name: { matches: "^\\\\{\\\\{" } } } →
  { config: { name: { not: null } } } →`),
)("%s", (_, expected, messages) => {
  expect(evaluate(expected)).toEqual(messages);
});

describe("what isn't known doesn't pass, and doesn't hide other findings", () => {
  const plain = channel({ type: "OPSGENIE", config: { apiKey: "canary", region: "EU" } });
  test.each(
    cases(`
    { config: { apiKey: { isReference: true } } } → config.apiKey: ${discarded}
    { config: { apiKey: { isReference: { not: false } } } } → config.apiKey: ${discarded}
    { not: { config: { apiKey: { isReference: false } } } } → config.apiKey: ${discarded}
    { config: { oneOf: [{ apiKey: { isReference: true } }] } } → config.apiKey: ${discarded}
    { config: { apiKey: { isReference: true }, region: US } } → config.region: "EU", expected "US" ; config.apiKey: ${discarded}
    { config: { apiKey: { not: null } } } →
    { config: { apiKey: null } } → config.apiKey: {}, expected no value`),
  )("a plain-text credential: %s", (_, expected, messages) => {
    expect(evaluate(expected, plain)).toEqual(messages);
  });

  const hook = channel({ type: "WEBHOOK", config: { url: facts("bbbbbbbbbbbb", { isReference: true }) } });
  test.each(
    cases(`
    { config: { url: { scheme: https } } } → config.url: ${unknown("address")}
    { config: { url: { receiver: { not: chat } } } } → config.url: ${unknown("address")}
    { config: { url: { isReference: true } } } →
    { config: { url: { isReference: true, fingerprint: bbbbbbbbbbbb } } } →`),
  )("the target of a reference: %s", (_, expected, messages) => {
    expect(evaluate(expected, hook)).toEqual(messages);
  });

  test.each(
    cases(`
    { subscriptions: { not: { contains: { activated: false } } } } → subscriptions: wasn't returned
    { sendDegraded: { not: false } } → sendDegraded: wasn't returned
    { sendDegraded: null } →`),
  )("fields that the service didn't return: %s", (_, expected, messages) => {
    const silent = channel({ subscriptions: null, sendDegraded: null });
    expect(evaluate(expected, silent)).toEqual(
      messages.map((one) => one.replace("wasn't returned", notReturned)),
    );
  });
});

describe("mistakes", () => {
  const mistakesIn = (rule: object) =>
    errorLines(() => readRules({ customRules: [{ id: "mine", title: "Mine", ...rule }] })).map((line) =>
      line.replace(/^customRules\[0\][. ]/, ""),
    );

  test.each(
    cases(`
    {} → expect must be an object of expectations by field
    { expect: EMAIL } → expect must be an object of expectations by field
    { expect: {} } → expect must not be empty
    { expect: { type: EMAIL } } →
    { path: type, equals: EMAIL, expect: { type: EMAIL } } → path is not known; allowed: id, title, why, fix, severity, select, expect ; equals is not known; allowed: id, title, why, fix, severity, select, expect
    { expect: { sslExpiryThreshold: "14" } } → expect.sslExpiryThreshold must be a number, null, or conditions: an object with any of atLeast, atMost, oneOf, not
    { expect: { config: { apiKey: { matches: x } } } } → expect.config.apiKey.matches is not known; expected one of fingerprint, scheme, hostClass, isReference, secretPart, receiver, isPlaceholder, isMalformed, oneOf, not`),
  )("%s", (_, rule, expected) => {
    expect(mistakesIn(rule)).toEqual(expected);
  });

  test("a misspelled field", () => {
    expect(mistakesIn({ expect: { sendFailures: true } })).toEqual([
      `expect.sendFailures is not known; expected one of ${[...fieldNames(alertChannelOutputs), "id", "name"].join(", ")} ` +
        '(did you mean "sendFailure"?)',
    ]);
  });

  test("a credential is never quoted", () => {
    const [mistake] = mistakesIn({ expect: { config: { apiKey: "canary" } } });
    expect(mistake).toMatch(/^expect\.config\.apiKey is a credential, which is never stored/);
    expect(mistake).not.toContain("canary");
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
    const declared = { id: "a", title: "b", expect: { name: "c" } };
    expect(severities({ customRules: [declared] })).toEqual(["error"]);
    const off: Rules = { extends: "recommended", customRules: [shortNames], rules: { "short-names": "off" } };
    const { rules } = audit([database], off);
    expect(rules.map(({ id }) => id)).not.toContain("short-names");
  });
});
