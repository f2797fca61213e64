/** Rules on all channels count only the channels that deliver failures. */
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

const mail = (changes: Partial<AlertChannel> = {}) => channel(changes);
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
      "type: 0 of PAGERDUTY, without 1 that sends no failures",
    ]);
  });

  test("isn't an independent provider", () => {
    expect(verdict("independent-types", [mail(), pager(changes)])).toEqual([
      "type: EMAIL, without 1 that sends no failures",
    ]);
  });
});

test("a channel that every new check is subscribed to counts", () => {
  const channels = [mail(), pager({ subscriptions: [], autoSubscribe: true })];
  expect(verdict("on-call-type", channels)).toEqual(["passed"]);
  expect(verdict("independent-types", channels)).toEqual(["passed"]);
});
