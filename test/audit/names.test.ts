/** The names of a channel: those in the rules and in the configuration, or else its own. */
import { auditAlertChannels, readRules } from "../../audit";
import { channel, now } from "./channels";

const waivers = [
  { rule: "send-failure", channel: "prod-ops", reason: "moving", owner: "Ana", expires: "2999-12-31" },
];
const select = { names: ["prod-*"] };
const selecting = { rules: { "send-failure": { severity: "error" as const, select } } };
const waiving = { rules: { "send-failure": "error" as const }, waivers };

describe.each<[string, Record<string, number>, Record<string, number>]>([
  ["one of two in the configuration", { "prod-ops": 1, ops: 1 }, {}],
  ["the other of two in the configuration", { ops: 1, "prod-ops": 1 }, {}],
  ["the one in the configuration, with another in the rules", { "prod-ops": 1 }, { ops: 1 }],
  ["the one in the rules, with another in the configuration", { ops: 1 }, { "prod-ops": 1 }],
])("a channel is known by %s", (_, configured, channels) => {
  const outcome = (rules: object) => {
    const ruleSet = readRules({ ...rules, channels }).withNames(configured);
    const { counts } = auditAlertChannels([channel({ name: "ops", sendFailure: false })], ruleSet, { now });
    return { errors: counts.errors, waived: counts.waived };
  };

  test("in selections", () => {
    expect(outcome(selecting)).toEqual({ errors: 1, waived: 0 });
  });

  test("in waivers", () => {
    expect(outcome(waiving)).toEqual({ errors: 0, waived: 1 });
  });
});
