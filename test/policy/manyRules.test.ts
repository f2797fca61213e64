/** A pack of very many custom rules: the work grows as they do. */
import { readRules } from "../../audit";
import { alertChannelPolicies } from "../../policy";
import { callsIn } from "../countedWork";

const rules = (count: number) => ({
  customRules: Array.from({ length: count }, (_, index) => ({
    ...{ id: `own-${index}`, title: "Own", why: "Own.", fix: "Own." },
    ...{ severity: "warning" as const, expect: { sendFailure: true } },
  })),
});

test("custom rules become policies", () => {
  const [few = 0, many] = [100, 400].map((count) => {
    const ruleSet = readRules(rules(count));
    return callsIn(() => alertChannelPolicies(ruleSet));
  });
  expect(many).toBeLessThan(5 * few);
});
