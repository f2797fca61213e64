/** Tests the custom rules and the selections of a rule file. */
import { auditCheckedChannels, checkReadChannel, readRules } from "../../../audit";
import { type Selection } from "../../../audit/public";
import { notReturned } from "../../../audit/rule";
import { listFieldNames } from "../../../provider/api/outputs";
import { alertChannelOutputs } from "../../../provider/expectations";
import { seedData } from "../../../sandbox";
import { audit, channel, facts } from "../channels";
import { cases, errorLines } from "../table";

const opsgenie = channel({
  type: "OPSGENIE",
  config: { apiKey: facts("aaaaaaaaaaaa"), region: "EU", priority: "P2", account: "7", name: "{{TEAM}}" },
});

/** Returns the results of a custom rule. */
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

test.each(listFieldNames(alertChannelOutputs))(
  "a custom rule can check %s of a channel that has it",
  (field) => {
    const api = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const having = stored.find((each) =>
      [field, api].some((name) => new Map(Object.entries(each)).get(name) != null),
    );
    expect(having).toBeDefined();
    const on = { ...channel(), ...having, config: {} };
    expect(evaluate({ [field]: { not: null } }, on)).toEqual([]);
    expect(evaluate({ [field]: null }, on)).not.toEqual([]);
  },
);

const discarded =
  "was passed as plain text and discarded. Pass the channel in the form that the data source getAlertChannel returns";
const unknown = (what: string) =>
  `is a reference to a secret, so its ${what} is unknown. Check the secret in the service`;

test.each(
  cases(`
  { config: { region: US } } → config.region: "EU", expected "US"
  { not: { type: OPSGENIE } } → channel: different, expected anything except {type: "OPSGENIE"}
  { config: { apiKey: null } } → config.apiKey: {"fingerprint":"aaaaaaaaaaaa","isReference":false}, expected no value
  { config: { apiKey: { not: null } } } →
  { config: { name: { not: ops } } } → config.name: ${unknown("value")}
  { config: { name: "{{TEAM}}" } } →
  { config: { name: { matches: "^\\\\{\\\\{" } } } →`),
)("a custom rule that expects %s reports each different value", (_, expected, messages) => {
  expect(evaluate(expected)).toEqual(messages);
});

const unknowns: Readonly<Record<string, Parameters<typeof channel>[0]>> = {
  "plain text": { type: "OPSGENIE", config: { apiKey: "canary", region: "EU" } },
  "a reference": { type: "WEBHOOK", config: { url: facts("bbbbbbbbbbbb", { isReference: true }) } },
  "what isn't returned": { subscriptions: null, sendDegraded: null },
};

test.each(
  cases<{ of: string; expect: object }>(`
  { of: plain text, expect: { config: { apiKey: { isReference: true } } } } → config.apiKey: ${discarded}
  { of: plain text, expect: { not: { config: { apiKey: { isReference: false } } } } } → config.apiKey: ${discarded}
  { of: plain text, expect: { config: { oneOf: [{ apiKey: { isReference: true } }] } } } → config.apiKey: ${discarded}
  { of: plain text, expect: { config: { apiKey: { isReference: true }, region: US } } } → config.region: "EU", expected "US" ; config.apiKey: ${discarded}
  { of: plain text, expect: { config: { apiKey: { not: null } } } } →
  { of: a reference, expect: { config: { url: { scheme: https } } } } → config.url: ${unknown("address")}
  { of: a reference, expect: { config: { url: { receiver: { not: ticket } } } } } → config.url: ${unknown("address")}
  { of: a reference, expect: { config: { url: { isReference: true, fingerprint: bbbbbbbbbbbb } } } } →
  { of: what isn't returned, expect: { subscriptions: { not: { contains: { activated: false } } } } } → subscriptions: NOT
  { of: what isn't returned, expect: { sendDegraded: { not: false } } } → sendDegraded: NOT`),
)(
  "an unknown value doesn't pass, and doesn't hide other findings: %s",
  (_, { of, expect: expected }, messages) => {
    const found = evaluate(expected, channel(unknowns[of])).map((one) => one.replace(notReturned, "NOT"));
    expect(found).toEqual(messages);
  },
);

test("errors in custom rules include the allowed values, and never quote a credential", () => {
  const listErrors = (rule: object) =>
    errorLines(() => readRules({ customRules: [{ id: "mine", title: "Mine", ...rule }] }));
  expect(listErrors({ expect: { type: "EMAIL" }, equals: "EMAIL" })).toEqual([
    expect.stringMatching(/^customRules\[0\]\.equals is not known; allowed: id, title, /),
  ]);
  expect(listErrors({ expect: { sendFailures: true } })).toEqual([
    expect.stringContaining(', id, name (did you mean "sendFailure"?)'),
  ]);
  expect(listErrors({ expect: { config: { metod: "POST" } } })).toEqual([
    expect.stringMatching(/expect\.config\.metod is not known; .* \(did you mean "method"\?\)$/),
  ]);
  const [mistake] = listErrors({ expect: { config: { apiKey: "canary" } } });
  expect(mistake).toMatch(/expect\.config\.apiKey is a credential, whose value is never stored/);
  expect(mistake).not.toContain("canary");
});

const threeChannels = [
  channel({ id: 1, type: "EMAIL", name: "prod-mail-eu" }),
  channel({ id: 2, type: "SMS", name: "prod-phone" }),
  channel({ id: 3, type: "EMAIL" }),
];

function selected(select: Selection, names: Record<string, string | number> = {}): string[] {
  const customRules = [{ id: "mine", title: "Mine", select, expect: { type: "none" } }];
  return audit(threeChannels, { customRules, channels: names }).findings.flatMap(({ rule, channel }) =>
    rule === "mine" ? [String(channel?.id)] : [],
  );
}

test.each(
  cases(`
  {} → 1 ; 2 ; 3
  { types: [EMAIL] } → 1 ; 3
  { ids: [1, "3", 9] } → 1 ; 3
  { names: [prod-phone, none] } → 2
  { names: [prod-*] } → 1 ; 2
  { names: [prod*mail*eu] } → 1
  { names: ["*mail*mail*"] } →
  { names: [prod-ph*phone] } →
  { types: [SMS], names: [prod-*] } → 2
  { types: [EMAIL], names: [prod-*], ids: [2, 3] } →`),
)("the selection %s selects the channels that it describes", (_, select, ids) => {
  expect(selected(select)).toEqual(ids);
});

test("many wildcards are matched in linear time", () => {
  expect(selected({ names: [`${"*a".repeat(20)}b`] }, { ["a".repeat(200)]: 1 })).toEqual([]);
});

test.each<[name: string, title: string, channels: Record<string, number>, count: number]>([
  ["test-*", "test-mail", {}, 1],
  ["caf\u00e9 (1)-*", "cafe\u0301 (1)-mail", {}, 1],
])(
  "the name %s selects the channels that a report calls %s, with the names %j: %i",
  (name, title, channels, count) => {
    const exceptions = [{ select: { names: [name] }, rules: "off", reason: "A test" }];
    const ruleSet = readRules({ rules: { "send-failure": "error" }, channels, exceptions });
    const read = { id: 1, type: "SMS", config: { name: title } };
    const judged = checkReadChannel(read, ruleSet.nameOf(1), undefined);
    expect(auditCheckedChannels([judged], ruleSet).counts.excluded).toBe(count);
  },
);
