/** The channels that a rule or a waiver applies to, and settings of rules for some of the channels. */
import { parseRules, readRules, type Rules, type Selection } from "../../../audit";
import { audit, channel, silence as silent } from "../channels";
import { cases, errorLines } from "../table";

const channels = [
  channel({ id: 1, type: "EMAIL", name: "prod-mail-eu" }),
  channel({ id: 2, type: "SMS", name: "prod-phone" }),
  channel({ id: 3, type: "EMAIL" }),
];

function selected(select: Selection, names: Record<string, string | number> = {}): string[] {
  const customRules = [{ id: "mine", title: "Mine", select, expect: { type: "none" } }];
  return audit(channels, { customRules, channels: names }).findings.flatMap(({ rule, channel }) =>
    rule === "mine" ? [String(channel?.id)] : [],
  );
}

test.each(
  cases(`
  {} → 1 ; 2 ; 3
  { types: [EMAIL] } → 1 ; 3
  { types: [EMAIL, SMS] } → 1 ; 2 ; 3
  { ids: [1, "3", 9] } → 1 ; 3
  { names: [prod-phone] } → 2
  { names: [prod] } →
  { names: [prod-phone, prod-mail-eu] } → 1 ; 2
  { names: ["*"] } → 1 ; 2
  { names: [prod-*] } → 1 ; 2
  { names: ["*-eu"] } → 1
  { names: ["*mail*"] } → 1
  { names: [prod*mail*eu] } → 1
  { names: [prod*eu*mail] } →
  { names: ["*mail*mail*"] } →
  { names: [prod-ph*phone] } →
  { names: [prod-*phone] } → 2
  { names: [dev-*] } →
  { types: [SMS], names: [prod-*] } → 2
  { types: [EMAIL], names: [prod-*], ids: [2, 3] } →`),
)("%s", (_, select, ids) => {
  expect(selected(select)).toEqual(ids);
});

test("many wildcards are tried in linear time", () => {
  expect(selected({ names: [`${"*a".repeat(20)}b`] }, { ["a".repeat(200)]: 1 })).toEqual([]);
});

test.each(
  cases(`
  [on-call] → 3
  [onc*, ph*] → 2 ; 3
  [pager] →`),
)("a channel is known by each of its names in the rules: %s", (_, names, ids) => {
  expect(selected({ names: Object.values(names) }, { "on-call": 3, oncall: "3", phone: 2 })).toEqual(ids);
});

test.each([
  [[1, 3], 1],
  [[1, 2], 0],
])("selects the channels that a rule on all channels gets: %j", (ids, warnings) => {
  const rules = { "on-call-type": { options: { types: ["SMS"] }, select: { ids } } };
  expect(audit(channels, { rules }).counts).toMatchObject({ warnings });
});

const waivers = [
  { rule: "send-failure", channel: "prod-ops", reason: "moving", owner: "Ana", expires: "2999-12-31" },
];
const selecting = {
  rules: { "send-failure": { severity: "error" as const, select: { names: ["prod-*"] } } },
};
const waiving = { rules: { "send-failure": "error" as const }, waivers };

// Its names are those in the rules and in the configuration, or else its own.
describe.each<[string, Record<string, number>, Record<string, number>]>([
  ["one of two in the configuration", { "prod-ops": 1, ops: 1 }, {}],
  ["the other of two in the configuration", { ops: 1, "prod-ops": 1 }, {}],
  ["the one in the configuration, with another in the rules", { "prod-ops": 1 }, { ops: 1 }],
  ["the one in the rules, with another in the configuration", { ops: 1 }, { "prod-ops": 1 }],
])("a channel is known by %s", (_, configured, channels) => {
  const outcome = (rules: object) => {
    const ruleSet = readRules({ ...rules, channels }).withNames(configured);
    const { counts } = audit([channel({ name: "ops", sendFailure: false })], ruleSet);
    return { errors: counts.errors, waived: counts.waived };
  };

  test("in selections", () => {
    expect(outcome(selecting)).toEqual({ errors: 1, waived: 0 });
  });

  test("in waivers", () => {
    expect(outcome(waiving)).toEqual({ errors: 0, waived: 1 });
  });
});

const fleet = [
  channel({ id: 1, name: "prod-mail", sendFailure: false }),
  channel({ id: 2, name: "test-mail", sendFailure: false }),
  channel({ id: 3, name: "test-prod-mail", sendFailure: false }),
];
type Severity = "off" | "warning" | "error";
const override = (severity: Severity, names = "test-*") => ({
  select: { names: [names] },
  rules: { "send-failure": severity },
});
const silence = silent.rules;

test.each<[what: string, rules: Rules, found: string[]]>([
  [
    "changes the severity for its channels only",
    { rules: silence, overrides: [override("warning")] },
    ["1 error", "2 warning", "3 warning"],
  ],
  ["turns a rule off", { rules: silence, overrides: [override("off")] }, ["1 error"]],
  [
    "turns a rule on where it is off",
    { rules: { "send-recovery": "error" }, overrides: [override("error")] },
    ["2 error", "3 error"],
  ],
  [
    "that is the last to match applies",
    { rules: silence, overrides: [override("off"), override("warning", "*-prod-*")] },
    ["1 error", "3 warning"],
  ],
  [
    "leaves other settings as they are",
    {
      rules: { "send-failure": { severity: "error", options: { value: false } } },
      overrides: [override("warning")],
    },
    [],
  ],
])("an override %s", (_, rules, found) => {
  const { findings } = audit(fleet, rules);
  expect(findings.map(({ channel, severity }) => `${channel?.id} ${severity}`)).toEqual(found);
});

test("a rule on all channels together runs for those that an override leaves", () => {
  const rules = { "on-call-type": "error" as const };
  const pager = channel({ id: 4, type: "CALL", name: "test-call", config: { number: "+12025550143" } });
  const overrides = [{ select: { names: ["test-*"] }, rules: { "on-call-type": "off" as const } }];
  const { findings } = audit([...fleet, pager], { rules, overrides });
  expect(findings).toMatchObject([
    { rule: "on-call-type", actual: expect.stringContaining("none that wakes someone") as unknown },
  ]);
});

test("a report has each rule once, and a finding has the line of its override", () => {
  const rules = parseRules(
    "rules: { send-failure: warning }\noverrides:\n  - select: { names: [test-*] }\n    rules: { send-failure: error }\n",
    "audit.yaml",
  );
  const report = audit(fleet, rules);
  expect(report.rules.filter(({ id }) => id === "send-failure")).toMatchObject([{ severity: "error" }]);
  expect(report.findings.map(({ location }) => location?.line)).toEqual([4, 4, 1]);
});

test("mistakes are named with their place, also unknown rules", () => {
  const text =
    "extends: strict\noverrides:\n  - select: {}\n    rules: { waiver-unused: off, sms-only: off }\n";
  expect(errorLines(() => parseRules(text, "audit.yaml"))).toEqual([
    expect.stringContaining("audit.yaml:4:14: overrides[0].rules.waiver-unused is not known"),
    expect.stringContaining("overrides[0].rules.sms-only is not known"),
  ]);
});
