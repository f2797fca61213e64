import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../temporaryFolder";
import { monitoringPolicyPack } from "../../policy";
import { thrownBy } from "../audit/table";
import { fileWith } from "../cli/auditing";

const repository = resolve(__dirname, "../..");

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
  const folder = temporaryFolder();
  installWithoutPolicySdk(join(folder, "node_modules"));
  const program = `
    const { monitoringPolicyPack } = require("pulumi-monitoring-service/policy");
    try {
      monitoringPolicyPack("monitoring", { forbiddenWords: ["blame"] });
    } catch (error) {
      console.log(error.message);
    }`;
  const output = execFileSync(process.execPath, ["-e", program], { cwd: folder, encoding: "utf8" });
  expect(output.trim()).toBe(
    "A policy pack requires the package @pulumi/policy: run `npm install @pulumi/policy` in its folder.",
  );
});

function installWithoutPolicySdk(packages: string): void {
  const from = join(repository, "node_modules");
  const own = join(packages, "pulumi-monitoring-service");
  mkdirSync(join(packages, "@pulumi"), { recursive: true });
  symlinkSync(join(from, "@pulumi", "pulumi"), join(packages, "@pulumi", "pulumi"), "junction");
  cpSync(join(repository, "dist"), join(own, "dist"), { recursive: true });
  cpSync(join(repository, "package.json"), join(own, "package.json"));
  for (const name of readdirSync(from)) {
    if (name.startsWith(".") || ["@pulumi", "pulumi-monitoring-service"].includes(name)) continue;
    symlinkSync(join(from, name), join(packages, name), "junction");
  }
}
