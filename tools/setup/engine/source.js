const fs = require("node:fs");
const path = require("node:path");
const { buildProgram, prepareGo } = require("./goBuild");
const { version } = require("./pinned");
const { cli, languageHost, dynamicProvider, script } = require("./usable");

const sdk = "github.com/pulumi/pulumi/sdk/v3";

/**
 * What is built. The language host is the last one that is part of the SDK's module; not every module proxy serves
 * the module that it moved to.
 * @type {[import("./goBuild").Program, import("./goBuild").Program]}
 */
const parts = [
  {
    title: `the Pulumi CLI ${version}`,
    module: path.join(__dirname, "pulumi"),
    command: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    ldflags: `-s -w -X ${sdk}/go/common/version.Version=v${version}`,
    file: cli,
    coreMinutes: 8,
    beside: { module: sdk, file: `nodejs/dist/${dynamicProvider}` },
  },
  {
    title: "its Node language host",
    module: path.join(__dirname, "host"),
    command: `${sdk}/nodejs/cmd/pulumi-language-nodejs`,
    ldflags: "-s -w",
    file: languageHost,
    coreMinutes: 1,
    beside: { module: sdk, file: `nodejs/dist/pulumi-analyzer-policy${script}` },
  },
];

/**
 * Builds the pinned version from source, through the Go module proxy. What an earlier run has built is kept, so that
 * a build that was interrupted resumes.
 * @param {string} folder
 * @param {string} scratch
 * @param {NodeJS.ProcessEnv} env
 */
async function buildEngine(folder, scratch, env) {
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin, { recursive: true });
  const go = await prepareGo(parts[0].module, scratch, env);
  for (const part of parts) await buildProgram(go, part, bin);
}

module.exports = { buildEngine, parts, sdk };
