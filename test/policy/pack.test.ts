import { monitoringPolicyPack } from "../../policy";
import { thrownBy } from "../audit/table";
import { fileWith } from "../cli/audit/auditing";

const misspelled = 'rules.send-failur is not known (did you mean "send-failure"?)';

const errorOf = (args: object) => thrownBy(() => monitoringPolicyPack("monitoring", args));
const inPack = (...mistakes: string[]) =>
  mistakes.map((each) => `policy pack "monitoring": ${each}`).join("\n");

it.each([
  [{}, inPack("rules is missing: set at least one of rules, mailOnlyFrom and forbiddenWords")],
  [
    { rule: "audit.yaml", mailOnlyFrom: { stacks: ["acme/shop/test", 7] } },
    inPack(
      "mailOnlyFrom.stacks[0] must be <stack> or <project>/<stack>",
      "mailOnlyFrom.stacks[1] must be <stack> or <project>/<stack>",
      'rule is not known (did you mean "rules"?)',
    ),
  ],
  [{ rules: { rules: { "send-failur": "error" } } }, misspelled],
  [
    { rules: "absent.yaml" },
    inPack(
      `rules must be the path of a rule file, relative to ${process.cwd()}: absent.yaml can't be read: no such file or directory`,
    ),
  ],
])("is rejected with each mistake: %j", (args, message) => {
  expect(errorOf(args)).toHaveProperty("message", message);
});

it("accepts a rule file in JavaScript", () => {
  const rules = fileWith("module.exports = { rules: { 'send-failur': 'error' } };", "audit.cjs");
  expect(errorOf({ rules })).toHaveProperty("message", `${rules}: ${misspelled}`);
});

it("reports that @pulumi/policy isn't installed", () => {
  jest.doMock("@pulumi/policy", () => {
    throw new Error("Cannot find module '@pulumi/policy'");
  });
  expect(errorOf({ forbiddenWords: ["blame"] })).toHaveProperty(
    "message",
    "A policy pack requires the package @pulumi/policy: run `npm install @pulumi/policy` in its folder.",
  );
});
