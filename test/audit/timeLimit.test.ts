/** Rules that take too long, such as those with a pattern that backtracks. */
import { runWithTimeLimit } from "../../audit/timeLimit";
import { audit, channel, silence } from "./channels";
import { thrownBy } from "./table";

const slow = { id: "mine", title: "Mine", path: "config.address", matches: "^([a-z]+)+$" };
const hostile = { address: `${"a".repeat(60)}!` };

test("a slow pattern is interrupted, and the other rules still run", () => {
  const channels = [channel({ config: hostile, sendFailure: false })];
  const { findings, notEvaluable } = audit(channels, { ...silence, customRules: [slow] });
  expect(findings.map(({ rule }) => rule)).toEqual(["send-failure"]);
  const reason = "the rule takes too long: simplify its pattern";
  expect(notEvaluable).toMatchObject([{ rule: "mine", reason }]);
});

test("a slow pattern changes no verdict on the channels before it", () => {
  const channels = [channel({ id: 2, config: hostile }), channel({ id: 1, config: { address: "abc1" } })];
  const { findings, notEvaluable } = audit(channels, { customRules: [slow] });
  expect([findings, notEvaluable].map((list) => list.map((each) => each.channel?.id))).toEqual([[1], [2]]);
});

test("the time limit returns results, and throws errors of the function", () => {
  expect(runWithTimeLimit(1000, () => 7)).toBe(7);
  const code = "ERR_SCRIPT_EXECUTION_TIMEOUT";
  const ofAnotherCode = Object.assign(new Error(), { code: "MINE" });
  for (const mine of [new RangeError("mine"), ofAnotherCode, code, { code }] as unknown[]) {
    const run = () => {
      throw mine;
    };
    expect(thrownBy(() => runWithTimeLimit(1000, run))).toBe(mine);
  }
});
