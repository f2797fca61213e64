/** A rule whose pattern takes too long costs itself alone. */
import { auditAlertChannels, type CustomRule } from "../../audit";
import { within } from "../../audit/timeLimit";
import { channel, now } from "./channels";

describe("a pattern that backtracks for ever", () => {
  const hostile = channel({ config: { address: `${"a".repeat(60)}!` } });

  test.each<Partial<CustomRule>>([
    { path: "config.address", matches: "^(a+)+$" },
    { schema: { properties: { config: { properties: { address: { pattern: "^(a|a)*$" } } } } } },
  ])("%j is stopped, and the other rules still judge", (rule) => {
    const customRules = [{ id: "mine", title: "Mine", ...rule }];
    const silent = { ...hostile, sendFailure: false };
    const { findings, notEvaluable } = auditAlertChannels(
      [silent],
      { customRules, rules: { "send-failure": "error" } },
      { now },
    );
    expect(findings.map(({ rule }) => rule)).toEqual(["send-failure"]);
    expect(notEvaluable).toMatchObject([
      { rule: "mine", reason: "the rule takes too long: simplify its pattern" },
    ]);
  });

  test("what is done in time has its result", () => {
    expect(within(1000, () => 7)).toBe(7);
  });

  test.each<[string, unknown]>([
    ["an error", new RangeError("mine")],
    ["an error with a code", Object.assign(new Error("mine"), { code: "MINE" })],
    ["a text", "ERR_SCRIPT_EXECUTION_TIMEOUT"],
    ["an object with the code of the clock", { code: "ERR_SCRIPT_EXECUTION_TIMEOUT" }],
    ["nothing", undefined],
  ])("what fails in time fails with its own error: %s", (_, mine) => {
    const fail = jest.fn(() => {
      throw mine;
    });
    let thrown: unknown = "none";
    try {
      within(1000, fail);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBe(mine);
  });
});
