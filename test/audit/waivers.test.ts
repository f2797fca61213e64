import { auditAlertChannels, parseRules, type Rules, type Waiver } from "../../audit";
import { channel, facts, now } from "./channels";

const silent = (id: number) => channel({ id, sendFailure: false });
const waiver = (changes: Partial<Waiver> = {}): Waiver => ({
  ...{ rule: "send-failure", channel: 1, reason: "moving to the ticket system", owner: "Ana" },
  expires: "2026-12-31",
  ...changes,
});
const rulesWith = (...waivers: Waiver[]): Rules => ({
  rules: { "send-failure": "error" },
  channels: { ops: 1 },
  waivers,
});
/** Rules with findings, and those with waived ones. */
const outcome = (
  rules: Rules,
  channels: Parameters<typeof auditAlertChannels>[0] = [silent(1)],
  options = {},
) => {
  const { findings, waived } = auditAlertChannels(channels, rules, { now, ...options });
  return { findings: findings.map(({ rule }) => rule), waived: waived.map(({ rule }) => rule) };
};
const isWaived = { findings: [], waived: ["send-failure"] };
const isUnused = { findings: ["waiver-unused"], waived: [] };
const nothing = { findings: [], waived: [] };

test("moves the finding to the waived ones, with reason, owner and expiry", () => {
  const { waived, counts } = auditAlertChannels([silent(1)], rulesWith(waiver()), { now });
  const { reason, owner, expires } = waiver();
  expect(waived).toMatchObject([
    { rule: "send-failure", fingerprint: "send-failure/1/sendFailure", waiver: { reason, owner, expires } },
  ]);
  expect(counts).toMatchObject({ errors: 0, warnings: 0, waived: 1 });
});

test.each([1, "1", "ops", undefined])("applies to the channel %p", (channel) => {
  expect(outcome(rulesWith(waiver({ channel })))).toEqual(isWaived);
});

test("applies only to its channel and its rule", () => {
  const both = { findings: ["send-failure"], waived: ["send-failure"] };
  expect(outcome(rulesWith(waiver()), [silent(1), silent(2)])).toEqual(both);
  const other = { findings: ["send-failure", "waiver-unused"], waived: [] };
  expect(outcome(rulesWith(waiver({ rule: "ssl-expiry" })))).toEqual(other);
});

test.each(["mail", "post"])("a channel with two names matches either, also in selections: %s", (name) => {
  const channels = { mail: 1, post: 1 };
  const select = { names: [name] };
  const selecting: Rules = { rules: { "send-failure": { severity: "error", select } }, channels };
  expect(outcome(selecting).findings).toEqual(["send-failure"]);
  expect(outcome({ ...rulesWith(waiver({ channel: name })), channels })).toEqual(isWaived);
});

test("is valid on its last day, and a finding from the next day", () => {
  const rules = rulesWith(waiver({ expires: "2026-11-20" }));
  expect(outcome(rules, [silent(1)], { now: new Date("2026-11-20T23:59:59.999Z") })).toEqual(isWaived);
  const { findings } = auditAlertChannels([silent(1)], rules, { now: new Date("2026-11-21T00:00:00Z") });
  expect(findings).toMatchObject([
    { rule: "send-failure", severity: "error" },
    {
      ...{ rule: "waiver-expired", severity: "error", channel: { id: 1, name: "ops" } },
      field: "waivers[0].expires",
      actual: "2026-11-20, for send-failure by Ana",
      expected: "2026-11-21 or later",
      fingerprint: "waiver-expired/1/send-failure/1",
    },
  ]);
});

test("that has expired is a finding even without a finding of its rule", () => {
  const expired = rulesWith(waiver({ expires: "2020-01-01" }));
  expect(outcome(expired, [channel()]).findings).toEqual(["waiver-expired"]);
});

test("that is unused is a warning, at its position in the file", () => {
  const text =
    "rules: { stale: error }\nwaivers:\n  - { rule: stale, channel: 1, reason: x, owner: y, expires: 2026-12-31 }\n";
  const { findings } = auditAlertChannels([channel()], parseRules(text, "audit.yaml"), { now });
  const location = { file: "audit.yaml", line: 3, column: 5 };
  expect(findings).toMatchObject([{ rule: "waiver-unused", severity: "warning", location }]);
});

test.each([
  ["ops", "a finding of send-failure on ops", { id: 1, name: "ops", type: "EMAIL" }],
  [9, "a finding of send-failure on 9", undefined],
  [undefined, "a finding of send-failure", undefined],
])("that is unused for the channel %p expects %s", (waived, expected, reference) => {
  const { findings } = auditAlertChannels([channel()], rulesWith(waiver({ channel: waived })), { now });
  expect(findings).toMatchObject([{ field: "waivers[0]", actual: "no finding", expected }]);
  expect(findings[0]?.channel).toEqual(reference);
});

test.each<[Waiver["channel"], object, object]>([
  [9, {}, isUnused],
  [9, { partial: true }, nothing],
  [undefined, { partial: true }, nothing],
  [1, { partial: true }, isUnused],
])("without a finding for the channel %p, %j", (waived, options, expected) => {
  const channels = [channel(), channel({ id: 2 })];
  expect(outcome(rulesWith(waiver({ channel: waived })), channels, options)).toEqual(expected);
});

test("is not unused when its channel couldn't be read", () => {
  const unread = [{ id: 1, reason: "deleted" }];
  expect(outcome(rulesWith(waiver({ channel: "ops" })), unread).findings).toEqual(["channel-read"]);
});

test("is unused when another rule, or its rule on another channel, isn't evaluable", () => {
  const hook = (id: number, isReference: boolean) => {
    const url = facts(`${id}`, { isReference, scheme: "https", hostClass: "public" });
    return channel({ id, type: "SLACK", config: { url } });
  };
  const rules = { "https-hook": "error", "send-failure": "error" } as const;
  expect(outcome({ rules, waivers: [waiver()] }, [hook(1, true)])).toEqual(isUnused);
  const onSecond = { rules, waivers: [waiver({ rule: "https-hook", channel: 2 })] };
  expect(outcome(onSecond, [hook(1, true), hook(2, false)])).toEqual(isUnused);
  expect(outcome(onSecond, [hook(1, false), hook(2, true)])).toEqual(nothing);
});

test("applies to rules on all channels only without a channel", () => {
  const rules = (channel?: number): Rules => ({
    rules: { "on-call-type": "error" },
    waivers: [waiver({ rule: "on-call-type", channel })],
  });
  const isFound = { findings: ["on-call-type", "waiver-unused"], waived: [] };
  expect(outcome(rules(1), [channel()])).toEqual(isFound);
  expect(outcome(rules(), [channel()])).toEqual({ findings: [], waived: ["on-call-type"] });
});

test.each(["waiver-expired", "waiver-unused"])("rule %s can be turned off", (id) => {
  const rules = rulesWith(waiver({ expires: id === "waiver-expired" ? "2020-01-01" : "2026-12-31" }));
  expect(outcome({ ...rules, rules: { ...rules.rules, [id]: "off" } }, [channel()])).toEqual(nothing);
});
