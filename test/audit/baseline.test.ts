/** Which findings are known from an earlier audit, and which of those are fixed. */
import { Baseline, judgeMismatch, type Rules } from "../../audit";
import { Mismatch } from "../../provider/api";
import { audit, channel, silent } from "./channels";

const rules: Rules = { rules: { "send-failure": "error", "on-call-type": "error" } };
const known = Baseline.of(audit([silent(1), silent(2)], rules));
const compared = (channels: Parameters<typeof audit>[0], more: Rules = {}) =>
  known.compare(audit(channels, { ...rules, ...more }));

test("known findings are apart from the others, and don't count", () => {
  const { findings, baselined, counts } = compared([silent(1), silent(3)]);
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual(["send-failure/3/sendFailure"]);
  expect(baselined.map(({ rule, channel }) => [rule, channel?.id])).toEqual([
    ["send-failure", 1],
    ["on-call-type", undefined],
  ]);
  expect(counts).toMatchObject({ errors: 1, baselined: 2 });
  // In an order of its own, so that a file that is written again differs in its findings alone.
  expect(known.text).toMatch(/"on-call-type\/all\/[^]*"send-failure\/1[^]*"send-failure\/2/);
});

const call = channel({ id: 3, type: "CALL", config: { number: "+12025550143" } });
const waivers = [{ rule: "send-failure", channel: 1, reason: "moving", owner: "Ana", expires: "2027-01-01" }];
test.each<[string, Parameters<typeof audit>[0], Rules, number]>([
  ["is still found", [silent(1), silent(2)], {}, 0],
  ["is of a channel that passes now", [channel(), silent(2)], {}, 1],
  ["is of a channel that isn't audited", [silent(2)], {}, 0],
  ["is of all channels together, of which none is read", [1, 2].map((id) => ({ id, reason: "" })), {}, 0],
  ["is waived", [silent(1), silent(2)], { waivers }, 0],
  ["isn't evaluable", [channel({ sendFailure: null }), silent(2)], {}, 0],
  ["is of all channels together, which pass now", [silent(1), silent(2), call], {}, 1],
])("a known finding is fixed, or not, that %s", (_, channels, more, count) => {
  expect(known.fixedIn(compared(channels, more))).toBe(count);
});

/** A rule on all channels that can't be evaluated where one doesn't say what it is subscribed to. */
const coverage: Rules = { rules: { ...rules.rules, "checks-covered": { options: { checks: ["c"] } } } };
const unidentified = judgeMismatch(new Mismatch(undefined, ["id"]), undefined);
const unsaid = channel({ id: 3, subscriptions: null });
test.each<[string, Parameters<typeof audit>[0], string[], Rules?]>([
  ["are excluded", [silent(1), silent(2)], [], { exclude: [{ channel: 1, reason: "A test" }] }],
  ["pass or fail now", [channel(), silent(2)], []],
  ["aren't there, of which one is", [silent(2)], ["send-failure/1/sendFailure"]],
  ["aren't there, where another can't be read", [{ id: 2, reason: "down" }], ["send-failure/1/sendFailure"]],
  ["aren't there, where a rule on all can't tell", [silent(2), unsaid], ["send-failure/1/sendFailure"]],
  ["may be one whose id is unknown", [unidentified, silent(2)], []],
])("known findings of channels that %s are gone, or not", (_, channels, gone, more = {}) => {
  const found = known.goneFrom(compared(channels, { ...coverage, ...more }));
  expect(found.map(({ fingerprint }) => fingerprint)).toEqual(gone);
});
