/** Tests the exceptions of a rule file: accepted findings, excluded channels, different settings, and exceptions that apply to nothing. */
import { type Exception, parseRules, type Rules } from "../../audit/public";
import { audit, channel, silence, silent } from "./channels";

const accepting = (changes: Partial<Exception> = {}): Exception => ({
  ...{ channel: 1, rules: { "send-failure": "off" }, reason: "moving to the ticket system" },
  until: "2026-12-31",
  ...changes,
});
const createRules = (changes?: Partial<Exception>): Rules => {
  return { ...silence, channels: { ops: 1 }, exceptions: [accepting(changes)] };
};
/** Returns the IDs of the rules with findings, and of the rules with waived findings. */
const outcome = (rules: Rules, channels: Parameters<typeof audit>[0] = [silent(1)], options = {}) => {
  const { findings, waived } = audit(channels, rules, options);
  return { findings: findings.map(({ rule }) => rule), waived: waived.map(({ rule }) => rule) };
};
const isWaived = { findings: [], waived: ["send-failure"] };
const isUnused = { findings: ["exception-unused"], waived: [] };
const nothing = { findings: [], waived: [] };

test.each<[what: string, changes: Partial<Exception>]>([
  ["a channel", {}],
  ["a selection", { channel: undefined, select: { types: ["EMAIL"] } }],
  ["every channel", { channel: undefined }],
  ["a severity with options", { rules: { "send-failure": { severity: "off" } } }],
])("an exception for %s accepts the findings of a rule", (_, changes) => {
  expect(outcome(createRules(changes))).toEqual(isWaived);
});

test("an exception is valid on its last day, and its finding is reported once from the next day, with the date", () => {
  const rules = createRules({ until: "2026-11-20" });
  expect(outcome(rules, [silent(1)], { now: new Date("2026-11-20T23:59:59.999Z") })).toEqual(isWaived);
  const { findings } = audit([silent(1)], rules, { now: new Date("2026-11-21T00:00:00Z") });
  expect(findings).toMatchObject([
    {
      ...{ rule: "send-failure", severity: "error" },
      fix: expect.stringMatching(/settings\. The exception expired on 2026-11-20\.$/),
    },
  ]);
  expect(findings).toHaveLength(1);
  expect(outcome(createRules({ until: undefined }))).toEqual(isWaived);
});

test("an expired exception without a finding is a finding, unless a newer exception accepts its finding", () => {
  const until = "2026-11-20";
  const now = new Date("2026-11-21T00:00:00Z");
  expect(audit([channel()], createRules({ until }), { now }).findings).toMatchObject([
    {
      ...{ rule: "exception-expired", severity: "error", channel: { id: 1, name: "ops" } },
      field: "exceptions[0].until",
      actual: "2026-11-20",
      expected: "2026-11-21 or later",
      fingerprint: "exception-expired/1/exceptions[0].until",
    },
  ]);
  const both = { ...createRules(), exceptions: [accepting({ until }), accepting()] };
  expect(outcome(both, [silent(1)], { now })).toEqual(isWaived);
});

test("an expired exception no longer changes settings or excludes channels", () => {
  const until = "2026-01-31";
  const warned = createRules({ until, rules: { "send-failure": "warning" } });
  expect(audit([silent(1)], warned).findings.map(({ severity }) => severity)).toEqual(["error", "error"]);
  const excluded = audit([silent(1)], createRules({ until, rules: "off" }));
  expect([excluded.counts.excluded, excluded.findings.map(({ rule }) => rule)]).toEqual([
    0,
    ["send-failure"],
  ]);
});

test("an exception for a name applies to its channel, in any Unicode form, or its error suggests a name", () => {
  const all = ["caf\u00e9", "bar"].map((name, index) => ({ ...silent(index + 1), name }));
  const of = (name: string) => ({ ...silence, exceptions: [accepting({ channel: name })] });
  const waived = (name: string) => audit(all, of(name)).waived.map((finding) => finding.channel?.id);
  expect([waived("cafe\u0301"), waived("bar"), waived("pub"), waived("b*")]).toEqual([[1], [2], [], []]);
  const [unused] = audit([channel()], { ...of("on-cal"), channels: { "on-call": 1 } }).findings;
  expect(unused?.actual).toBe('0 channels for on-cal (did you mean "on-call"?)');
});

test.each([4107, "4107"])("an exception for the ID %p doesn't apply to a channel with that name", (id) => {
  const named = { ...silent(1), name: "4107" };
  expect(audit([named], { ...silence, exceptions: [accepting({ channel: id })] }).waived).toEqual([]);
});

test("an expired or unused exception isn't reported if the rule on exceptions is off", () => {
  for (const [year, rule] of Object.entries({ 2020: "exception-expired", 2026: "exception-unused" })) {
    const until = `${year}-12-31`;
    const { rules, ...others } = createRules({ until });
    const without = { ...others, rules: { ...rules, [rule]: "off" } } as const;
    expect(outcome(without, [channel()])).toEqual(nothing);
    expect(
      audit([silent(1)], without)
        .findings.map(({ fix }) => fix)
        .join(),
    ).not.toContain("expired");
  }
});

test("a report lists passed rules, waived findings with their last day, and the reason for each custom rule", () => {
  const custom = { id: "mine", title: "Mine", why: "So.", expect: { sendDegraded: false } };
  const call = channel({ id: 3, type: "CALL", config: { number: "+12025550143" } });
  const severities = { "send-failure": "error", "on-call-type": "warning", subscribed: "error" } as const;
  const exceptions = [accepting({ channel: 2 }), accepting({ channel: 1, until: undefined })];
  const rules: Rules = { rules: severities, customRules: [custom], exceptions };
  const report = audit([{ ...silent(2), subscriptions: null }, silent(1), call], rules);
  const reason = "moving to the ticket system";
  expect(report).toMatchObject({
    tool: { name: "pulumi-monitoring-service", version: expect.stringMatching(/^\d/) as string },
    channels: [{ passed: ["subscribed"] }, { passed: [] }, { passed: ["send-failure", "subscribed"] }],
    fleet: { passed: ["on-call-type"] },
    findings: [1, 2, 3].map((id) => ({ rule: "mine", channel: { id }, why: "So." })),
  });
  expect(report.waived.map(({ channel, waiver }) => [channel?.id, waiver])).toEqual([
    [1, { reason }],
    [2, { reason, until: "2026-12-31" }],
  ]);
  expect(audit([silent(1)], silence).findings[0]).not.toHaveProperty("why");
  expect(audit([channel()], { rules: { "on-call-type": "error" } }).fleet.passed).toEqual([]);
});

test("findings on all channels together come after findings on the exceptions of one channel", () => {
  const rules = { rules: { "on-call-type": "warning" }, exceptions: [accepting()] } as const;
  expect(outcome(rules, [channel()]).findings).toEqual(["exception-unused", "on-call-type"]);
});

test("an exception reports each rule without a finding, at its position in the file", () => {
  const exception = "{ channel: 1, rules: { stale: off, send-failure: off }, reason: x, until: 2026-11-20 }";
  const rules = parseRules(`rules: { send-failure: error }\nexceptions:\n  - ${exception}\n`, "audit.yaml");
  const problem = {
    field: "exceptions[0].rules.stale",
    actual: "no finding",
    expected: "a finding of stale",
  };
  const location = { file: "audit.yaml", line: 3, column: 5 };
  const { findings } = audit([silent(1)], rules);
  expect(findings).toMatchObject([{ rule: "exception-unused", severity: "warning", ...problem, location }]);
});

test.each<[target: Partial<Exception>, object, object]>([
  [{ channel: 1 }, { partial: true }, isUnused],
  [{ channel: 3 }, {}, nothing],
  [{ channel: 9 }, {}, nothing],
  [{ channel: undefined }, {}, nothing],
  [{ channel: undefined, select: { ids: [1] } }, { partial: true }, nothing],
  [{ channel: 1, until: undefined }, { partial: true }, nothing],
])(
  "an exception without a finding is unused if the audit could have found it: %j, %j",
  (target, options, expected) => {
    const channels = [channel(), channel({ id: 2 }), { id: 3, reason: "deleted" }];
    expect(outcome(createRules(target), channels, options)).toEqual(expected);
  },
);

test("an exception accepts values that can't be evaluated, and is needed for them", () => {
  const rules = { ...createRules(), rules: { "send-failure": "error" } } as const;
  const open = audit([channel({ sendFailure: null })], rules);
  expect([open.notEvaluable, open.findings]).toEqual([[], []]);
});

test.each<[Partial<Exception>, object]>([
  [{ channel: undefined }, { findings: [], waived: ["on-call-type"] }],
  [{ channel: 1 }, { findings: ["on-call-type"], waived: [] }],
  [{ channel: 9 }, { findings: ["on-call-type", "exception-unused"], waived: [] }],
])("findings on all channels together are accepted only without a channel: %j", (target, expected) => {
  const exceptions = [accepting({ ...target, rules: { "on-call-type": "off" } })];
  const channels = [channel(), channel({ id: 2 })];
  expect(outcome({ rules: { "on-call-type": "error" }, exceptions }, channels)).toEqual(expected);
});

const fleet = ["prod-mail", "test-mail", "test-prod-mail"].map((name, index) => ({
  ...silent(index + 1),
  name,
}));

test("the last exception that sets a rule for a channel takes effect", () => {
  const exceptions: Exception[] = [
    { select: { names: ["test-*"] }, rules: { "send-failure": "off" }, reason: "Tests" },
    { channel: "test-prod-mail", rules: { "send-failure": "warning" }, reason: "Almost production" },
  ];
  const { findings, waived } = audit(fleet, { ...silence, exceptions });
  expect(findings.map(({ severity, channel }) => [channel?.id, severity])).toEqual([
    [1, "error"],
    [3, "warning"],
  ]);
  expect(waived.map(({ channel }) => channel?.id)).toEqual([2]);
});

test.each<[target: Partial<Exception>, actual: string]>([
  [{ select: { names: ["tset-*", "test-*"] } }, "0 channels for tset-*"],
  [{ select: { ids: [7, 8, 1] } }, "0 channels for 7, 8"],
  [{ select: { types: ["SMS"] } }, "0 channels"],
  [{ channel: 9 }, "0 channels for 9"],
  [{ channel: "old" }, "0 channels for old"],
])("an exception for %j, which don't exist, causes a warning whatever its rules are", (target, actual) => {
  for (const rules of ["off", { "send-failure": "off" }, { "send-failure": "warning" }] as const) {
    const exceptions = [{ ...target, rules, reason: "Gone" }];
    const { findings } = audit(fleet, { ...silence, channels: { old: 9 }, exceptions });
    expect(findings.filter(({ rule }) => rule === "exception-unused")).toMatchObject([
      { field: "exceptions[0]", severity: "warning", actual, expected: "one or more" },
    ]);
  }
});

test("a rule on all channels together ignores the channels of an exception that turns it off", () => {
  const rules = { "on-call-type": "error" } as const;
  const pager = channel({ id: 4, type: "CALL", name: "test-call", config: { number: "+12025550143" } });
  const exceptions: Exception[] = [
    { select: { names: ["test-*"] }, rules: { "on-call-type": "off" }, reason: "Tests" },
  ];
  const { findings } = audit([...fleet, pager], { rules, exceptions });
  expect(findings).toMatchObject([{ rule: "on-call-type" }]);
});

test("a report contains each rule once, and a finding refers to the line of its exception", () => {
  const rules = parseRules(
    "rules: { send-failure: warning }\nexceptions:\n  - select: { names: [test-*] }\n    rules: { send-failure: error }\n    reason: x\n",
    "audit.yaml",
  );
  const report = audit(fleet, rules);
  expect(report.rules.filter(({ id }) => id === "send-failure")).toMatchObject([{ severity: "error" }]);
  expect(report.findings.map(({ location }) => location?.line)).toEqual([4, 4, 1]);
});

test.each<[object, string | undefined]>([
  [{ select: { types: ["SMS"] } }, "0 channels"],
  [{ select: { ids: [7, 8, 1] } }, "0 channels for 7, 8"],
  [{ select: { ids: [1] } }, undefined],
])(
  "a custom rule for %j without a matching channel causes a warning, unless that rule is off",
  (selection, actual) => {
    const customRules = [{ id: "mine", title: "Mine", expect: { sendFailure: true }, ...selection }];
    const field = "customRules[0].select";
    const expected = { severity: "warning", field, actual, expected: "one or more" };
    const fingerprint = `select-unused/all/${field}`;
    const found = (rules = {}, options = {}) =>
      audit([channel()], { channels: { "on-call": 1 }, customRules, rules }, options).findings;
    expect(found()).toMatchObject(actual === undefined ? [] : [{ ...expected, fingerprint }]);
    expect(found({ "select-unused": "off" })).toEqual([]);
    expect(found({}, { partial: true })).toEqual([]);
  },
);
