/** The checks of the packed files, and of the packages that npm installs with them. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contentMistakes, installMistakes } from "../../scripts/tarball";

const complete = [
  "package.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "dist/sdk/index.js",
  "dist/sdk/index.d.ts",
  "dist/cli/monitoring.js",
  "dist/bundle/main.js",
  "audit/audit.schema.json",
  "plugin/schema.json",
  "plugin/sdks/pulumi_monitoring-0.1.0.tar.gz",
];

it("accepts the files that users need", () => {
  expect(contentMistakes(complete)).toEqual([]);
});

it.each([
  "dist/.tsbuildinfo",
  "dist/sdk/index.js.map",
  "dist/bundle/.cache/compiled",
  "dist/cli/monitoring.d.ts",
  "dist/test/sdk/index.js",
  "sdk/index.ts",
  "audit/rules.json",
  "scripts/tarball.js",
  ".env",
  "Pulumi.dev.yaml",
])("rejects %s", (file) => {
  expect(contentMistakes([...complete, file])).toEqual([`${file} is packed, but no user needs it`]);
});

it.each([
  ["LICENSE", "LICENSE is not packed"],
  ["CHANGELOG.md", "CHANGELOG.md is not packed"],
  ["dist/sdk/index.d.ts", expect.stringMatching(/^no packed file matches /)],
  ["audit/audit.schema.json", expect.stringMatching(/^no packed file matches /)],
])("misses %s", (file, mistake) => {
  expect(contentMistakes(complete.filter((each) => each !== file))).toEqual([mistake]);
});

it("the licence is complete", () => {
  const text = readFileSync(join(__dirname, "../../LICENSE"));
  // Of https://www.apache.org/licenses/LICENSE-2.0.txt.
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
  );
});

it("names the packages with an install script", () => {
  const hasInstallScript = true;
  const packages = {
    "": {},
    "node_modules/quiet": {},
    "node_modules/loud": { hasInstallScript },
    "node_modules/quiet/node_modules/@scope/loud": { hasInstallScript },
    "node_modules/only-here": { hasInstallScript, dev: true },
    "node_modules/the-users-own": { hasInstallScript, peer: true },
  };

  expect(installMistakes({ packages })).toEqual([
    "loud has an install script",
    "@scope/loud has an install script",
  ]);
});
