/** The dependency rules that `npm run verify` checks: which imports they allow, and which they reject. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { clone, temporaryFolder, writeIn } from "./fakePrograms";

/** The imports of each file, with the rule that each breaks, if any. */
const files: Record<string, [imports: string, breaks?: string][]> = {
  "provider/client/index.ts": [
    ["../api"],
    ["axios"],
    ["zod"],
    ["../notice", "client-down"],
    ["@pulumi/pulumi", "client-without-pulumi"],
  ],
  "provider/api/index.ts": [["zod"], ["../notice", "api-alone"], ["@pulumi/pulumi", "client-without-pulumi"]],
  "provider/lifecycles/incidentUpdate.ts": [
    ["../client"],
    ["@pulumi/pulumi"],
    ["axios", "axios-in-client"],
    ["../../audit", "provider-down"],
    ["../../test/other", "provider-down"],
    ["typescript", "shipped-dependencies"],
    ["./nowhere", "resolvable"],
  ],
  "provider/notice.ts": [],
  "provider/outputs.ts": [["./api"]],
  "provider/expectations/index.ts": [
    ["../api"],
    ["../outputs"],
    ["re2js"],
    ["../notice", "expectations-down"],
  ],
  "provider/dynamic/provider.ts": [["../notice"]],
  "plugin/main.ts": [
    ["../audit"],
    ["../provider/notice"],
    ["../sdk/other", "plugin-down"],
    ["../provider/dynamic/provider", "adapters-apart"],
  ],
  "sdk/index.ts": [["../provider/lifecycles/incidentUpdate"], ["../audit"], ["../sandbox", "sdk-down"]],
  "audit/index.ts": [
    ["zod"],
    ["../provider/api"],
    ["../provider/expectations"],
    ["../provider/client", "audit-alone"],
    ["../sdk/other", "audit-alone"],
    ["@pulumi/pulumi", "client-without-pulumi"],
  ],
  "audit/sources/index.ts": [
    [".."],
    ["../../provider/client"],
    ["../../sdk/other", "sources-down"],
    ["@pulumi/pulumi", "client-without-pulumi"],
  ],
  "policy/index.ts": [["../audit"], ["../sdk/other", "policy-down"]],
  "sdk/other.ts": [],
  "sandbox/index.ts": [["../provider/api"], ["../provider/client", "sandbox-alone"]],
  "cli/monitoring.ts": [
    ["../audit"],
    ["../audit/sources"],
    ["../provider/client"],
    ["../sandbox"],
    ["../sdk", "cli-down"],
    ["../provider/notice", "cli-down"],
  ],
  "examples/quickstart/index.ts": [["@pulumi/pulumi"], ["../../sdk", "examples-by-name"]],
  "test/some.ts": [["../sdk"], ["../bench/speed"], ["../scripts/setup"]],
  "bench/speed.ts": [["../sdk"], ["../scripts/setup"], ["../test/other", "bench-not-test"]],
  "test/other.ts": [],
  "test/driver/provider.js": [["../../scripts/setup"], ["../other", "driver-alone"]],
  "soak/faults.js": [["../test/driver/provider"], ["../test/other", "soak-not-test"]],
  "scripts/setup.js": [["node:fs"], ["../sandbox", "scripts-alone"], ["zod", "scripts-bare"]],
  "scripts/engine/install.js": [["@pulumi/pulumi"], ["../setup.js"]],
  "scripts/plugin/bundle.js": [["esbuild"], ["../setup.js"]],
  "scripts/plugin.js": [["esbuild", "scripts-bare"]],
};

it("every forbidden import is found, and no other", () => {
  const texts = Object.entries(files).map(([file, lines]): [file: string, text: string] => [
    file,
    lines.map(([imports]) => `import ${JSON.stringify(imports)};`).join("\n"),
  ]);
  const expected = Object.entries(files).flatMap(([file, lines]) =>
    lines.flatMap(([, breaks]) => (breaks === undefined ? [] : [`${file}: ${breaks}`])),
  );
  expect(violationsIn(Object.fromEntries(texts)).sort()).toEqual(expected.sort());
});

it("cycles are found", () => {
  const cycle = { "provider/one.ts": 'import "./two";', "provider/two.ts": 'import type {} from "./one";' };
  expect(violationsIn(cycle)).toContain("provider/one.ts: no-cycles");
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
