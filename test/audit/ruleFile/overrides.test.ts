/** Settings of rules for some of the channels. */
import { parseRules, type Rules } from "../../../audit";
import { alertChannelPolicies } from "../../../policy";
import { audit, channel } from "../channels";
import { errorLines } from "../table";

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
const silence = { "send-failure": "error" } as const;

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

test("a policy pack has a policy for each severity", () => {
  const policies = alertChannelPolicies({ rules: silence, overrides: [override("warning")] });
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
