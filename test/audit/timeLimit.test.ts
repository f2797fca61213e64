/** Rules that take too long, such as those with a pattern that backtracks. */
import { auditAlertChannels } from "../../audit";
import { runWithTimeLimit } from "../../audit/timeLimit";
import { channel, now } from "./channels";
import { thrownBy } from "./table";

describe("a slow pattern", () => {
  const slow = { id: "mine", title: "Mine", path: "config.address", matches: "^([a-z]+)+$" };

  test("is interrupted, and the other rules still run", () => {
    const hostile = channel({ config: { address: `${"a".repeat(60)}!` }, sendFailure: false });
    const rules = { customRules: [slow], rules: { "send-failure": "error" } } as const;
    const { findings, notEvaluable } = auditAlertChannels([hostile], rules, { now });
    expect(findings.map(({ rule }) => rule)).toEqual(["send-failure"]);
    const reason = "the rule takes too long: simplify its pattern";
    expect(notEvaluable).toMatchObject([{ rule: "mine", reason }]);
  });

  test("changes no verdict on the channels before it", () => {
    const targets = [`${"a".repeat(60)}!`, "abc1"];
    const channels = targets.map((address, index) => channel({ id: 2 - index, config: { address } }));
    const { findings, notEvaluable } = auditAlertChannels(channels, { customRules: [slow] }, { now });
    expect([findings, notEvaluable].map((list) => list.map((each) => each.channel?.id))).toEqual([[1], [2]]);
  });

  test("the time limit returns results, and throws errors of the function", () => {
    expect(runWithTimeLimit(1000, () => 7)).toBe(7);
    const code = "ERR_SCRIPT_EXECUTION_TIMEOUT";
    const errors: unknown[] = [
      new RangeError("mine"),
      Object.assign(new Error(), { code: "MINE" }),
      code,
      { code },
    ];
    for (const mine of errors) {
      const run = () => {
        throw mine;
      };
      expect(thrownBy(() => runWithTimeLimit(1000, run))).toBe(mine);
    }
  });
});
