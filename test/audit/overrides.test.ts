/** Settings of rules for some of the channels. */
import { formats, parseRules, type Rules } from "../../audit";
import { alertChannelPolicies } from "../../policy";
import { audit, channel } from "./channels";
import { errorLines } from "./table";

const fleet = [
  channel({ id: 1, name: "prod-mail", sendFailure: false }),
  channel({ id: 2, name: "test-mail", sendFailure: false }),
  channel({ id: 3, name: "test-prod-mail", sendFailure: false }),
];
const found = (rules: Rules) =>
  audit(fleet, rules).findings.map(({ channel, severity }) => [channel?.id, severity]);
const silence = { "send-failure": "error" } as const;
const test_ = { names: ["test-*"] };

test("an override changes the severity for its channels only", () => {
  expect(
    found({ rules: silence, overrides: [{ select: test_, rules: { "send-failure": "warning" } }] }),
  ).toEqual([
    [1, "error"],
    [2, "warning"],
    [3, "warning"],
  ]);
});

test("an override turns a rule off, or on where it is off", () => {
  expect(found({ rules: silence, overrides: [{ select: test_, rules: { "send-failure": "off" } }] })).toEqual(
    [[1, "error"]],
  );
  const on = {
    customRules: [],
    rules: { "send-recovery": "error" as const },
    overrides: [{ select: test_, rules: silence }],
  };
  expect(found(on).map(([id]) => id)).toEqual([2, 3]);
});

test("the last override that matches applies", () => {
  const overrides = [
    { select: test_, rules: { "send-failure": "off" as const } },
    { select: { names: ["*-prod-*"] }, rules: { "send-failure": "warning" as const } },
  ];
  expect(found({ rules: silence, overrides })).toEqual([
    [1, "error"],
    [3, "warning"],
  ]);
});

test("what an override leaves out is as for the other channels", () => {
  const rules = { "send-failure": { severity: "error" as const, options: { value: false } } };
  const overrides = [{ select: test_, rules: { "send-failure": "warning" as const } }];
  expect(found({ rules, overrides })).toEqual([]);
});

test("a rule on all channels together runs for those that an override leaves", () => {
  const rules = { "on-call-type": "error" as const };
  const pager = channel({ id: 4, type: "CALL", name: "test-call", config: { number: "+12025550143" } });
  const overrides = [{ select: test_, rules: { "on-call-type": "off" as const } }];
  const { findings } = audit([...fleet, pager], { rules, overrides });
  expect(findings).toMatchObject([
    { rule: "on-call-type", actual: expect.stringContaining("nobody is woken") as unknown },
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
  expect(formats.text(report)).toContain("(audit.yaml:4, audit.yaml:1)");
});

test("a policy pack has a policy for each severity", () => {
  const overrides = [{ select: test_, rules: { "send-failure": "warning" as const } }];
  const policies = alertChannelPolicies({ rules: silence, overrides });
  expect(policies.map(({ name, enforcementLevel }) => [name, enforcementLevel])).toEqual(
    expect.arrayContaining([
      ["send-failure-mandatory", "mandatory"],
      ["send-failure-advisory", "advisory"],
    ]),
  );
});

test("mistakes are named with their place, also unknown rules", () => {
  const text =
    "extends: strict\noverrides:\n  - select: {}\n    rules: { waiver-unused: off, sms-only: off }\n";
  expect(errorLines(() => parseRules(text, "audit.yaml"))).toEqual([
    expect.stringContaining("audit.yaml:4:14: overrides[0].rules.waiver-unused is not known"),
    expect.stringContaining("overrides[0].rules.sms-only is not known"),
  ]);
});
