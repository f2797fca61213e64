/** Which channels deliver failures. What the service doesn't return is neither a finding nor a pass. */
import { type AlertChannel, auditAlertChannels } from "../../audit";
import { channel, facts, now } from "./channels";

/** What a rule says: its findings, "? " and what isn't evaluable, or whether it passes or doesn't apply. */
function verdict(rule: string, channels: AlertChannel[], options?: Record<string, unknown>): string[] {
  const rules = { rules: { [rule]: { severity: "error" as const, options } } };
  const { findings, notEvaluable, fleet, ...report } = auditAlertChannels(channels, rules, { now });
  const passed = [...fleet.passed, ...report.channels.flatMap((one) => one.passed)];
  const found = [
    ...findings.map(({ field, actual }) => `${field}: ${actual}`),
    ...notEvaluable.map(({ field, reason }) => `? ${field}: ${reason}`),
  ];
  return found.length > 0 ? found : [passed.length > 0 ? "passed" : "n/a"];
}

const mail = (changes: Partial<AlertChannel> = {}) =>
  channel({ config: { address: "ana@acme.example" }, ...changes });
const pager = (changes: Partial<AlertChannel> = {}) =>
  channel({ id: 2, type: "PAGERDUTY", config: { serviceKey: facts("a") }, ...changes });

const silent: [string, Partial<AlertChannel>][] = [
  ["sends no failures", { sendFailure: false }],
  ["has no subscriptions", { subscriptions: [] }],
  ["is paused", { subscriptions: [{ checkId: "a", activated: false }] }],
];

describe.each(silent)("a channel that %s", (_, changes) => {
  test("isn't one for the person on call", () => {
    expect(verdict("on-call-type", [mail(), pager(changes)], { types: ["PAGERDUTY"] })).toEqual([
      "type: nobody is woken: failures go to EMAIL, PAGERDUTY, without 1 that sends no failures",
    ]);
  });

  test("isn't an independent provider", () => {
    expect(verdict("independent-types", [mail(), pager(changes)])).toEqual([
      "type: EMAIL, without 1 that sends no failures",
    ]);
  });
});

test("a channel that relies on autoSubscribe doesn't count", () => {
  const channels = [mail(), pager({ subscriptions: [], autoSubscribe: true })];
  expect(verdict("independent-types", channels)).not.toEqual(["passed"]);
});

test("a channel for which another rule reports why it is silent counts: one cause is one finding", () => {
  const channels = [mail(), pager({ subscriptions: [] })];
  const rules = { rules: { subscribed: "error", "on-call-type": "error" } } as const;
  const { findings } = auditAlertChannels(channels, rules, { now });
  expect(findings.map(({ rule, channel }) => [rule, channel?.id])).toEqual([["subscribed", 2]]);
});

const unreturned: [string, Partial<AlertChannel>][] = [
  ["sendFailure", { sendFailure: null }],
  ["subscriptions", { subscriptions: null }],
];

describe.each(unreturned)("without %s", (field, changes) => {
  const isUnknown = [`? ${field}: not returned by the service for channel 2`];

  test.each([
    ["the only pager", "on-call-type", [mail(), pager(changes)], isUnknown],
    ["one of two pagers", "on-call-type", [pager(changes), pager({ id: 3 })], ["passed"]],
    ["the only other provider", "independent-types", [mail(), pager(changes)], isUnknown],
    ["the same provider", "independent-types", [mail(), mail({ id: 2, ...changes })], ["type: EMAIL"]],
    ["a third one", "independent-types", [mail(), pager({ id: 3 }), pager(changes)], ["passed"]],
    ["the only other recipient", "single-recipient", [mail(), pager(changes)], isUnknown],
    ["the only recipient", "single-recipient", [mail({ id: 2, ...changes })], isUnknown],
    [
      "the same mailbox",
      "single-recipient",
      [mail(), mail({ id: 2, ...changes })],
      ["config.address: one mailbox, in 1"],
    ],
    ["one of two pagers", "single-recipient", [pager({ id: 3 }), pager(changes)], ["passed"]],
  ])("%s, for %s", (_, rule, channels, expected) => {
    expect(verdict(rule, channels)).toEqual(expected);
  });
});

const notReturned = "not returned by the service";

test.each<[string, Partial<AlertChannel>, string[]]>([
  ["subscribed", { subscriptions: null }, [`? subscriptions: ${notReturned}`]],
  ["subscribed", { subscriptions: undefined, autoSubscribe: true }, [`? subscriptions: ${notReturned}`]],
])("%s of %j: %j", (rule, changes, expected) => {
  expect(verdict(rule, [mail(changes)])).toEqual(expected);
});

describe("checks-covered", () => {
  const covered = (...channels: AlertChannel[]) =>
    verdict("checks-covered", channels, { checks: ["check-1"] });
  const other = mail({ id: 2, subscriptions: [] });

  test("is not evaluable when only a channel without sendFailure has the check", () => {
    const isUnknown = [`? subscriptions[check-1]: sendFailure ${notReturned} for channel 1`];
    expect(covered(mail({ sendFailure: undefined }), other)).toEqual(isUnknown);
    expect(covered(mail({ sendFailure: undefined }), mail({ id: 2 }))).toEqual(["passed"]);
  });

  test("is not evaluable when a channel without subscriptions may have the check", () => {
    const isUnknown = [`? subscriptions[check-1]: ${notReturned} for channel 1`];
    expect(covered(mail({ subscriptions: null }), other)).toEqual(isUnknown);
    expect(covered(mail({ subscriptions: null }), mail({ id: 2 }))).toEqual(["passed"]);
    expect(covered(mail({ subscriptions: null, sendFailure: false }), other)).toEqual([
      "subscriptions[check-1]: none",
    ]);
  });
});

test("a custom rule doesn't take subscriptions that weren't returned for none", () => {
  const customRules = [{ id: "few", title: "Few", expect: { subscriptions: [] } }];
  const report = auditAlertChannels([mail({ subscriptions: null })], { customRules }, { now });
  expect(report.notEvaluable.map(({ reason }) => reason)).toEqual([notReturned]);
});
