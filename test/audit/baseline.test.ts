/** Which findings are known from an earlier audit, and which of those are fixed. */
import { Baseline, judgeRead, type Rules } from "../../audit";
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

test("a file of known findings is read as it was written, and no other is one", () => {
  expect(Baseline.parse(known.text)?.text).toBe(known.text);
  expect(Baseline.parse(known.text)?.size).toBe(3);
  const [entry] = (JSON.parse(known.text) as { findings: object[] }).findings;
  const others = [{}, { version: 2, findings: [] }, { version: 1, findings: [{ ...entry, later: 1 }] }];
  for (const other of ["", ...others.map((each) => JSON.stringify(each))])
    expect(Baseline.parse(other)).toBeUndefined();
});

const call = channel({ id: 3, type: "CALL", config: { number: "+12025550143" } });
const waivers = [{ rule: "send-failure", channel: 1, reason: "moving", owner: "Ana", expires: "2027-01-01" }];
test.each<[string, Parameters<typeof audit>[0], Rules, number]>([
  ["isn't fixed while it is found", [silent(1), silent(2)], {}, 0],
  ["is fixed when its channel passes", [channel(), silent(2)], {}, 1],
  ["isn't fixed when its channel isn't audited", [silent(2)], {}, 0],
  ["of all channels together isn't fixed when none is read", [1, 2].map((id) => ({ id, reason: "" })), {}, 0],
  ["isn't fixed when it is waived", [silent(1), silent(2)], { waivers }, 0],
  ["isn't fixed when it isn't evaluable", [channel({ sendFailure: null }), silent(2)], {}, 0],
  ["of all channels together is fixed when they pass", [silent(1), silent(2), call], {}, 1],
])("a known finding %s", (_, channels, more, count) => {
  expect(known.fixedIn(compared(channels, more))).toBe(count);
});

/** A rule on all channels that can't be evaluated where one doesn't say what it is subscribed to. */
const coverage: Rules = { rules: { ...rules.rules, "checks-covered": { options: { checks: ["c"] } } } };
const unidentified = judgeRead(new Mismatch(undefined, ["id"]), undefined, undefined);
const unsaid = channel({ id: 3, subscriptions: null });
test.each<[string, Parameters<typeof audit>[0], string[], Rules?]>([
  ["aren't gone when excluded", [silent(1), silent(2)], [], { exclude: [{ channel: 1, reason: "A test" }] }],
  ["aren't gone where they pass or fail now", [channel(), silent(2)], []],
  ["are gone where only others are audited", [silent(2)], ["send-failure/1/sendFailure"]],
  ["are gone also where another can't be read", [{ id: 2, reason: "down" }], ["send-failure/1/sendFailure"]],
  ["are gone also where a rule on all can't tell", [silent(2), unsaid], ["send-failure/1/sendFailure"]],
  ["aren't gone where the id of a channel is unknown", [unidentified, silent(2)], []],
])("channels with known findings %s", (_, channels, gone, more = {}) => {
  const found = known.goneFrom(compared(channels, { ...coverage, ...more }));
  expect(found.map(({ fingerprint }) => fingerprint)).toEqual(gone);
});
