import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../sandbox/sandboxes";
import { monitoringPolicyPack, type MonitoringPolicyPackArgs } from "../../policy";

const repository = resolve(__dirname, "../..");

function errorOf(args: object): string {
  try {
    monitoringPolicyPack("monitoring", args satisfies MonitoringPolicyPackArgs);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error("The pack was created.");
}

it("reports all mistakes in its arguments", () => {
  const mistakes = errorOf({ rule: "audit.yaml", mailOnlyFrom: { stacks: ["acme/shop/test", 7] } });
  expect(mistakes.split("\n").sort()).toEqual([
    'policy pack "monitoring": mailOnlyFrom.stacks[0] must be <stack> or <project>/<stack>',
    'policy pack "monitoring": mailOnlyFrom.stacks[1] must be <stack> or <project>/<stack>',
    'policy pack "monitoring": rule is not known (did you mean "rules"?)',
  ]);
});

it("is rejected when it would enforce nothing", () => {
  expect(errorOf({})).toBe(
    'policy pack "monitoring": rules is missing: set at least one of rules, mailOnlyFrom and forbiddenWords',
  );
});

it("is rejected with mistakes in its rules, or without the rule file", () => {
  expect(errorOf({ rules: { rules: { "send-failur": "error" } } })).toMatch(
    /^rules\.send-failur is not known/,
  );
  expect(errorOf({ rules: "absent.yaml" })).toBe(
    `policy pack "monitoring": rules must be the path of a rule file, relative to ${process.cwd()}: absent.yaml can't be read: no such file or directory`,
  );
});

it("accepts a rule file in JavaScript", () => {
  const file = join(temporaryFolder(), "audit.cjs");
  writeFileSync(file, "module.exports = { rules: { 'send-failur': 'error' } };");
  expect(errorOf({ rules: file })).toBe(
    `${file}: rules.send-failur is not known (did you mean "send-failure"?)`,
  );
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
