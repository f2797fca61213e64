/** The dependency rules that `npm run verify` checks find each forbidden import. What they allow, this repository imports. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { clone, writeIn } from "./fakePrograms";
import { temporaryFolder } from "../temporaryFolder";

const forbidden: [file: string, imports: string, rule: string][] = [
  ["provider/api/index.ts", "../notice", "api-alone"],
  ["provider/api/index.ts", "@pulumi/pulumi", "client-without-pulumi"],
  ["provider/client/index.ts", "../notice", "client-down"],
  ["provider/client/index.ts", "@pulumi/pulumi", "client-without-pulumi"],
  ["provider/lifecycles/incidentUpdate.ts", "axios", "axios-in-client"],
  ["provider/lifecycles/incidentUpdate.ts", "../../audit", "provider-down"],
  ["provider/lifecycles/incidentUpdate.ts", "../../test/other", "provider-down"],
  ["provider/lifecycles/incidentUpdate.ts", "typescript", "shipped-dependencies"],
  ["provider/lifecycles/incidentUpdate.ts", "./nowhere", "resolvable"],
  ["provider/expectations/index.ts", "../notice", "expectations-down"],
  ["plugin/main.ts", "../sdk/other", "plugin-down"],
  ["plugin/main.ts", "../provider/dynamic/provider", "adapters-apart"],
  ["sdk/index.ts", "../sandbox", "sdk-down"],
  ["audit/index.ts", "../provider/client", "audit-alone"],
  ["audit/index.ts", "../sdk/other", "audit-alone"],
  ["audit/index.ts", "@pulumi/pulumi", "client-without-pulumi"],
  ["audit/sources/index.ts", "../../sdk/other", "sources-down"],
  ["policy/index.ts", "../sdk/other", "policy-down"],
  ["sandbox/index.ts", "../provider/client", "sandbox-alone"],
  ["cli/monitoring.ts", "../sdk", "cli-down"],
  ["cli/monitoring.ts", "../provider/notice", "cli-down"],
  ["examples/quickstart/index.ts", "../../sdk", "examples-by-name"],
  ["bench/speed.ts", "../test/other", "bench-not-test"],
  ["test/driver/provider.js", "../other", "driver-alone"],
  ["soak/faults.js", "../test/other", "soak-not-test"],
  ["scripts/setup.js", "../sandbox", "scripts-alone"],
  ["scripts/plugin.js", "esbuild", "scripts-bare"],
];
const imported = ["provider/notice.ts", "provider/dynamic/provider.ts", "sdk/other.ts", "test/other.ts"];

it("every forbidden import is found, and every cycle", () => {
  const texts: Record<string, string> = {
    ...Object.fromEntries(imported.map((file) => [file, ""])),
    "provider/one.ts": 'import "./two";',
    "provider/two.ts": 'import type {} from "./one";',
  };
  for (const [file, name] of forbidden) texts[file] = `${texts[file] ?? ""}import ${JSON.stringify(name)};\n`;
  const expected = forbidden.map(([file, , rule]) => `${file}: ${rule}`);
  expect(violationsIn(texts).sort()).toEqual([...expected, "provider/one.ts: no-cycles"].sort());
});

/** The violations of the clone's rules in a folder with these files, as `file: rule`. */
function violationsIn(texts: Record<string, string>): string[] {
  const folder = temporaryFolder();
  for (const [file, text] of Object.entries(texts)) writeIn(folder, file, text);
  for (const name of ["package.json", "tsconfig.json"])
    fs.copyFileSync(path.join(clone, name), path.join(folder, name));
  const packages = path.join(clone, "node_modules");
  fs.symlinkSync(packages, path.join(folder, "node_modules"), "junction");
  const cruise = path.join(packages, "dependency-cruiser", "bin", "dependency-cruise.mjs");
  const options = ["--config", path.join(clone, ".dependency-cruiser.cjs"), "--output-type", "json"];
  const modules = [...new Set(Object.keys(texts).map((file) => file.split("/")[0] ?? ""))];
  const { stdout } = spawnSync(process.execPath, [cruise, ...options, ...modules], {
    cwd: folder,
    encoding: "utf8",
  });
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
}
