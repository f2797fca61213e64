/** Ids are unique only within an account: a stack may observe channels of several accounts and services. */
import {
  auditAlertChannels,
  type AuditedChannel,
  defineRule,
  formatNames,
  formats,
  observedChannel,
  type Rules,
} from "../../audit";
import { channel, now } from "./channels";

const [eu, us] = ["account a on eu.example", "account b on us.example"];
const silence: Rules = { rules: { "send-failure": "error" } };
const both = [
  channel({ id: 4101, name: "ops", origin: eu, sendFailure: false }),
  channel({ id: 4101, name: "ops", origin: us, sendFailure: false }),
];
const report = auditAlertChannels(both, silence, { now });

test("two channels with one id are audited both, and are distinguished", () => {
  expect(report.channels).toMatchObject([
    { id: 4101, origin: eu },
    { id: 4101, origin: us },
  ]);
  expect(report.findings.map(({ fingerprint }) => fingerprint)).toEqual([
    `send-failure/${eu}/4101/sendFailure`,
    `send-failure/${us}/4101/sendFailure`,
  ]);
});

test.each(formatNames)("%s has a finding for each", (format) => {
  const shown = formats[format](report);
  expect(shown).toContain(eu);
  expect(shown).toContain(us);
});

test("one channel that is declared twice counts once, without its account", () => {
  const one = channel({ id: 1, origin: eu });
  const twice = [one, { ...one }, channel({ id: 2, origin: us })];
  expect(auditAlertChannels(twice, silence, { now }).channels).toEqual([
    { id: 1, type: "EMAIL", passed: ["send-failure"] },
    { id: 2, type: "EMAIL", passed: ["send-failure"] },
  ]);
});

test("a channel that couldn't be read doesn't stand for one with its id in another account", () => {
  const channels = [{ id: 4101, origin: us, reason: "deleted" }, channel({ id: 4101, origin: eu })];
  const { counts, notEvaluable } = auditAlertChannels(channels, silence, { now });
  expect(counts).toMatchObject({ channels: 1, blocking: 1 });
  expect(notEvaluable).toMatchObject([{ rule: "channel-read", channel: { id: 4101, origin: us } }]);
});

test("two channels with one id may not have the same target either", () => {
  const rules: Rules = { rules: { "duplicate-target": "error" } };
  const { findings } = auditAlertChannels(both, rules, { now });
  expect(findings.map(({ channel, actual }) => [channel?.origin, actual])).toEqual([
    [us, `same as in 4101 ops (${eu})`],
  ]);
});

test("one recipient in two channels with one id is named with the account of each", () => {
  const config = { address: "ana@acme.example" };
  const channels = [channel({ id: 4101, origin: eu, config }), channel({ id: 4101, origin: us, config })];
  const { findings } = auditAlertChannels(channels, { rules: { "single-recipient": "error" } }, { now });
  expect(findings.map(({ actual }) => actual)).toEqual([
    `one mailbox, of 4101 EMAIL (${eu}), 4101 EMAIL (${us})`,
  ]);
});

test.each([
  ["whether it is subscribed", "single-recipient", undefined, { subscriptions: null }],
  ["which checks are subscribed", "checks-covered", { checks: ["check-2"] }, { subscriptions: undefined }],
  ["whether it sends failures", "checks-covered", { checks: ["check-1"] }, { sendFailure: null }],
])("a channel of which it is unknown %s is named with its account", (_, rule, options, unknown) => {
  const silent = channel({ id: 4101, origin: eu, sendFailure: false });
  const open = channel({ id: 4101, origin: us, ...unknown });
  const rules: Rules = { rules: { [rule]: { severity: "error", options } } };
  const { notEvaluable } = auditAlertChannels([silent, open], rules, { now });
  const reason: unknown = expect.stringContaining(`4101 EMAIL (${us}): `);
  expect(notEvaluable).toMatchObject([{ reason }]);
});

test("a custom rule that fails on a channel names its account", () => {
  const check = ({ origin }: AuditedChannel) => {
    if (origin === us) throw new Error("odd");
    return [];
  };
  const rule = defineRule({ id: "mine", title: "Mine", why: "None.", fix: "None.", check: () => check });
  const { notEvaluable, counts } = auditAlertChannels(both, { customRules: [rule] }, { now });
  const reason = "the rule fails: odd; correct the rule";
  expect(notEvaluable).toMatchObject([{ rule: "mine", channel: { id: 4101, origin: us }, reason }]);
  expect(counts).toMatchObject({ channels: 2, blocking: 1 });
});

test.each([
  [{ host: "eu.example", path: "/", accountId: "a" }, eu],
  [{ host: "eu.example", path: "/tenant", accountId: "a" }, `${eu}/tenant`],
  [{ host: "eu.example", path: "/tenant" }, "eu.example/tenant"],
  [undefined, undefined],
  ["odd", undefined],
])("the origin %j in a state is %p", (origin, expected) => {
  const outputs = { channelId: 1, type: "EMAIL", config: {}, origin };
  expect(observedChannel("ops", outputs).origin).toBe(expected);
  expect(observedChannel("ops", { ...outputs, missing: true }).origin).toBe(expected);
});
