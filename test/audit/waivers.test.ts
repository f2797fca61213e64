import { parseRules, type Rules, type Waiver } from "../../audit/public";
import { audit, channel, silence, silent } from "./channels";

const waiver = (changes: Partial<Waiver> = {}): Waiver => ({
  ...{ rule: "send-failure", channel: 1, reason: "moving to the ticket system", owner: "Ana" },
  expires: "2026-12-31",
  ...changes,
});
const createRules = (changes?: Partial<Waiver>): Rules => {
  return { ...silence, channels: { ops: 1 }, waivers: [waiver(changes)] };
};
/** Rules with findings, and those with waived ones. */
const outcome = (rules: Rules, channels: Parameters<typeof audit>[0] = [silent(1)], options = {}) => {
  const { findings, waived } = audit(channels, rules, options);
  return { findings: findings.map(({ rule }) => rule), waived: waived.map(({ rule }) => rule) };
};
const isWaived = { findings: [], waived: ["send-failure"] };
const isUnused = { findings: ["waiver-unused"], waived: [] };
const nothing = { findings: [], waived: [] };

test.each([["config.url", { findings: ["send-failure", "waiver-unused"], waived: [] }]])(
  "a waiver of the field %s applies only to that field",
  (field, expected) => {
    expect(outcome(createRules({ field }))).toEqual(expected);
  },
);

test("a waiver is valid on its last day, and its finding is reported once from the next day, with the date", () => {
  const rules = createRules({ expires: "2026-11-20" });
  expect(outcome(rules, [silent(1)], { now: new Date("2026-11-20T23:59:59.999Z") })).toEqual(isWaived);
  const { findings } = audit([silent(1)], rules, { now: new Date("2026-11-21T00:00:00Z") });
  expect(findings).toMatchObject([
    {
      ...{ rule: "send-failure", severity: "error" },
      fix: expect.stringMatching(/settings\. The waiver of Ana expired on 2026-11-20\.$/),
    },
  ]);
  expect(findings).toHaveLength(1);
});

test("an expired waiver without a finding is a finding, unless a newer waiver covers its finding", () => {
  const expires = "2026-11-20";
  const now = new Date("2026-11-21T00:00:00Z");
  expect(audit([channel()], createRules({ expires }), { now }).findings).toMatchObject([
    {
      ...{ rule: "waiver-expired", severity: "error", channel: { id: 1, name: "ops" } },
      field: "waivers[0].expires",
      actual: "2026-11-20, for send-failure by Ana",
      expected: "2026-11-21 or later",
      fingerprint: "waiver-expired/1/send-failure/1",
    },
  ]);
  const both = { ...createRules(), waivers: [waiver({ expires }), waiver()] };
  expect(outcome(both, [silent(1)], { now })).toEqual(isWaived);
});

test("a waiver for a name applies to its channel, in any Unicode form, or its error suggests a name", () => {
  const all = ["caf\u00e9", "bar"].map((name, index) => ({ ...silent(index + 1), name }));
  const of = (name: string) => ({ ...silence, waivers: [waiver({ channel: name })] });
  const waived = (name: string) => audit(all, of(name)).waived.map((finding) => finding.channel?.id);
  expect([waived("cafe\u0301"), waived("bar"), waived("pub")]).toEqual([[1], [2], []]);
  const [unused] = audit([channel()], { ...of("on-cal"), channels: { "on-call": 1 } }).findings;
  expect(unused?.expected).toBe('a finding of send-failure on on-cal (did you mean "on-call"?)');
});

test("an expired or unused waiver isn't reported if the rule on waivers is off", () => {
  for (const [year, rule] of Object.entries({ 2020: "waiver-expired", 2026: "waiver-unused" })) {
    const expires = `${year}-12-31`;
    const { rules, ...others } = createRules({ expires });
    const without = { ...others, rules: { ...rules, [rule]: "off" } } as const;
    expect(outcome(without, [channel()])).toEqual(nothing);
    expect(
      audit([silent(1)], without)
        .findings.map(({ fix }) => fix)
        .join(),
    ).not.toContain("expired");
  }
});

test("a report lists passed rules, waivers with their last day, and the reason for each custom rule", () => {
  const custom = { id: "mine", title: "Mine", why: "So.", expect: { sendDegraded: false } };
  const call = channel({ id: 3, type: "CALL", config: { number: "+12025550143" } });
  const severities = { "send-failure": "error", "on-call-type": "warning", subscribed: "error" } as const;
  const waivers = [2, 1].map((id) => waiver({ channel: id }));
  const rules: Rules = { rules: severities, customRules: [custom], waivers };
  const report = audit([{ ...silent(2), subscriptions: null }, silent(1), call], rules);
  expect(report).toMatchObject({
    tool: { name: "pulumi-monitoring-service", version: expect.stringMatching(/^\d/) as string },
    channels: [{ passed: ["subscribed"] }, { passed: [] }, { passed: ["send-failure", "subscribed"] }],
    fleet: { passed: ["on-call-type"] },
    waived: [1, 2].map((id) => ({
      channel: { id },
      waiver: { reason: "moving to the ticket system", owner: "Ana", expires: "2026-12-31" },
    })),
    findings: [1, 2, 3].map((id) => ({ rule: "mine", channel: { id }, why: "So." })),
  });
  expect(audit([silent(1)], silence).findings[0]).not.toHaveProperty("why");
  expect(audit([channel()], { rules: { "on-call-type": "error" } }).fleet.passed).toEqual([]);
});

test("findings on all channels together come after findings on the waivers of one channel", () => {
  const rules = { rules: { "on-call-type": "warning" }, waivers: [waiver()] } as const;
  expect(outcome(rules, [channel()]).findings).toEqual(["waiver-unused", "on-call-type"]);
});

test("an unused waiver without a channel names its rule on its last day", () => {
  const rules = {
    rules: { stale: "error" },
    waivers: [waiver({ rule: "stale", channel: undefined, expires: "2026-11-20" })],
  } as const;
  expect(audit([channel()], rules).findings).toMatchObject([
    { actual: "no finding", expected: "a finding of stale", fingerprint: "waiver-unused/all/stale/all" },
  ]);
  expect(audit([channel()], rules, { partial: true }).findings).toEqual([]);
});

test.each<[object, string | undefined]>([
  [{ select: { types: ["SMS"] } }, "0 channels"],
  [{ select: { ids: [7, 8, 1] } }, "0 channels for 7, 8"],
  [{ select: { ids: [1] } }, undefined],
])(
  "the selection %j without a matching channel causes a warning, unless that rule is off",
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

test("an unused waiver causes a warning at its position in the file", () => {
  const waiver = "{ rule: stale, channel: 1, reason: x, owner: y, expires: 2026-12-31 }";
  const rules = parseRules(`rules: { stale: error }\nwaivers:\n  - ${waiver}\n`, "audit.yaml");
  const location = { file: "audit.yaml", line: 3, column: 5 };
  const { findings } = audit([channel()], rules);
  expect(findings).toMatchObject([{ rule: "waiver-unused", severity: "warning", location }]);
});

test.each<[Waiver["channel"], object, object]>([
  [1, { partial: true }, isUnused],
  [3, {}, nothing],
])(
  "a waiver without a finding is unused if the audit could have found it: the channel %p, %j",
  (waived, options, expected) => {
    const channels = [channel(), channel({ id: 2 }), { id: 3, reason: "deleted" }];
    expect(outcome(createRules({ channel: waived }), channels, options)).toEqual(expected);
  },
);

test.each([
  [1, { findings: ["on-call-type", "waiver-unused"], waived: [] }],
  [undefined, { findings: [], waived: ["on-call-type"] }],
])("a waiver applies to rules on all channels only if it names no channel: %p", (on, expected) => {
  const waivers = [waiver({ rule: "on-call-type", channel: on })];
  expect(outcome({ rules: { "on-call-type": "error" }, waivers }, [channel()])).toEqual(expected);
});
