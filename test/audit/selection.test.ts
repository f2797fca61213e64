/** The channels that a rule applies to. */
import { auditAlertChannels, type Selection } from "../../audit";
import { channel, now } from "./channels";
import { cases } from "./table";

const channels = [
  channel({ id: 1, type: "EMAIL", name: "prod-mail-eu" }),
  channel({ id: 2, type: "SMS", name: "prod-phone" }),
  channel({ id: 3, type: "EMAIL" }),
];

function selected(select: Selection, names: Record<string, string | number> = {}): unknown[] {
  const customRules = [{ id: "mine", title: "Mine", select, path: "type", equals: "none" }];
  const { findings } = auditAlertChannels(channels, { customRules, channels: names }, { now });
  return findings.map((finding) => finding.channel?.id);
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
  expect(selected(select).map(String)).toEqual(ids);
});

test("selects the channels that a rule on all channels gets", () => {
  const select = (ids: number[]) => ({
    rules: { "on-call-type": { options: { types: ["SMS"] }, select: { ids } } },
  });
  const warnings = (ids: number[]) => auditAlertChannels(channels, select(ids), { now }).counts.warnings;
  expect([warnings([1, 3]), warnings([1, 2])]).toEqual([1, 0]);
});

test("a channel is known by each of its names in the rules", () => {
  const names = { "on-call": 3, oncall: "3", phone: 2 };
  expect(selected({ names: ["on-call"] }, names)).toEqual([3]);
  expect(selected({ names: ["onc*", "ph*"] }, names)).toEqual([2, 3]);
  expect(selected({ names: ["pager"] }, names)).toEqual([]);
});
